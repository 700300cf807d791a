// SPDX-License-Identifier: Apache-2.0
#include "compose/exploration/ExplicitState.h"

#include <algorithm>

namespace understudy::compose::exploration {

namespace {

void putNumber(uint32_t n, std::vector<uint8_t> &out) {
  for (; n >= 0x80; n >>= 7)
    out.push_back(static_cast<uint8_t>(n | 0x80));
  out.push_back(static_cast<uint8_t>(n));
}

uint32_t getNumber(const uint8_t *&at) {
  uint32_t result = 0;
  for (unsigned shift = 0;; shift += 7) {
    uint8_t byte = *at++;
    result |= static_cast<uint32_t>(byte & 0x7f) << shift;
    if (byte < 0x80)
      return result;
  }
}

} // namespace

ExplicitState ExplicitState::withoutThreads() const {
  ExplicitState result(order_);
  result.global = global;
  return result;
}

void ExplicitState::add(LocalId local) {
  if (order_ == Order::Listed) {
    groups_.push_back({local, 1});
    return;
  }
  auto at = std::lower_bound(groups_.begin(), groups_.end(), local,
                             [](const ThreadGroup &g, LocalId l) { return g.local < l; });
  if (at != groups_.end() && at->local == local)
    ++at->count;
  else
    groups_.insert(at, {local, 1});
}

void ExplicitState::removeFrom(size_t at) {
  if (--groups_[at].count == 0)
    groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(at));
}

void ExplicitState::move(size_t at, LocalId to) {
  if (groups_[at].local == to)
    return;
  if (order_ == Order::Listed) {
    groups_[at].local = to;
    return;
  }
  removeFrom(at);
  add(to);
}

size_t ExplicitState::indexOf(LocalId local) const {
  auto at = std::find_if(groups_.begin(), groups_.end(),
                         [&](const ThreadGroup &g) { return g.local == local; });
  return static_cast<size_t>(at - groups_.begin());
}

void ExplicitState::encode(std::vector<uint8_t> &out) const {
  out.clear();
  putNumber(global, out);
  LocalId previous = 0;
  for (const ThreadGroup &group : groups_) {
    putNumber(group.local - previous, out);
    if (order_ == Order::Sorted) {
      putNumber(group.count, out);
      previous = group.local;
    }
  }
}

void ExplicitState::decode(std::span<const uint8_t> bytes) {
  groups_.clear();
  const uint8_t *at = bytes.data();
  const uint8_t *end = at + bytes.size();
  global = getNumber(at);
  LocalId previous = 0;
  while (at != end) {
    ThreadGroup group{previous + getNumber(at), 1};
    if (order_ == Order::Sorted) {
      group.count = getNumber(at);
      previous = group.local;
    }
    groups_.push_back(group);
  }
}

} // namespace understudy::compose::exploration
