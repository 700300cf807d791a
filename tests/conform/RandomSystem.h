// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ContractTree.h"
#include "RandomCode.h"

namespace understudy::tests {

/// One thread with a contract, derived from it and changed, or random: about half conform. The same
/// for the same seed.
FiniteSystem randomPair(uint64_t seed);
/// The same, small enough to write down all short executions.
FiniteSystem tinyPair(uint64_t seed);
/// One to three threads, of which most conform.
FiniteSystem randomThreads(uint64_t seed);

} // namespace understudy::tests
