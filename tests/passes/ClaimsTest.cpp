// SPDX-License-Identifier: Apache-2.0
#include "passes/checker/Claims.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::passes;
using namespace understudy::passes::checker;

namespace {

/// Threads A and B of two states each; the second state of A asserts, and excludes itself.
specs::Compiled twoThreads() {
  specs::Compiled contract;
  compose::Program &program = contract.program;
  program.pool = std::make_shared<logic::TermPool>();
  for (const char *name : {"A", "B"}) {
    compose::Template thread;
    thread.name = name;
    thread.locations.resize(3);
    thread.locations[2].kind = compose::LocationKind::Error;
    specs::ThreadBinding bound;
    bound.name = bound.function = name;
    bound.id = static_cast<compose::TemplateId>(program.templates.size());
    bound.hasBody = true;
    contract.threads.push_back(std::move(bound));
    program.templates.push_back(std::move(thread));
  }
  compose::Edge assertion;
  assertion.source = 1;
  assertion.target = 2;
  assertion.failure = compose::FailureKind::Assertion;
  assertion.text = "!stopped";
  program.templates[0].edges.push_back(assertion);
  program.exclusions.push_back({{0, 1}, {0, 1}, "never A.S with A.S", {}});
  return contract;
}

std::vector<std::string> texts(const std::vector<Unused> &claims) {
  std::vector<std::string> result;
  for (const Unused &claim : claims)
    result.push_back(claim.text);
  return result;
}

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("claims: the assertions of a state and the exclusions it has a part in", "[passes]") {
  specs::Compiled contract = twoThreads();
  CHECK(texts(claimsAt(contract.program, {0, 1})) ==
        Texts{"assert !stopped", "never A.S with A.S"});
  CHECK(texts(claimsAt(contract.program, {0, 0})).empty());
  CHECK(texts(claimsAt(contract.program, {1, 1})).empty());
}

TEST_CASE("claims: silent code is an assumption", "[passes]") {
  specs::Compiled contract = twoThreads();
  SilentCode both(contract);
  CHECK(both.assumptions().empty());
  both.add(contract.threads[0], true);
  both.add(contract.threads[1], true);
  CHECK(both.assumptions() == Texts{"the code of A has no assertions or markers: what its "
                                    "contract claims is proved only for the contract"});

  SilentCode claimsNothing(contract); // nor does its contract
  claimsNothing.add(contract.threads[1], true);
  CHECK(claimsNothing.assumptions() ==
        Texts{"the code has no assertions or markers: only its steps are checked"});

  SilentCode spoken(contract);
  spoken.add(contract.threads[0], false);
  spoken.add(contract.threads[1], true);
  CHECK(spoken.assumptions().empty());

  contract.withoutContract = {"C"}; // its assertions are in the composition
  SilentCode helped(contract);
  helped.add(contract.threads[1], true);
  CHECK(helped.assumptions().empty());
}
