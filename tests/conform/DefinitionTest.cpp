// SPDX-License-Identifier: Apache-2.0
//
// The brute-force check against the definition written down execution by execution, and what the
// random pairs are like.
#include "Phased.h"
#include "RandomSystem.h"
#include "Support.h"
#include "Verdicts.h"
#include "logic/Error.h"
#include "specs/Compile.h"

#include <catch2/catch.hpp>

#include <iostream>
#include <map>

namespace understudy::tests {
namespace {

constexpr size_t longest = 3;

struct Shares {
  std::map<std::string, size_t> counts;
  size_t total = 0;
  void add(const std::string &kind) {
    ++counts[kind];
    ++total;
  }
  void tell(const std::string &what) const {
    std::cout << what << ": " << total << " pairs";
    for (const auto &[kind, count] : counts)
      std::cout << ", " << count << " " << kind;
    std::cout << "\n";
  }
};

void compileContract(const std::string &text) {
  const auto file = std::make_shared<const logic::SourceFile>("random.contract", text);
  specs::compile(specs::syntax::parseContract(file).tree, {});
}

} // namespace

TEST_CASE("the set construction agrees with the definition on short executions") {
  Shares shares;
  for (size_t run = 0; run < runs(20000); ++run) {
    const uint64_t seed = seedOf(run);
    const FiniteSystem system = tinyPair(seed);
    const SharedSpace space(system.shared);
    ConcreteThread thread(space, system.parts[0].code);
    ContractMachine contract(space, system, system.parts[0].contract);
    const auto found = disproof(thread, contract, longest);
    shares.add(found ? word(found->breach) : "conform");
    INFO("seed " << seed << "\n" << codeText(system) << contractText(system));
    INFO((found ? found->story : "no disproof"));
    REQUIRE(abstractedUpTo(longest, thread, contract) == !found);
  }
  shares.tell("short executions");
  for (const char *kind : {"conform", "step", "wrong", "return", "marker"})
    CHECK(shares.counts[kind] * 200 >= shares.total);
}

TEST_CASE("about half of the random pairs conform, and the language accepts their contracts") {
  Shares shares;
  for (size_t run = 0; run < runs(5000); ++run) {
    const uint64_t seed = seedOf(run);
    const FiniteSystem system = randomPair(seed);
    const std::string text = contractText(system);
    INFO("seed " << seed << "\n" << text);
    REQUIRE_NOTHROW(compileContract(text));
    const auto found = bruteForce(system);
    shares.add(found ? word(found->breach) : "conform");
  }
  shares.tell("random pairs");
  CHECK(shares.counts["conform"] * 100 >= 35 * shares.total);
  CHECK(shares.counts["conform"] * 100 <= 65 * shares.total);
}

} // namespace understudy::tests
