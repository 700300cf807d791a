// SPDX-License-Identifier: Apache-2.0
#include "Interleave.h"
#include "RandomSystem.h"
#include "Support.h"
#include "Theorem.h"
#include "ToolVerdict.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <iostream>

namespace understudy::tests {

namespace {

/// `leastTelling`: per cent of the systems, see `TheoremTally`.
void checkTheorem(size_t count, FiniteSystem (*make)(uint64_t), size_t leastTelling,
                  const std::string &name) {
  constexpr size_t batchSize = 25;
  TheoremTally tally;
  for (size_t first = 0; first < count; first += batchSize) {
    std::vector<FiniteSystem> systems;
    for (size_t run = first; run < std::min(first + batchSize, count); ++run)
      systems.push_back(theoremSystem(seedOf(run), make));
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
  std::cout << name << ": " << tally.text() << "\n";
  CHECK(tally.telling * 100 >= leastTelling * tally.systems);
  CHECK(tally.codeFails * 100 >= 15 * tally.systems);
}

} // namespace

TEST_CASE("threads that the tool finds conforming to safe contracts are safe") {
  checkTheorem(runs(2000), randomThreads, 15, "theorem with the tool");
}

TEST_CASE("threads with mutexes that the tool finds conforming to safe contracts are safe") {
  checkTheorem(runs(2000), randomLockedThreads, 8, "theorem with mutexes, with the tool");
}

} // namespace understudy::tests
