// SPDX-License-Identifier: Apache-2.0
#include "logic/solver/SolverProcess.h"

#include "logic/Error.h"

#include <catch2/catch.hpp>

#include <cstdlib>

using namespace understudy::logic;
using namespace understudy::logic::solver;

namespace {

/// The path without any program, for as long as it lives.
class EmptyPath {
public:
  EmptyPath() : before_(std::getenv("PATH")) { ::setenv("PATH", "/nowhere", 1); }
  ~EmptyPath() { ::setenv("PATH", before_.c_str(), 1); }

private:
  std::string before_;
};

} // namespace

TEST_CASE("one solver process answers many questions, each with its own answer") {
  for (SolverProgram program : {SolverProgram::Z3, SolverProgram::Cvc5}) {
    INFO(word(program));
    SolverProcess solver(program);
    solver.tell("(set-logic ALL)\n(declare-const x Int)\n(assert (< x 3))\n");
    CHECK(solver.check(60).answer == Satisfiability::Sat);
    for (int i = 0; i < 20; ++i) {
      solver.tell("(push 1)\n(assert (= x " + std::to_string(i) + "))\n");
      CHECK(solver.check(60).answer == (i < 3 ? Satisfiability::Sat : Satisfiability::Unsat));
      solver.tell("(pop 1)\n");
    }
  }
}

TEST_CASE("after an error a solver is believed no more") {
  for (SolverProgram program : {SolverProgram::Z3, SolverProgram::Cvc5}) {
    INFO(word(program));
    SolverProcess solver(program);
    solver.tell("(set-logic ALL)\n(assert nonsense)\n(assert false)\n");
    SolverReply reply = solver.check(60);
    CHECK(reply.answer == Satisfiability::Unknown);
    CHECK(reply.reason.find("nonsense") != std::string::npos);
    CHECK(solver.check(60).answer == Satisfiability::Unknown);
  }
}

TEST_CASE("a solver that prints or leaves is not believed") {
  SolverProcess chatty(SolverProgram::Z3);
  chatty.tell("(set-logic ALL)\n(echo \"unsat\")\n");
  CHECK(chatty.check(60).answer == Satisfiability::Unknown);
  SolverProcess leaving(SolverProgram::Z3);
  leaving.tell("(exit)\n");
  SolverReply reply = leaving.check(60);
  CHECK(reply.answer == Satisfiability::Unknown);
  CHECK(reply.reason.find("z3 ended without an answer") == 0);
}

TEST_CASE("a solver that takes too long is stopped") {
  SolverProcess solver(SolverProgram::Z3);
  // The sum of three cubes: open for a long time.
  solver.tell("(set-logic ALL)\n(declare-const x Int)\n(declare-const y Int)\n"
              "(declare-const z Int)\n(assert (= (+ (* x x x) (* y y y) (* z z z)) 114))\n");
  SolverReply reply = solver.check(0.5);
  CHECK(reply.answer == Satisfiability::Unknown);
  CHECK(reply.reason == "z3 gave no answer within the time limit");
}

TEST_CASE("a solver that is not installed is a reason, not a crash") {
  EmptyPath nothing;
  CHECK_THROWS_AS(SolverProcess(SolverProgram::Cvc5), Unsupported);
}
