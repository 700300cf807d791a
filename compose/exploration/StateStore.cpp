// SPDX-License-Identifier: Apache-2.0
#include "compose/exploration/StateStore.h"

#include "compose/exploration/TupleTable.h"
#include "logic/Error.h"

#include <algorithm>
#include <cstring>

namespace understudy::compose::exploration {

namespace {

uint64_t hashBytes(std::span<const uint8_t> bytes) {
  uint64_t h = bytes.size() * 0x9e3779b97f4a7c15ull;
  size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, 8);
    h = mix(h ^ word);
  }
  uint64_t rest = 0;
  if (i < bytes.size())
    std::memcpy(&rest, bytes.data() + i, bytes.size() - i);
  return mix(h ^ rest);
}

constexpr unsigned lengthBits = 16;
constexpr unsigned offsetBits = 20;
constexpr uint64_t maxLength = (1u << lengthBits) - 1;

} // namespace

std::span<const uint8_t> StateStore::state(uint32_t number) const {
  uint64_t where = offsets_[number];
  uint64_t length = where & maxLength;
  uint64_t offset = (where >> lengthBits) & ((1u << offsetBits) - 1);
  return {chunks_[where >> (lengthBits + offsetBits)].data() + offset, length};
}

uint64_t StateStore::append(std::span<const uint8_t> bytes) {
  if (bytes.size() > maxLength)
    throw logic::Unsupported("a state has too many threads to be stored");
  if (chunks_.empty() || chunks_.back().size() + bytes.size() > chunkBytes) {
    chunks_.emplace_back();
    chunks_.back().reserve(chunkBytes);
  }
  uint64_t offset = chunks_.back().size();
  chunks_.back().insert(chunks_.back().end(), bytes.begin(), bytes.end());
  return (chunks_.size() - 1) << (lengthBits + offsetBits) | offset << lengthBits | bytes.size();
}

size_t StateStore::slotOf(std::span<const uint8_t> bytes, uint64_t hash) const {
  const size_t mask = table_.size() - 1;
  size_t at = hash & mask;
  for (; table_[at] != 0; at = (at + 1) & mask) {
    if (table_[at] >> 32 != hash >> 32)
      continue;
    auto known = state(static_cast<uint32_t>(table_[at]) - 1);
    if (std::equal(known.begin(), known.end(), bytes.begin(), bytes.end()))
      break;
  }
  return at;
}

bool StateStore::contains(std::span<const uint8_t> bytes) const {
  return table_[slotOf(bytes, hashBytes(bytes))] != 0;
}

StateStore::Insertion StateStore::insert(std::span<const uint8_t> bytes, uint32_t parent) {
  const uint64_t hash = hashBytes(bytes);
  const size_t at = slotOf(bytes, hash);
  if (table_[at] != 0)
    return {static_cast<uint32_t>(table_[at]) - 1, false};
  offsets_.push_back(append(bytes));
  parents_.push_back(parent);
  table_[at] = (hash >> 32) << 32 | size();
  uint32_t number = size() - 1;
  if (static_cast<size_t>(size()) * 2 > table_.size())
    grow();
  return {number, true};
}

void StateStore::grow() {
  std::vector<uint64_t> larger(table_.size() * 2, 0);
  size_t mask = larger.size() - 1;
  for (uint32_t n = 0; n < size(); ++n) {
    uint64_t h = hashBytes(state(n));
    size_t at = h & mask;
    while (larger[at] != 0)
      at = (at + 1) & mask;
    larger[at] = (h >> 32) << 32 | (n + 1);
  }
  table_ = std::move(larger);
}

size_t StateStore::memoryBytes() const {
  return chunks_.size() * chunkBytes + offsets_.capacity() * sizeof(uint64_t) +
         parents_.capacity() * sizeof(uint32_t) + table_.capacity() * sizeof(uint64_t);
}

} // namespace understudy::compose::exploration
