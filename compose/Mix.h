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

/// The hash of a sequence, one element at a time.
inline uint64_t mixed(uint64_t hash, uint64_t element) {
  return mix(hash ^ element) + 0x9e3779b97f4a7c15ull;
}

} // namespace understudy::compose
