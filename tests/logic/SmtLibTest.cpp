// SPDX-License-Identifier: Apache-2.0
#include "logic/smtlib/SmtLib.h"

#include "logic/solver/Solver.h"
#include "tests/logic/RandomTerm.h"

#include <catch2/catch.hpp>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace understudy::logic;
using namespace understudy::logic::smtlib;
using namespace understudy::logic::solver;
using namespace understudy::tests;

namespace {

struct Fixture {
  TermPool pool;
  Variable vx = pool.variable("", "x", pool.intSort());
  Term x = pool.var(vx);
  Term n(int64_t value) { return pool.integer(value); }
  std::string symbol(const std::string &scope, const std::string &name) {
    return smtSymbol({pool.variable(scope, name, pool.intSort()), false});
  }
};

std::string outputOf(const std::string &command) {
  std::string result;
  FILE *pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer{};
  while (size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
    result.append(buffer.data(), count);
  pclose(pipe);
  return result;
}

bool isInstalled(const std::string &program) { return !outputOf("command -v " + program).empty(); }

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

struct Query {
  uint64_t seed;
  std::string assertions;
  std::string expected;
};

Query randomQuery(uint64_t seed) {
  Random random(seed);
  TermPool pool;
  Vocabulary vocabulary =
      random.oneIn(3) ? wideVocabulary(pool) : smallVocabulary(pool, Arrays::With);
  vocabulary.constants = {0, 1, -1, 2, 3, -5};
  // Only z3 knows unbounded constant arrays of variables.
  if (vocabulary.integerArrays.size() > 1)
    vocabulary.integerArrays.erase(vocabulary.integerArrays.begin());
  RandomTerm generator(pool, vocabulary, random);
  std::vector<Term> formulas{generator.boolean(3), generator.boolean(3)};
  Solver solver(pool, {.resources = 1000000});
  for (const Term &t : formulas)
    solver.add(t);
  Satisfiability result = solver.check();
  return {seed, smtAssertions(formulas),
          result == Satisfiability::Sat     ? "sat"
          : result == Satisfiability::Unsat ? "unsat"
                                            : "unknown"};
}

class TemporaryFile {
public:
  explicit TemporaryFile(const std::string &text)
      : path_(std::filesystem::temp_directory_path() /
              ("understudy-" + std::to_string(getpid()) + ".smt2")) {
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  std::string name() const { return path_.string(); }

private:
  std::filesystem::path path_;
};

/// The program's answers to the queries, all asked of one process. cvc5 gives up the whole script
/// at a formula it does not support; that answer counts as unknown and the rest gets a new process.
std::vector<std::string> answersOf(const std::string &command, const std::vector<Query> &queries) {
  std::vector<std::string> answers;
  while (answers.size() < queries.size()) {
    std::string script = "(set-logic ALL)\n";
    for (size_t i = answers.size(); i < queries.size(); ++i)
      script += "(push 1)\n" + queries[i].assertions + "(check-sat)\n(pop 1)\n";
    TemporaryFile file(script);
    auto lines = linesOf(outputOf(command + " " + file.name() + " 2>&1"));
    answers.insert(answers.end(), lines.begin(), lines.end());
    if (lines.empty() || answers.back().find("does not yet support") == std::string::npos)
      break;
    answers.back() = "unknown";
  }
  return answers;
}

void compareWith(const std::string &program, const std::string &options) {
  if (!isInstalled(program)) {
    WARN(program << " is not installed; its agreement is not tested");
    return;
  }
  std::vector<Query> queries;
  for (size_t run = 0; run < runs(1000); ++run)
    queries.push_back(randomQuery(seedOf(run)));
  auto answers = answersOf(program + " " + options, queries);
  size_t decided = 0;
  for (size_t i = 0; i < std::min(answers.size(), queries.size()); ++i) {
    INFO("seed " << queries[i].seed << "\n" << queries[i].assertions);
    if (answers[i] == "unknown" || queries[i].expected == "unknown")
      continue;
    ++decided;
    REQUIRE(answers[i] == queries[i].expected);
  }
  REQUIRE(answers.size() == queries.size());
  CHECK(decided * 10 >= queries.size() * 9);
}

} // namespace

TEST_CASE_METHOD(Fixture, "SMT-LIB: symbols", "[logic]") {
  CHECK(smtSymbol({vx, false}) == "x");
  CHECK(smtSymbol({vx, true}) == "x!n");
  CHECK(symbol("Worker", "i") == "Worker.i");
  CHECK(symbol("", "file.c:name") == "|file.c:name|");
  CHECK(symbol("", "1st") == "|1st|");
  CHECK(symbol("", "a b") == "|a b|");
  CHECK(symbol("", "a|b") == "|a_b|");
  CHECK(symbol("", "select") == "select!");
  CHECK(symbol("", "abs") == "abs!");
  CHECK(symbol("", "bvadd") == "bvadd!");
  CHECK(smtSymbol({pool.variable("", "store", pool.intSort()), true}) == "store!!n");
}

TEST_CASE_METHOD(Fixture, "SMT-LIB: terms", "[logic]") {
  Term next = pool.primed(vx);
  Term p = pool.var(pool.variable("", "p", pool.boolSort()));
  CHECK(smtLib(pool.equal(next, pool.subtract(x, n(1)))) == "(= x!n (+ x (* (- 1) 1)))");
  CHECK(smtLib(pool.implies(p, pool.less(n(-5), x))) == "(=> p (< (- 5) x))");
  CHECK(smtLib(n(INT64_MIN)) == "(- 9223372036854775808)");
  CHECK(smtLib(pool.divide(x, 3)) ==
        "(let ((d! x)) (ite (>= d! 0) (div d! 3) (- (div (- d!) 3))))");
  Sort array = pool.arraySort(pool.intSort(), std::nullopt);
  CHECK(smtLib(pool.constArray(array, n(-1))) == "((as const (Array Int Int)) (- 1))");
  CHECK(smtLib(pool.constArray(pool.arraySort(pool.boolSort(), 2), p)) ==
        "(store (store ((as const (Array Int Bool)) false) 0 p) 1 p)");
}

TEST_CASE_METHOD(Fixture, "SMT-LIB: assertions with their declarations", "[logic]") {
  Term r = pool.var(pool.variable("T", "r", pool.rangeSort(0, 3)));
  std::vector<Term> assertions{pool.less(x, r), pool.equal(r, n(2))};
  CHECK(smtAssertions(assertions) == "(declare-const x Int)\n"
                                     "(declare-const T.r Int)\n"
                                     "(assert (and (<= 0 T.r) (<= T.r 3)))\n"
                                     "(assert (< x T.r))\n"
                                     "(assert (= T.r 2))\n");
  Term clash = pool.var(pool.variable("", "x", pool.boolSort()));
  CHECK_THROWS_AS(smtAssertions(std::vector<Term>{clash, pool.less(x, r)}), std::logic_error);
}

TEST_CASE_METHOD(Fixture, "SMT-LIB: shared and deep terms stay small", "[logic]") {
  Term shared = x;
  for (int i = 0; i < 100; ++i)
    shared = pool.ite(pool.less(shared, n(i)), shared, pool.add(shared, n(i)));
  CHECK(smtLib(shared).size() < 10000);
  Term deep = x;
  for (int i = 0; i < 20000; ++i)
    deep = pool.divide(deep, 3);
  CHECK(smtLib(deep).size() < 3000000);
}

TEST_CASE("SMT-LIB: z3 agrees with the solver", "[logic][property]") {
  compareWith("z3", "-T:300");
}

TEST_CASE("SMT-LIB: cvc5 agrees with the solver", "[logic][property]") {
  compareWith("cvc5", "--incremental --tlimit-per=5000");
}
