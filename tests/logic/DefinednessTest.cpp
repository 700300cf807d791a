// SPDX-License-Identifier: Apache-2.0
#include "logic/Substitute.h"
#include "logic/smtlib/Print.h"

#include <catch2/catch.hpp>

using namespace understudy::logic;
using namespace understudy::logic::smtlib;

TEST_CASE("definedness follows the order of evaluation", "[logic]") {
  TermPool pool;
  Term a = pool.var(pool.variable("", "a", pool.arraySort(pool.boolSort(), 2)));
  Term i = pool.var(pool.variable("", "i", pool.intSort()));
  Term x = pool.var(pool.variable("", "x", pool.boolSort()));
  Term read = pool.select(a, i);
  auto shown = [](Term t) { return text(definedness(t)); };
  CHECK(shown(x) == "true");
  CHECK(shown(pool.select(a, pool.integer(1))) == "true");
  CHECK(shown(read) == "i >= 0 && i < 2");
  CHECK(shown(pool.conjunction({x, read})) == "!x || i >= 0 && i < 2");
  CHECK(shown(pool.disjunction({x, read})) == "x || i >= 0 && i < 2");
  CHECK(shown(pool.conjunction({read, x})) == "i >= 0 && i < 2");
  CHECK(shown(pool.implies(x, read)) == "x => i >= 0 && i < 2");
  CHECK(shown(pool.ite(x, x, read)) == "x || i >= 0 && i < 2");
}

TEST_CASE("definedness of a long chain", "[logic]") {
  TermPool pool;
  Term a = pool.var(pool.variable("", "a", pool.arraySort(pool.boolSort(), 2)));
  Term i = pool.var(pool.variable("", "i", pool.intSort()));
  Term x = pool.var(pool.variable("", "x", pool.boolSort()));
  std::vector<Term> chain(200'000, x);
  chain.push_back(pool.select(a, i));
  Term defined = definedness(pool.conjunction(chain));
  CHECK(defined.op() == Op::Or);
  CHECK(defined.operands().size() == 200'001);
}
