// SPDX-License-Identifier: Apache-2.0
#include "Interleave.h"
#include "Support.h"
#include "Theorem.h"
#include "ToolVerdict.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <iostream>

namespace understudy::tests {

TEST_CASE("threads that the tool finds conforming to safe contracts are safe") {
  constexpr size_t batchSize = 25;
  TheoremTally tally;
  const size_t count = runs(2000);
  for (size_t first = 0; first < count; first += batchSize) {
    std::vector<FiniteSystem> systems;
    for (size_t run = first; run < std::min(first + batchSize, count); ++run)
      systems.push_back(theoremSystem(seedOf(run)));
    const Batch batch(systems);
    for (size_t i = 0; i < systems.size(); ++i) {
      const ToolAnswer answer = toolVerdict(batch, systems[i]);
      const bool conform =
          std::all_of(answer.threads.begin(), answer.threads.end(), [](passes::ConformAnswer each) {
            return each == passes::ConformAnswer::Conforms;
          });
      INFO("seed " << seedOf(first + i) << "\n"
                   << codeText(systems[i]) << contractText(systems[i]) << answer.why);
      INFO(codeFails(systems[i]).value_or("the code is safe"));
      CHECK(theoremHolds(systems[i], conform, tally));
    }
  }
  std::cout << "theorem with the tool: " << tally.text() << "\n";
  CHECK(tally.telling * 100 >= 15 * tally.systems);
  CHECK(tally.codeFails * 100 >= 15 * tally.systems);
}

} // namespace understudy::tests
