// SPDX-License-Identifier: Apache-2.0
#include "compose/cover/Configurations.h"
#include "compose/cover/Cover.h"
#include "compose/cover/KarpMiller.h"
#include "compose/cover/net/Fire.h"
#include "compose/cover/net/Predecessors.h"
#include "compose/cover/net/SignAnalysis.h"
#include "compose/cover/net/StateEquation.h"
#include "tests/Support.h"
#include "tests/compose/cover/LiteralNet.h"

#include <catch2/catch.hpp>

namespace understudy::compose::cover::net {

namespace literal = tests::literal;
using tests::runs;
using tests::seedOf;

namespace {

std::string described(const CoverProblem &problem) {
  auto threads = [](const Threads &list) { return text({0, list}); };
  auto moves = [](const std::vector<Move> &list) {
    std::string all;
    for (const Move &move : list)
      all += " " + std::to_string(move.from) + ">" + std::to_string(move.to);
    return all;
  };
  std::string all = std::to_string(problem.net.sharedStates) + " shared, " +
                    std::to_string(problem.net.localStates) + " local\n";
  for (const Transition &t : problem.net.transitions)
    all += std::to_string(t.from) + " -> " + std::to_string(t.to) + " takes " +
           threads(t.consumes) + " puts " + threads(t.produces) + " signals" + moves(t.signals) +
           " transfers" + moves(t.transfers) + "\n";
  for (const StartSet &start : problem.net.starts) {
    all += "start " + text({start.shared, start.threads}) + " any";
    for (LocalState local : start.anyNumber)
      all += " " + std::to_string(local);
    all += "\n";
  }
  for (const Configuration &target : problem.targets)
    all += "target " + text(target) + "\n";
  return all;
}

CoverOptions randomOptions(std::mt19937_64 &random) {
  CoverOptions options;
  options.algorithm = static_cast<CoverOptions::Algorithm>(random() % 3);
  options.oracle = static_cast<CoverOptions::Oracle>(random() % 2);
  options.prePass = static_cast<CoverOptions::PrePass>(random() % 2);
  options.widenThreads = static_cast<uint32_t>(random() % 4);
  options.maxVertices = 20'000;
  return options;
}

void checkTrace(const CoverProblem &problem, const CoverTrace &trace) {
  REQUIRE(trace.after.size() == trace.fired.size() + 1);
  CHECK(literal::isStart(problem.net, trace.after.front()));
  for (size_t i = 0; i < trace.fired.size(); ++i)
    CHECK(literal::successors(problem.net.transitions[trace.fired[i]], trace.after[i])
              .contains(trace.after[i + 1]));
  CHECK(std::any_of(problem.targets.begin(), problem.targets.end(), [&](const Configuration &t) {
    return literal::covers(trace.after.back(), t);
  }));
}

void checkProof(const CoverProblem &problem, const CoverProof &proof) {
  const auto &elements = proof.uncoverable;
  auto contains = [&](const Configuration &c) {
    return std::any_of(elements.begin(), elements.end(),
                       [&](const Configuration &e) { return literal::covers(c, e); });
  };
  CHECK(std::is_sorted(elements.begin(), elements.end()));
  for (const Configuration &target : problem.targets)
    CHECK(contains(target));
  for (const Configuration &element : elements) {
    CHECK_FALSE(literal::isBelowStart(problem.net, element));
    auto size = static_cast<uint32_t>(finiteCount(element.threads));
    if (size <= 3)
      for (const Configuration &before : literal::predecessors(problem.net, element, size + 3))
        CHECK(contains(before));
  }
}

} // namespace

TEST_CASE("cover: random systems, against the definitions") {
  size_t decided = 0, safe = 0;
  for (size_t run = 0; run < runs(20'000); ++run) {
    std::mt19937_64 random(seedOf(run));
    CoverProblem problem = literal::randomProblem(random);
    INFO("seed " << seedOf(run) << "\n" << described(problem));
    auto expected = literal::isCoverable(problem, 8);
    bool reached = literal::isReached(problem, 6);
    for (int variant = 0; variant < 4; ++variant) {
      CoverOptions options = variant == 0 ? CoverOptions{} : randomOptions(random);
      options.maxVertices = 20'000;
      CoverAnswer answer = decideCover(problem, options);
      if (answer.answer == Answer::Unknown)
        continue;
      decided += variant == 0;
      safe += variant == 0 && answer.answer == Answer::Safe;
      if (reached)
        REQUIRE(answer.answer == Answer::Unsafe);
      if (expected)
        REQUIRE((answer.answer == Answer::Unsafe) == *expected);
      if (answer.trace)
        checkTrace(problem, *answer.trace);
      if (answer.proof)
        checkProof(problem, *answer.proof);
      REQUIRE(answer.trace.has_value() == (answer.answer == Answer::Unsafe));
      bool proved = answer.proof || answer.stateEquation;
      REQUIRE(proved == (answer.answer == Answer::Safe));
    }
  }
  CHECK(decided > runs(20'000) * 9 / 10);
  CHECK(safe > runs(20'000) / 10);
}

TEST_CASE("cover: what the state equation excludes is not coverable") {
  size_t proved = 0;
  for (size_t run = 0; run < runs(5'000); ++run) {
    std::mt19937_64 random(seedOf(run));
    CoverProblem problem = literal::randomProblem(random);
    INFO("seed " << seedOf(run) << "\n" << described(problem));
    auto proof = proveByStateEquation(problem, {});
    SignAnalysis signs(problem);
    auto restricted = proveByStateEquation(problem, signs.useful());
    if (!proof && !restricted)
      continue;
    ++proved;
    REQUIRE_FALSE(literal::isReached(problem, 6));
    if (auto expected = literal::isCoverable(problem, 8))
      REQUIRE_FALSE(*expected);
  }
  CHECK(proved > runs(5'000) / 10);
}

TEST_CASE("cover: predecessors of random transitions are exact and minimal") {
  for (size_t run = 0; run < runs(20'000); ++run) {
    std::mt19937_64 random(seedOf(run));
    CoverProblem problem = literal::randomProblem(random);
    INFO("seed " << seedOf(run) << "\n" << described(problem));
    NetIndex index(problem.net);
    const Configuration &target = problem.targets.front();
    auto size = static_cast<uint32_t>(finiteCount(target.threads));
    std::set<Configuration> expected, found;
    for (const Configuration &p : literal::predecessors(problem.net, target, size + 3))
      if (!literal::covers(p, target))
        expected.insert(p);
    for (const Predecessor &p : tests::literal::coverPredecessors(index, target)) {
      found.insert(p.configuration);
      auto after = fireTowards(problem.net.transitions[p.transition], p.configuration, target);
      REQUIRE(after);
      REQUIRE(literal::covers(*after, target));
      REQUIRE(literal::successors(problem.net.transitions[p.transition], p.configuration)
                  .contains(*after));
    }
    REQUIRE(found == expected);
  }
}

} // namespace understudy::compose::cover::net
