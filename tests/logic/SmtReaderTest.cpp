// SPDX-License-Identifier: Apache-2.0
#include "logic/smtlib/SmtReader.h"

#include "logic/Error.h"
#include "logic/smtlib/SmtLib.h"
#include "tests/logic/RandomTerm.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::logic;
using namespace understudy::logic::smtlib;

namespace {

std::string faultOf(const std::string &text) {
  TermPool pool;
  const SymbolTable symbols{{"x", pool.variable("", "x", pool.intSort())},
                            {"b", pool.variable("", "b", pool.boolSort())}};
  try {
    readSmtLib(pool, text, symbols);
  } catch (const NoFormula &fault) {
    return fault.what();
  }
  return "";
}

} // namespace

TEST_CASE("SMT-LIB read back: what is written means the same", "[logic][property]") {
  size_t compared = 0;
  for (size_t run = 0; run < tests::runs(3000); ++run) {
    const uint64_t seed = tests::seedOf(run);
    TermPool pool;
    tests::Random random(seed);
    auto vocabulary = tests::smallVocabulary(pool, tests::Arrays::With);
    std::erase_if(vocabulary.integers, [](Term variable) { return variable.primed(); });
    const Term term = tests::RandomTerm(pool, vocabulary, random).boolean(5);
    SymbolTable symbols;
    for (const Term &variable : vocabulary.all())
      symbols.emplace(smtSymbol({variable.variable(), false}), variable.variable());
    INFO("seed " << seed << ": " << smtLib(term));
    const Term read = readSmtLib(pool, smtLib(term), symbols);
    const auto state = tests::randomState(vocabulary, random);
    try {
      const bool expected = holds(term, tests::environmentOf(state));
      CHECK(holds(read, tests::environmentOf(state)) == expected);
      ++compared;
    } catch (const Overflow &) {
      continue;
    }
  }
  CHECK(compared * 4 >= tests::runs(3000) * 3);
}

TEST_CASE("SMT-LIB read back: what is no formula is refused", "[logic]") {
  CHECK(faultOf("(and b (<= 0 x))") == "");
  CHECK(faultOf("(let ((t!1 (+ x 1))) (= t!1 2))") == "");
  CHECK(faultOf("") == "it is not complete");
  CHECK(faultOf("(and b") == "it is not complete");
  CHECK(faultOf("b)") == "something follows its end");
  CHECK(faultOf("(and b y)") == "the word 'y' is unknown");
  CHECK(faultOf("(and b x)") == "'and' has operands that do not fit");
  CHECK(faultOf("(< b 1)") == "'<' has operands that do not fit");
  CHECK(faultOf("(= x 99999999999999999999)") == "'99999999999999999999' is not a 64-bit integer");
  CHECK(faultOf("(exists ((y Int)) b)") == "expected 'as', found 'y'");
  CHECK(faultOf("b) (check-sat") == "something follows its end");
  CHECK(faultOf("(let ((x 1)) b)") == "the name 'x' may not be bound");
  CHECK(faultOf(std::string(5000, '(')) != "");
  CHECK(faultOf(std::string(10u << 20, ' ')) == "it has more than 1048576 characters");
  std::string deep;
  for (size_t i = 0; i < 3000; ++i)
    deep += "(not ";
  CHECK(faultOf(deep + "b" + std::string(3000, ')')) == "it is nested too deeply");
}
