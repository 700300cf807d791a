// SPDX-License-Identifier: Apache-2.0
#include "compose/exploration/Explicit.h"

#include <catch2/catch.hpp>

using namespace understudy;

TEST_CASE("a program without a start state is not called safe") {
  compose::Program program;
  program.pool = std::make_shared<logic::TermPool>();
  logic::Variable x = program.pool->variable("", "x", program.pool->rangeSort(0, 3));
  program.globals = {x};
  program.initial = program.pool->less(program.pool->integer(3), program.pool->var(x));
  compose::Verdict verdict = compose::exploration::verifyExplicit(program, {});
  CHECK(verdict.answer == compose::Answer::Unknown);
  CHECK(verdict.reason == "no initial state satisfies the initial values and conditions");
}
