// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Mix.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace understudy::compose::exploration {

/// Numbers tuples of a fixed width: equal tuples get equal numbers, counted from 0 in order of
/// first appearance.
class TupleTable {
public:
  explicit TupleTable(size_t width) : width_(width), slots_(64, 0) {}

  uint32_t number(std::span<const int64_t> tuple);
  /// Valid until the next call of `number`.
  std::span<const int64_t> tuple(uint32_t number) const {
    return {data_.data() + static_cast<size_t>(number) * width_, width_};
  }
  uint32_t size() const { return count_; }
  size_t memoryBytes() const {
    return data_.capacity() * sizeof(int64_t) + slots_.capacity() * sizeof(uint32_t);
  }

private:
  size_t width_;
  uint32_t count_ = 0;
  std::vector<int64_t> data_;
  std::vector<uint32_t> slots_; ///< number + 1; 0 is free

  uint64_t hash(std::span<const int64_t> tuple) const;
  void grow();
};

/// A map from 64-bit keys to 32-bit values with open addressing. The key ~0 is reserved.
class FlatMap {
public:
  static constexpr uint32_t absent = ~uint32_t{0};

  FlatMap() { clear(); }
  uint32_t find(uint64_t key) const;
  /// Precondition: the key is absent.
  void insert(uint64_t key, uint32_t value);
  void clear();
  size_t size() const { return count_; }
  size_t memoryBytes() const { return slots_.capacity() * sizeof(Slot); }

private:
  struct Slot {
    uint64_t key;
    uint32_t value;
  };
  static constexpr uint64_t freeKey = ~uint64_t{0};
  size_t count_ = 0;
  std::vector<Slot> slots_;
};

} // namespace understudy::compose::exploration
