// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace understudy::tests {

/// Small contracts full of what exports get wrong: ghosts that leave their ranges, indices outside
/// of arrays, relations over elements, ids from arrays and far from zero, the least integer of 32
/// bits, variables that nobody reads, and names that exports use themselves.
std::string randomOddContract(uint64_t seed);

} // namespace understudy::tests
