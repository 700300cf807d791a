// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace understudy::compose::exploration {

/// A set of byte strings, numbered in order of insertion, each with the number of its parent.
///
/// About 25 bytes beside the string itself: an offset, the parent, and two half-full table slots
/// that keep part of the hash, so that most probes need no look at the strings.
class StateStore {
public:
  static constexpr uint32_t noParent = ~uint32_t{0};

  StateStore() : table_(1u << 10, 0) {}

  struct Insertion {
    uint32_t number;
    bool isNew;
  };
  Insertion insert(std::span<const uint8_t> state, uint32_t parent);
  bool contains(std::span<const uint8_t> state) const;

  std::span<const uint8_t> state(uint32_t number) const;
  uint32_t parent(uint32_t number) const { return parents_[number]; }
  uint32_t size() const { return static_cast<uint32_t>(parents_.size()); }
  size_t memoryBytes() const;

private:
  static constexpr size_t chunkBytes = 1u << 20;
  std::vector<std::vector<uint8_t>> chunks_; ///< strings never cross chunks
  std::vector<uint64_t> offsets_;            ///< chunk, offset in it and length, packed
  std::vector<uint32_t> parents_;
  std::vector<uint64_t> table_; ///< hash fragment << 32 | number + 1

  /// Where the string is in the table, or would be.
  size_t slotOf(std::span<const uint8_t> state, uint64_t hash) const;
  uint64_t append(std::span<const uint8_t> state);
  void grow();
};

} // namespace understudy::compose::exploration
