// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ConcreteThread.h"
#include "RandomCode.h"

namespace understudy::tests {

/// One thread with a contract, derived from it and changed, or random: about half conform. The same
/// for the same seed.
FiniteSystem randomPair(uint64_t seed);
/// The same, small enough to write down all short executions.
FiniteSystem tinyPair(uint64_t seed);
/// One to three threads, of which most conform.
FiniteSystem randomThreads(uint64_t seed);
/// The same with mutexes that the contract names.
FiniteSystem randomLockedPair(uint64_t seed);
FiniteSystem randomLockedThreads(uint64_t seed);
/// Contracts that fit the code if the rules are read in this way.
FiniteSystem randomLockedThreads(uint64_t seed, Reading reading);

} // namespace understudy::tests
