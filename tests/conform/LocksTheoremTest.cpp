// SPDX-License-Identifier: Apache-2.0
//
// Mutexes that the contract names: the theorem, and readings of the rules for which it is wrong.
#include "RandomSystem.h"
#include "Support.h"
#include "Theorem.h"

#include <catch2/catch.hpp>

#include <iostream>

namespace understudy::tests {
namespace {

/// How many systems it takes until one is proved by the reading although its code fails; none in so
/// many: 0.
size_t refutedAfter(Reading reading, size_t most) {
  for (size_t run = 0; run < most; ++run) {
    TheoremTally tally;
    const FiniteSystem system = theoremSystem(
        run, [&](uint64_t seed) { return randomLockedThreads(seed, reading); }, reading);
    if (!theoremHolds(system, allConform(system, reading), tally))
      return run + 1;
  }
  return 0;
}

} // namespace

TEST_CASE("threads with mutexes that conform by definition to safe contracts are safe") {
  TheoremTally tally;
  for (size_t run = 0; run < runs(2000); ++run) {
    const uint64_t seed = seedOf(run);
    const FiniteSystem system =
        theoremSystem(seed, [](uint64_t each) { return randomLockedThreads(each); });
    INFO("seed " << seed << "\n" << codeText(system) << contractText(system));
    CHECK(theoremHolds(system, allConform(system), tally));
  }
  std::cout << "theorem with mutexes, by definition: " << tally.text() << "\n";
  CHECK(tally.telling * 100 >= 8 * tally.systems);
  CHECK(tally.codeFails * 100 >= 15 * tally.systems);
}

TEST_CASE("wrong readings of the rules about mutexes break the theorem") {
  for (Reading reading : {Reading::TryNeverFails, Reading::FrozenForEver}) {
    const size_t systems = refutedAfter(reading, 4000);
    std::cout << "reading " << static_cast<int>(reading) << " is refuted by system number "
              << systems << "\n";
    CHECK(systems > 0);
  }
}

} // namespace understudy::tests
