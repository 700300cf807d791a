// SPDX-License-Identifier: Apache-2.0
#include "tests/specs/CompileSupport.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::compose;

namespace {

Program sample() {
  return tests::compileConc("global int x = 0; global mutex m;\n"
                            "thread main { lock m; fork 1 w(x); unlock m; }\n"
                            "thread w(int p) { assert p > 0; }\n")
      .program;
}

} // namespace

TEST_CASE("a program finds its parts", "[compose]") {
  Program program = sample();
  CHECK(program.templateNamed("w") == TemplateId{1});
  CHECK_FALSE(program.templateNamed("v").has_value());
  CHECK(program.templates[0].edgesFrom(program.templates[0].initials[0]) ==
        std::vector<EdgeId>{0, 1});
  CHECK_FALSE(program.isMutexFlag(program.globals[0]));
  CHECK(program.isMutexFlag(program.globals[1]));
  CHECK(heldName("m") == "held(m)");
}

TEST_CASE("ill-formed programs are refused", "[compose]") {
  Program program = sample();
  REQUIRE_NOTHROW(checkWellFormed(program));
  Edge &edge = program.templates[0].edges[0];
  SECTION("target out of range") { edge.target = 99; }
  SECTION("primed variable not among the modified") { edge.modified.clear(); }
  SECTION("failure without error location") { edge.failure = FailureKind::Assertion; }
  SECTION("modified not sorted") { std::swap(edge.modified[0], edge.modified[1]); }
  SECTION("no initial location") { program.templates[1].initials.clear(); }
  SECTION("parameter without value") { program.starts.push_back({1, 1, false}); }
  SECTION("counted and unbounded") { program.starts[0].unbounded = true; }
  SECTION("local of another template") {
    program.invariants.push_back(
        {program.pool->less(program.pool->var(program.templates[1].locals[0]),
                            program.pool->integer(3)),
         "p < 3",
         {}});
  }
  SECTION("argument missing") {
    for (Edge &e : program.templates[0].edges)
      if (auto *fork = std::get_if<Fork>(&e.action))
        fork->arguments.clear();
  }
  CHECK_THROWS_AS(checkWellFormed(program), std::logic_error);
}
