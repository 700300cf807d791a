// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace understudy::tests {

/// A small random system of contracts, the same for the same seed, one item, state or edge per
/// line. Nearly all pass the checker; a part of them goes wrong.
std::string randomContract(uint64_t seed);

} // namespace understudy::tests
