// SPDX-License-Identifier: Apache-2.0
#include "compose/exploration/TupleTable.h"

#include <algorithm>

namespace understudy::compose::exploration {

uint64_t TupleTable::hash(std::span<const int64_t> tuple) const {
  uint64_t h = 0x9e3779b97f4a7c15ull;
  for (int64_t v : tuple)
    h = mixed(h, static_cast<uint64_t>(v));
  return h;
}

uint32_t TupleTable::number(std::span<const int64_t> wanted) {
  size_t mask = slots_.size() - 1;
  size_t at = hash(wanted) & mask;
  for (; slots_[at] != 0; at = (at + 1) & mask)
    if (auto candidate = tuple(slots_[at] - 1);
        std::equal(candidate.begin(), candidate.end(), wanted.begin()))
      return slots_[at] - 1;
  data_.insert(data_.end(), wanted.begin(), wanted.end());
  slots_[at] = ++count_;
  if (size_t{count_} * 2 > slots_.size())
    grow();
  return count_ - 1;
}

void TupleTable::grow() {
  std::vector<uint32_t> larger(slots_.size() * 2, 0);
  size_t mask = larger.size() - 1;
  for (uint32_t n = 0; n < count_; ++n) {
    size_t at = hash(tuple(n)) & mask;
    while (larger[at] != 0)
      at = (at + 1) & mask;
    larger[at] = n + 1;
  }
  slots_ = std::move(larger);
}

uint32_t FlatMap::find(uint64_t key) const {
  size_t mask = slots_.size() - 1;
  for (size_t at = mix(key) & mask; slots_[at].key != freeKey; at = (at + 1) & mask)
    if (slots_[at].key == key)
      return slots_[at].value;
  return absent;
}

void FlatMap::insert(uint64_t key, uint32_t value) {
  if ((count_ + 1) * 2 > slots_.size()) {
    std::vector<Slot> old(slots_.size() * 2, Slot{freeKey, 0});
    old.swap(slots_);
    count_ = 0;
    for (const Slot &slot : old)
      if (slot.key != freeKey)
        insert(slot.key, slot.value);
  }
  size_t mask = slots_.size() - 1;
  size_t at = mix(key) & mask;
  while (slots_[at].key != freeKey)
    at = (at + 1) & mask;
  slots_[at] = {key, value};
  ++count_;
}

void FlatMap::clear() {
  slots_.assign(64, Slot{freeKey, 0});
  count_ = 0;
}

} // namespace understudy::compose::exploration
