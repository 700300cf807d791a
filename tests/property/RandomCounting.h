// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace understudy::tests {

/// A small random system of contracts, one to three of them run in any number, the same for the
/// same seed, one item, state or edge per line. Threads take and give back references, locks and
/// places for readers or writers, and claim what follows from holding them; now and then one of
/// them does it wrong.
std::string randomCounting(uint64_t seed);

} // namespace understudy::tests
