// SPDX-License-Identifier: Apache-2.0
#include "passes/TypeLimits.h"

#include "logic/Error.h"
#include "logic/solver/Solver.h"
#include "tests/passes/SystemSupport.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::passes;

namespace {

/// Is the number a value of the C type?
bool fits(int64_t number, unsigned bits, bool isSigned, bool isBool = false) {
  logic::TermPool pool;
  specs::SharedBinding shared;
  shared.variable = pool.variable("", "x", pool.intSort());
  memory::BoundVariable bound;
  bound.shared = &shared;
  bound.bits = bits;
  bound.isSigned = isSigned;
  bound.isBool = isBool;
  logic::solver::Solver solver(pool, {.resources = 1'000'000, .seconds = 0});
  solver.add(inType(pool, bound, When::Before));
  solver.add(pool.equal(pool.var(shared.variable), pool.integer(number)));
  return solver.check() == logic::solver::Satisfiability::Sat;
}

std::string contractWith(const std::string &edge) {
  return "shared int x = 0; thread T { initial S { -> D; } final D; }"
         "environment E { initial final S { -> S : " +
         edge + "; } } run T, E;";
}

constexpr const char *byte = "@x = global i8 0\ndefine void @T() {\n  %v = load i8, ptr @x\n"
                             "  ret void\n}\n";

/// The message about an environment whose edge leaves the type of a signed byte; empty: none.
std::string refused(const std::string &edge) {
  try {
    tests::SystemOf system(contractWith(edge), byte);
  } catch (const logic::Error &error) {
    return error.what();
  }
  return "";
}

/// How many edges fail because they may leave the type, and what is assumed instead.
std::pair<size_t, std::vector<std::string>> failing(const std::string &edge, OverflowMode mode) {
  tests::SystemOf system(contractWith(edge), byte);
  compose::Program program = system.contract().program;
  size_t before = program.templates[1].edges.size();
  program.assumptions.clear();
  failOutsideTypes(program, *system, mode);
  return {program.templates[1].edges.size() - before, program.assumptions};
}

} // namespace

TEST_CASE("type limits: the values of C types", "[passes]") {
  CHECK(fits(127, 8, true));
  CHECK(fits(-128, 8, true));
  CHECK_FALSE(fits(128, 8, true));
  CHECK_FALSE(fits(-129, 8, true));
  CHECK(fits(255, 8, false));
  CHECK_FALSE(fits(256, 8, false));
  CHECK_FALSE(fits(-1, 8, false));
  CHECK(fits(4294967295, 32, false));
  CHECK_FALSE(fits(4294967296, 32, false));
  CHECK(fits(INT64_MIN, 64, true));
  CHECK(fits(INT64_MAX, 64, false));
  CHECK_FALSE(fits(-1, 64, false));
  CHECK(fits(1, 8, false, true));
  CHECK_FALSE(fits(2, 8, false, true));
}

TEST_CASE("type limits: an edge that can only leave the type is an error", "[passes]") {
  CHECK_THAT(refused("x' == 300"), Catch::Contains("a value outside its C type"));
  CHECK_THAT(refused("x' == -129"), Catch::Contains("x, a signed 8-bit integer"));
  CHECK(refused("x' == 127").empty());
  CHECK(refused("x' == x + 1").empty());           // not always
  CHECK(refused("x == 200 && x' == 300").empty()); // never taken
}

TEST_CASE("type limits: an edge that may leave the type is assumed not to, or fails", "[passes]") {
  using Assumed = std::vector<std::string>;
  CHECK(failing("x' == x + 1", OverflowMode::Check) == std::pair{size_t{1}, Assumed{}});
  CHECK(failing("x' == x + 1", OverflowMode::Assume) ==
        std::pair{size_t{0}, Assumed{"environment E does not take x beyond its C type"}});
  CHECK(failing("x < 5 && x' == x + 1", OverflowMode::Assume) == std::pair{size_t{0}, Assumed{}});
  CHECK(failing("x < 5 && x' == x + 1", OverflowMode::Check) == std::pair{size_t{0}, Assumed{}});
}
