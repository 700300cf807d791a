// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace understudy::compose {

/// A mixing function for hashes, and for hash tables with power-of-two sizes.
inline uint64_t mix(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ull;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ull;
  return x ^ (x >> 32);
}

/// The hash of a sequence, one element at a time. The hash so far is spread first: it may be as
/// small as the element, and (1, 1) and (2, 2) are two sequences.
inline uint64_t mixed(uint64_t hash, uint64_t element) {
  return mix((hash + 1) * 0x9e3779b97f4a7c15ull + element);
}

} // namespace understudy::compose
