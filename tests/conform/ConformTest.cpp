// SPDX-License-Identifier: Apache-2.0
//
// The tool against the definition: random finite threads, written as C, with random contracts.
#include "RandomSystem.h"
#include "ShrinkSystem.h"
#include "Support.h"
#include "ToolVerdict.h"
#include "Verdicts.h"

#include <catch2/catch.hpp>

#include <iostream>

namespace understudy::tests {
namespace {

constexpr size_t batchSize = 50;
constexpr size_t mostDefects = 5;

using passes::ConformAnswer;

struct Compared {
  ConformAnswer tool = ConformAnswer::Unknown;
  bool conforms = false;
  bool differ() const {
    return tool != ConformAnswer::Unknown && (tool == ConformAnswer::Conforms) != conforms;
  }
};

struct Tally {
  size_t conforms = 0;
  size_t violates = 0;
  size_t unknown = 0;
  size_t really = 0; ///< conform, by the definition
  size_t defects = 0;
  size_t total() const { return conforms + violates + unknown; }
};

/// Alone in its file, so that candidates of shrinking can be tried.
Compared comparedAlone(const FiniteSystem &system, Input input) {
  try {
    const Batch batch({system}, input);
    return {toolVerdict(batch, system).threads[0], !bruteForce(system)};
  } catch (const std::exception &) {
    return {};
  }
}

void report(uint64_t seed, const FiniteSystem &system, Input input, const Compared &compared) {
  const FiniteSystem least = shrunk(system, [&](const FiniteSystem &candidate) {
    const Compared again = comparedAlone(candidate, input);
    return again.tool == compared.tool && again.conforms == compared.conforms;
  });
  const auto found = bruteForce(least);
  UNSCOPED_INFO(cHeader() << codeText(least) << contractText(least));
  UNSCOPED_INFO("by definition: " << (found ? word(found->breach) + "\n" + found->story
                                            : std::string("conforms")));
  const Batch batch({least}, input);
  UNSCOPED_INFO("tool: " << toolVerdict(batch, least).why);
  FAIL_CHECK("verdicts differ, seed " << seed);
}

using Maker = FiniteSystem (*)(uint64_t seed);

void compareBatch(size_t first, size_t count, Maker make, Input input, Tally &tally) {
  std::vector<FiniteSystem> systems;
  for (size_t run = first; run < first + count; ++run)
    systems.push_back(make(seedOf(run)));
  const Batch batch(systems, input);
  for (size_t i = 0; i < systems.size(); ++i) {
    const ToolAnswer answer = toolVerdict(batch, systems[i]);
    const Compared compared{answer.threads[0], !bruteForce(systems[i])};
    ++(compared.tool == ConformAnswer::Conforms   ? tally.conforms
       : compared.tool == ConformAnswer::Violates ? tally.violates
                                                  : tally.unknown);
    tally.really += compared.conforms;
    if (compared.tool == ConformAnswer::Unknown)
      std::cout << "seed " << seedOf(first + i) << ": " << answer.why;
    if (!compared.differ())
      continue;
    std::cout << "seed " << seedOf(first + i) << " differs: " << answer.why;
    if (++tally.defects <= mostDefects)
      report(seedOf(first + i), systems[i], input, compared);
  }
}

Tally compare(size_t count, Maker make, Input input, const std::string &name) {
  Tally tally;
  for (size_t first = 0; first < count && tally.defects < mostDefects; first += batchSize)
    compareBatch(first, std::min(batchSize, count - first), make, input, tally);
  std::cout << name << " against definition: " << tally.total() << " pairs, " << tally.conforms
            << " conform, " << tally.violates << " violate, " << tally.unknown
            << " unknown; by definition " << tally.really << " conform\n";
  CHECK(tally.defects == 0);
  CHECK(tally.unknown * 20 <= tally.total());
  return tally;
}

} // namespace

TEST_CASE("the tool's verdicts are those of the definition") {
  const Tally tally = compare(runs(5000), randomPair, Input::C, "tool");
  CHECK(tally.really * 100 >= 35 * tally.total());
  CHECK(tally.really * 100 <= 65 * tally.total());
}

TEST_CASE("the tool's verdicts on code with mutexes are those of the definition") {
  const Tally tally = compare(runs(5000), randomLockedPair, Input::C, "mutexes");
  CHECK(tally.really * 100 >= 25 * tally.total());
  CHECK(tally.really * 100 <= 70 * tally.total());
}

TEST_CASE("the tool's verdicts on optimised code are those of the definition") {
  compare(runs(1000), randomPair, Input::O0, "-O0");
  compare(runs(2000), randomPair, Input::O1, "-O1");
  compare(runs(2000), randomPair, Input::O2, "-O2");
}

} // namespace understudy::tests
