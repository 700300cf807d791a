// SPDX-License-Identifier: Apache-2.0
//
// Mutexes that the contract names: the theorem, and readings of the rules for which it is wrong.
#include "Build.h"
#include "RandomSystem.h"
#include "Support.h"
#include "Theorem.h"
#include "Verdicts.h"

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

TEST_CASE("what a thread may do with a mutex") {
  using namespace build;
  SharedVariable mutex = boolean("m");
  mutex.lock = LockKind::Mutex;
  SharedVariable guarded = range("x", 0, 3);
  guarded.guardedBy = 1;
  const auto verdict = [&](Block body) {
    const auto found = bruteForce(system({guarded, mutex}, std::move(body),
                                         {State("Start").initial().locks(1, 1),
                                          State("Inside")
                                              .asserts(below(shared(0), 3))
                                              .to(2, same(sharedAfter(0), plus(shared(0), 1))),
                                          State("Counted").unlocks(3, 1), State("Done").final()}));
    return found ? word(found->breach) : "conforms";
  };
  CHECK(verdict({lock(1), increment(0), unlock(1)}) == "conforms");
  CHECK(verdict({increment(0)}) == "wrong");
  CHECK(verdict({lock(1), unlock(1)}) == "step");
  CHECK(verdict({lock(1), increment(0)}) == "return");
  CHECK(verdict({lock(1), lock(1)}) == "wrong");
  CHECK(verdict({unlock(1)}) == "wrong");
  CHECK(verdict({assign(0, read(0)), lock(1), store(0, apply(Expr::Op::Add, local(0), constant(1))),
                 unlock(1)}) == "step");
}

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
