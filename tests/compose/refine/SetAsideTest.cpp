// SPDX-License-Identifier: Apache-2.0
#include "compose/petri/Petrify.h"
#include "compose/refine/Refine.h"
#include "tests/compose/refine/Riddle.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::compose;
using namespace understudy::compose::refine;
using namespace understudy::tests;

TEST_CASE("refine: a run that nobody can decide does not hide a violation") {
  const std::string begin = "global int n;\nthread main {\n" + unknowns + "  if (n == 7) { assume ";
  for (Search search : {Search::Unfold, Search::Explore})
    for (Algorithm algorithm :
         {Algorithm::SafetyFirst, Algorithm::BoundFirst, Algorithm::Together}) {
      RefineOptions options = few();
      options.search = search;
      options.algorithm = algorithm;
      const RefineResult wrong = verifyAlone(
          begin + riddle + "; }\n  else { skip; skip; skip; }\n  assert n != 7 && n < 9;\n}\n",
          options);
      CHECK(wrong.verdict.answer == Answer::Unsafe);
      const RefineResult open = verifyAlone(
          begin + riddle + "; }\n  else { skip; skip; skip; }\n  assert n != 7;\n}\n", options);
      CHECK(open.verdict.answer == Answer::Unknown);
      CHECK(open.verdict.reason.starts_with(undecided));
      CHECK(open.ending == Ending::Open);
      CHECK(open.proof.empty());
    }
}

TEST_CASE("refine: only so many runs are set aside") {
  const Program program = compileConc(riddleAlone).program;
  const RefineOptions options = few();
  for (uint64_t most : {0, 1, 5}) {
    Budget budget(options);
    HoareTriples triples(*program.pool, options.resources, budget);
    Predicates predicates;
    AbstractionOptions abstraction;
    abstraction.resources = options.resources;
    abstraction.maxSetAside = most;
    const AbstractionResult result = checkSpecification(
        program, compose::petri::petrify(program, {1}), compose::petri::Specification::Safety,
        predicates, triples, budget, abstraction);
    CHECK(result.outcome == AbstractionResult::Outcome::Open);
    CHECK(result.reason.starts_with(undecided));
    CHECK(result.domain.components.empty());
    CHECK(predicates.empty());
  }
}
