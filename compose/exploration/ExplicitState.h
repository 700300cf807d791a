// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/exploration/ExplicitModel.h"

#include <cstdint>
#include <span>
#include <vector>

namespace understudy::compose::exploration {

/// Some threads in one local state.
struct ThreadGroup {
  LocalId local = 0;
  uint32_t count = 0;
};

/// A state of the search. Sorted: a multiset of local states, one group for each, by ascending
/// LocalId; threads in equal local states are interchangeable. Listed: one group of one thread
/// each, in order of creation.
class ExplicitState {
public:
  enum class Order : uint8_t { Sorted, Listed };

  explicit ExplicitState(Order order) : order_(order) {}

  GlobalId global = 0;
  const std::vector<ThreadGroup> &groups() const { return groups_; }

  /// The same globals and no threads.
  ExplicitState withoutThreads() const;
  void add(LocalId local);
  /// One thread of group `at` leaves.
  void removeFrom(size_t at);
  /// One thread of group `at` changes its local state.
  void move(size_t at, LocalId to);
  size_t indexOf(LocalId local) const;

  /// Variable-length numbers: the global, then local and count of each group (Sorted: the
  /// difference to the local before).
  void encode(std::vector<uint8_t> &out) const;
  void decode(std::span<const uint8_t> bytes);

private:
  Order order_;
  std::vector<ThreadGroup> groups_;
};

} // namespace understudy::compose::exploration
