// SPDX-License-Identifier: Apache-2.0
//
// Programs of the shape that conformance checkers have: flags for the states of a contract, updated
// at every step, an error when none is left, and a branch every ten steps.
#include "compose/Interpreter.h"
#include "compose/sequential/Sequential.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::compose;
using namespace understudy::compose::sequential;

namespace {

enum class Shape { Straight, Loop };
enum class Fault { None, LastStep };

class CheckerMaker {
public:
  CheckerMaker(size_t steps, Shape shape, Fault fault)
      : steps_(steps), shape_(shape), fault_(fault) {
    program_.pool = std::make_shared<logic::TermPool>();
    program_.initial = pool().boolean(true);
    thread_.name = "main";
  }

  Program make() {
    for (const char *name : {"idle", "busy"})
      flags_.push_back(local(name, pool().boolSort()));
    g_ = local("g", int32());
    x_ = local("x", int32());
    y_ = local("y", int32());
    thread_.initial = all({pool().var(flags_[0]), pool().negate(pool().var(flags_[1])),
                           pool().equal(pool().var(g_), n(0))});
    error_ = location(LocationKind::Error);
    LocationId first = current_ = location(LocationKind::Normal);
    thread_.initials = {first};
    for (size_t i = 0; i < steps_; ++i)
      i % 10 == 9 ? branch() : step(i + 1 == steps_);
    if (shape_ == Shape::Loop)
      edge(current_, first, pool().equal(pool().var(g_), n(0)), {});
    program_.templates = {thread_};
    program_.starts = {{0, 1, false}};
    checkWellFormed(program_);
    return program_;
  }

private:
  size_t steps_;
  Shape shape_;
  Fault fault_;
  Program program_;
  Template thread_;
  std::vector<Variable> flags_;
  Variable g_, x_, y_;
  LocationId error_ = 0;
  LocationId current_ = 0;
  bool up_ = true;

  logic::TermPool &pool() { return *program_.pool; }
  Term n(int64_t value) { return pool().integer(value); }
  Term all(std::vector<Term> terms) { return pool().conjunction(std::move(terms)); }
  logic::Sort int32() { return pool().rangeSort(-2147483648LL, 2147483647LL); }

  Variable local(const std::string &name, logic::Sort sort) {
    thread_.locals.push_back(pool().variable("main", name, sort));
    return thread_.locals.back();
  }
  LocationId location(LocationKind kind) {
    Location result;
    result.name = "l" + std::to_string(thread_.locations.size());
    result.kind = kind;
    thread_.locations.push_back(result);
    return static_cast<LocationId>(thread_.locations.size() - 1);
  }
  void edge(LocationId source, LocationId target, Term relation, std::vector<Variable> modified) {
    Edge result;
    result.source = source;
    result.target = target;
    result.relation = relation;
    result.modified = std::move(modified);
    result.text = "step";
    if (target == error_)
      result.failure = FailureKind::Assertion;
    thread_.edges.push_back(result);
  }
  void claim(Term formula) {
    LocationId after = location(LocationKind::Normal);
    edge(current_, error_, pool().negate(formula), {});
    edge(current_, after, formula, {});
    current_ = after;
  }

  /// g goes up and down, and so does the contract.
  void step(bool last) {
    Term idle = pool().var(flags_[0]);
    Term busy = pool().var(flags_[1]);
    Term change = n(last && fault_ == Fault::LastStep ? 7 : up_ ? 1 : -1);
    Term after = pool().add(pool().var(g_), change);
    Term up = pool().equal(after, pool().add(pool().var(g_), n(1)));
    Term down = pool().equal(after, pool().add(pool().var(g_), n(-1)));
    LocationId next = location(LocationKind::Normal);
    edge(current_, next,
         all({pool().equal(pool().primed(g_), after),
              pool().equal(pool().primed(flags_[0]), all({busy, down})),
              pool().equal(pool().primed(flags_[1]),
                           all({idle, up, pool().equal(pool().var(g_), n(0))}))}),
         {flags_[0], flags_[1], g_});
    current_ = next;
    claim(pool().disjunction({idle, busy}));
    up_ = !up_;
  }

  void branch() {
    LocationId read = location(LocationKind::Normal);
    LocationId after = location(LocationKind::Normal);
    Term positive = pool().less(n(0), pool().var(x_));
    edge(current_, read, pool().boolean(true), {x_});
    edge(read, after, all({positive, pool().equal(pool().primed(y_), n(1))}), {y_});
    edge(read, after,
         all({pool().negate(positive),
              pool().equal(pool().primed(y_),
                           pool().add(pool().multiply(-1, pool().var(x_)), n(2)))}),
         {y_});
    current_ = after;
    claim(pool().lessEqual(n(1), pool().var(y_)));
  }
};

SequentialResult verify(const Program &program) {
  SequentialOptions options;
  options.resources = 100'000'000;
  return verifySequential(program, options);
}

} // namespace

TEST_CASE("sequential: long programs are proved with queries in proportion to their length") {
  for (Shape shape : {Shape::Straight, Shape::Loop}) {
    SequentialResult small = verify(CheckerMaker(100, shape, Fault::None).make());
    SequentialResult large = verify(CheckerMaker(1000, shape, Fault::None).make());
    CHECK(small.verdict.answer == Answer::Safe);
    CHECK(large.verdict.answer == Answer::Safe);
    CHECK(large.statistics.queries <= 11 * small.statistics.queries);
    CHECK(large.invariants.size() == (shape == Shape::Loop ? 1 : 0));
    CHECK(large.between.size() >= 400); // so that the parts of the proof are small
    CHECK(large.between.size() <= 11 * small.between.size());
  }
}

TEST_CASE("sequential: an error at the end of a long program is found") {
  for (Shape shape : {Shape::Straight, Shape::Loop}) {
    // 900 steps of 2 edges and 99 branches of 3
    const Program program = CheckerMaker(999, shape, Fault::LastStep).make();
    SequentialResult result = verify(program);
    REQUIRE(result.verdict.answer == Answer::Unsafe);
    CHECK(replay(program, *result.verdict.trace).value_or("replays") == "replays");
    CHECK(result.verdict.trace->steps.size() == 900 * 2 + 99 * 3);
  }
}
