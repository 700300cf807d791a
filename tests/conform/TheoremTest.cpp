// SPDX-License-Identifier: Apache-2.0
#include "Theorem.h"
#include "Support.h"
#include "Verdicts.h"

#include <catch2/catch.hpp>

#include <iostream>

namespace understudy::tests {

TEST_CASE("threads that conform by definition to safe contracts are safe") {
  TheoremTally tally;
  for (size_t run = 0; run < runs(2000); ++run) {
    const uint64_t seed = seedOf(run);
    const FiniteSystem system = theoremSystem(seed);
    bool conform = true;
    for (size_t i = 0; i < system.parts.size(); ++i)
      conform = conform && !bruteForce(system, i);
    INFO("seed " << seed << "\n" << codeText(system) << contractText(system));
    CHECK(theoremHolds(system, conform, tally));
  }
  std::cout << "theorem by definition: " << tally.text() << "\n";
  CHECK(tally.telling * 100 >= 15 * tally.systems);
  CHECK(tally.codeFails * 100 >= 15 * tally.systems);
}

} // namespace understudy::tests
