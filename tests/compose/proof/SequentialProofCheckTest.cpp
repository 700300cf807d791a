// SPDX-License-Identifier: Apache-2.0
#include "compose/proof/SequentialProofCheck.h"

#include "logic/Error.h"
#include "tests/specs/CompileSupport.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::compose;
using namespace understudy::compose::proof;
using namespace understudy::compose::sequential;

namespace {

using Outcome = Discharge::Outcome;
using logic::solver::SolverProgram;

/// "holds", or the obligation that does not. Both solvers must say the same.
std::string verdict(const Program &program, const SequentialEvidence &evidence) {
  ObligationScript script;
  try {
    script = sequentialObligations(program, evidence);
  } catch (const InvalidEvidence &invalid) {
    return invalid.what();
  }
  std::string answers[2];
  for (SolverProgram solver : {SolverProgram::Z3, SolverProgram::Cvc5}) {
    Discharge found = discharge(script, {solver, 60});
    answers[solver == SolverProgram::Z3 ? 0 : 1] =
        found.outcome == Outcome::Holds ? "holds" : found.obligation.meaning + found.reason;
  }
  CHECK(answers[0] == answers[1]);
  return answers[0];
}

Program program(const std::string &text) { return tests::compileConc(text).program; }

/// The proof that the engine finds.
SequentialEvidence proofOf(const Program &program) {
  SequentialResult result = verifySequential(program, {});
  REQUIRE(result.verdict.answer == Answer::Safe);
  return evidenceOf(result);
}

const std::string counting = "global int x = 0;\n"
                             "thread T {\n"
                             "  while (x < 10) {\n"
                             "    x := x + 1;\n"
                             "  }\n"
                             "  assert x == 10;\n"
                             "}\n"
                             "run T;\n";

} // namespace

TEST_CASE("a loop needs its invariant, and nothing weaker") {
  Program loop = program(counting);
  SequentialEvidence proof = proofOf(loop);
  REQUIRE(proof.invariants.size() >= 1);
  CHECK(verdict(loop, proof) == "holds");
  proof.invariants[0].formula = "(<= x 10)";
  CHECK(verdict(loop, proof) == "holds");
  proof.invariants[0].formula = "(<= 0 x)";
  CHECK(verdict(loop, proof).find("never fails") != std::string::npos);
  proof.invariants[0].formula = "(= x 0)";
  CHECK(verdict(loop, proof).find("leads to the invariant at") != std::string::npos);
  proof.invariants[0].formula = "(= x 1)";
  CHECK(verdict(loop, proof).find("from the initial state") == 0);
  proof.invariants.clear();
  CHECK(verdict(loop, proof).find("from anything at") == 0);
}

TEST_CASE("a loop that an impossible step closes needs no invariant") {
  const std::string loop = "global int x = 2;\n"
                           "thread T {\n"
                           "  while (x != 2) {\n"
                           "    assert x != x;\n"
                           "  }\n"
                           "}\n"
                           "run T;\n";
  Program never = program(loop);
  CHECK(verdict(never, {}) == "holds");
  CHECK(verdict(never, proofOf(never)) == "holds");
  // The same with a step that only looks possible: now nothing is known at the loop.
  std::string other = loop;
  other.replace(other.find("x != x"), 6, "x == 2");
  CHECK(verdict(program(other), {}).find("from anything at") == 0);
  CHECK(verdict(program(other), proofOf(program(other))) == "holds");
}

TEST_CASE("sequential evidence must fit the program") {
  Program loop = program(counting);
  SequentialEvidence proof = proofOf(loop);
  proof.invariants.push_back(proof.invariants[0]);
  CHECK(verdict(loop, proof).find("two invariants are given for") == 0);
  proof.invariants.back().location = 1000;
  CHECK(verdict(loop, proof) == "an invariant is at a place that the program does not have");
  proof.invariants.pop_back();
  proof.invariants[0].formula = "(= y 0)";
  CHECK(verdict(loop, proof).find("the word 'y' is not allowed") != std::string::npos);
}

TEST_CASE("formulas are read wherever they stand, also at errors") {
  Program loop = program(counting);
  SequentialEvidence proof = proofOf(loop);
  const Template &thread = loop.templates[0];
  size_t errors = 0;
  for (LocationId location = 0; location < thread.locations.size(); ++location)
    if (thread.locations[location].kind == LocationKind::Error) {
      ++errors;
      SequentialEvidence changed = proof;
      std::erase_if(changed.invariants,
                    [&](const auto &invariant) { return invariant.location == location; });
      changed.invariants.push_back({location, "(= y 0)"});
      CHECK(verdict(loop, changed).find("the word 'y' is not allowed") != std::string::npos);
      changed.invariants.back().formula = "(= x 0)";
      CHECK(verdict(loop, changed) == "holds");
    }
  CHECK(errors == 1);
}

TEST_CASE("code without loops is its own proof") {
  std::string text = "global int x = 0;\n"
                     "thread T {\n"
                     "  havoc x;\n"
                     "  if (x > 5) { x := 5; } else { if (x < 0) { x := 0; } }\n"
                     "  assert x <= BOUND;\n"
                     "  assert x >= 0;\n"
                     "}\n"
                     "run T;\n";
  auto bounded = [&](const std::string &bound) {
    std::string copy = text;
    return program(copy.replace(copy.find("BOUND"), 5, bound));
  };
  CHECK(verdict(bounded("5"), {}) == "holds");
  CHECK(verdict(bounded("4"), {}).find("(test.conc:5) never fails") != std::string::npos);
}

TEST_CASE("a sequential proof is about one thread") {
  CHECK_THROWS_AS(sequentialObligations(program("thread T { skip; }\nrun T * 2;\n"), {}),
                  logic::Unsupported);
  CHECK_THROWS_AS(
      sequentialObligations(program("thread T { fork U(); }\nthread U { skip; }\nrun T;\n"), {}),
      logic::Unsupported);
}
