// SPDX-License-Identifier: Apache-2.0
#include "compose/cover/Cover.h"

#include "compose/cover/Configurations.h"
#include "compose/cover/KarpMiller.h"
#include "compose/cover/net/Fire.h"
#include "compose/cover/net/Predecessors.h"
#include "compose/cover/net/StateEquation.h"
#include "specs/net/TtsReader.h"
#include "tests/compose/cover/LiteralNet.h"

#include <catch2/catch.hpp>

namespace understudy::compose::cover::net {

namespace {

logic::SourceFilePtr source(const std::string &text) {
  return std::make_shared<logic::SourceFile>("test", text);
}

CoverProblem problemOf(const std::string &tts, const std::string &target,
                       const std::string &init = "0/0") {
  CoverProblem problem;
  problem.net = specs::net::readTts(source(tts));
  problem.net.starts = {specs::net::readStart(source(init), problem.net)};
  problem.targets = specs::net::readTargets(source(target), problem.net);
  return problem;
}

std::vector<std::string> texts(const std::vector<net::Configuration> &configurations) {
  std::vector<std::string> result;
  for (const Configuration &configuration : configurations)
    result.push_back(text(configuration));
  std::sort(result.begin(), result.end());
  return result;
}

/// Figure 4: the thread transition system of the program in Figure 3.
const std::string figure4 = "4 3\n0 0 -> 3 1\n3 1 -> 3 2\n3 2 -> 0 0\n0 2 -> 1 0\n1 2 -> 2 0\n";

CoverOptions with(CoverOptions::Algorithm algorithm) {
  CoverOptions options;
  options.algorithm = algorithm;
  options.oracle = CoverOptions::Oracle::Off;
  options.prePass = CoverOptions::PrePass::Off;
  return options;
}

using Algorithm = CoverOptions::Algorithm;

} // namespace

TEST_CASE("cover: the proof of Figure 6 by the classical search has nine elements") {
  auto answer = decideCover(problemOf(figure4, "2|"), with(Algorithm::Backward));
  REQUIRE(answer.answer == Answer::Safe);
  CHECK(answer.proof->uncoverable.size() == 9);
}

TEST_CASE("cover: the minimal proof has the seven elements of Figure 8") {
  auto algorithm = GENERATE(Algorithm::Cat, Algorithm::Lean);
  auto oracle = GENERATE(CoverOptions::Oracle::On, CoverOptions::Oracle::Off);
  auto widenThreads = GENERATE(1u, 2u, 5u);
  CoverOptions options = with(algorithm);
  options.oracle = oracle;
  options.widenThreads = widenThreads;
  auto answer = decideCover(problemOf(figure4, "2|"), options);
  REQUIRE(answer.answer == Answer::Safe);
  CHECK(texts(answer.proof->uncoverable) == std::vector<std::string>{"(0 | 1)", "(0 | 2)", "(1 |)",
                                                                     "(2 |)", "(3 | 1, 1)",
                                                                     "(3 | 1, 2)", "(3 | 2, 2)"});
}

TEST_CASE("cover: the search of Figure 7 tries four candidates and retreats from two") {
  auto answer = decideCover(problemOf(figure4, "2|"), with(Algorithm::Cat));
  REQUIRE(answer.answer == Answer::Safe);
  CHECK(answer.statistics.search.candidates == 4);
  CHECK(answer.statistics.search.retreats == 2);
}

TEST_CASE("cover: the oracle does not accelerate across broadcasts (Figure 11)") {
  // A thread goes from 1 to 3; the broadcast moves it to 2 and whoever was in 2 back to 1.
  const std::string tts = "2 4\n0 0 -> 0 1\n0 1 -> 1 3\n1 3 ~> 0 2\n1 2 ~> 0 1\n";
  auto problem = problemOf(tts, "0|2,2");
  NetIndex index(problem.net);
  KarpMiller oracle(index, nullptr, problem.targets);
  CHECK(oracle.run(10'000) == KarpMiller::Status::Complete);
  CHECK(oracle.nodeAbove({0, {{0, 7}, {1, 7}, {2, 1}}}));
  CHECK_FALSE(oracle.nodeAbove({0, {{2, 2}}}));
  for (auto algorithm : {Algorithm::Backward, Algorithm::Cat, Algorithm::Lean})
    CHECK(decideCover(problem, with(algorithm)).answer == Answer::Safe);
}

TEST_CASE("cover: without broadcasts the oracle accelerates, and its runs can be fired") {
  auto problem = problemOf("1 3\n0 0 -> 0 1\n0 1 +> 0 2\n", "0|1,1,2,2,2,2,2", "0|0,0");
  NetIndex index(problem.net);
  KarpMiller oracle(index, nullptr, problem.targets);
  REQUIRE(oracle.run(10'000) == KarpMiller::Status::Covered);
  CoverTrace trace = traceOf(problem.net, oracle.chainToTarget());
  CHECK(replay(problem, trace) == std::nullopt);
  CHECK(trace.fired.size() == 7);
}

TEST_CASE("cover: predecessors of each kind of transition") {
  auto preds = [](const std::string &line, const net::Configuration &target) {
    TransferNet net = specs::net::readTts(source("2 4\n" + line + "\n"));
    std::vector<net::Configuration> result;
    for (const Predecessor &p : tests::literal::coverPredecessors(NetIndex(net), target))
      result.push_back(p.configuration);
    return texts(result);
  };
  using Texts = std::vector<std::string>;
  CHECK(preds("0 0 -> 1 1", {1, {{1, 1}}}) == Texts{"(0 | 0)"});
  CHECK(preds("0 0 -> 1 1", {1, {{2, 1}}}) == Texts{"(0 | 0, 2)"});
  CHECK(preds("1 0 -> 1 1", {1, {{2, 1}}}).empty());
  CHECK(preds("0 0 +> 1 1", {1, {{1, 2}}}) == Texts{"(0 | 0, 1)"});
  CHECK(preds("0 0 +> 1 0", {1, {{0, 2}}}) == Texts{"(0 | 0)"});
  CHECK(preds("0 0 ~> 1 1", {1, {{1, 1}}}) == Texts{"(0 | 0)", "(0 | 1)"});
  CHECK(preds("0 0 ~> 1 1", {1, {{0, 1}}}).empty());
  CHECK(preds("0 3 -> 1 3 0 ~> 1 0 ~> 2", {1, {{1, 1}, {2, 1}}}) ==
        Texts{"(0 | 0, 0, 3)", "(0 | 0, 1, 3)", "(0 | 0, 2, 3)", "(0 | 1, 2, 3)"});
}

TEST_CASE("cover: predecessors of signals") {
  TransferNet net;
  net.sharedStates = 2;
  net.localStates = 3;
  net.transitions.push_back({0, 1, {}, {}, {{0, 1}}, {}, 0});
  NetIndex index(net);
  auto preds = [&](const net::Configuration &target) {
    std::vector<net::Configuration> result;
    for (const Predecessor &p : tests::literal::coverPredecessors(index, target))
      result.push_back(p.configuration);
    return texts(result);
  };
  using Texts = std::vector<std::string>;
  CHECK(preds({1, {{1, 1}}}) == Texts{"(0 | 0)", "(0 | 1)"}); // moved there, or nobody to move
  CHECK(preds({1, {{2, 1}}}) == Texts{"(0 | 2)"});
  CHECK(preds({1, {{0, 1}}}) == Texts{"(0 | 0, 0)"}); // another one takes the signal
  CHECK(preds({1, {{0, 1}, {1, 1}}}) == Texts{"(0 | 0, 0)"});
}

TEST_CASE("cover: two lines with equal ends and different passive moves are two transitions") {
  const std::string tts = "1 4\n0 0 -> 0 1 2 ~> 3\n0 0 -> 0 1 2 ~> 2\n0 0 -> 0 2\n";
  auto problem = problemOf(tts, "0|1,2,3", "0|0,0,0,0");
  REQUIRE(problem.net.transitions.size() == 3);
  auto answer = decideCover(problem, {});
  CHECK(answer.answer == Answer::Unsafe);
  problem.net.transitions.erase(problem.net.transitions.begin());
  CHECK(decideCover(problem, {}).answer == Answer::Safe);
}

TEST_CASE("cover: the state equation, with and without traps") {
  // Two threads in 0; a step needs both and moves one to 1. The equation alone allows two steps.
  CoverProblem problem;
  problem.net.sharedStates = 1;
  problem.net.localStates = 2;
  problem.net.transitions.push_back({0, 0, {{0, 2}}, {{0, 1}, {1, 1}}, {}, {}, 0});
  problem.net.starts = {{0, {{0, 2}}, {}}};
  problem.targets = {{0, {{1, 3}}}};
  auto proof = proveByStateEquation(problem, {});
  REQUIRE(proof);
  CHECK(proof->traps.empty());
  problem.targets = {{0, {{1, 2}}}};
  proof = proveByStateEquation(problem, {});
  REQUIRE(proof);
  REQUIRE(proof->traps.size() == 1);
  CHECK(proof->traps[0].locals == std::vector<LocalState>{0});
  problem.targets = {{0, {{1, 1}}}};
  CHECK_FALSE(proveByStateEquation(problem, {}));
  problem.targets = {{0, {{1, 2}}}};
  problem.net.starts = {{0, {{0, 2}}, {0}}};
  CHECK_FALSE(proveByStateEquation(problem, {}));
}

TEST_CASE("cover: traps and broadcasts") {
  CoverProblem problem;
  problem.net.sharedStates = 1;
  problem.net.localStates = 3;
  problem.net.transitions.push_back({0, 0, {{0, 2}}, {{0, 1}, {1, 1}}, {}, {}, 0});
  problem.net.transitions.push_back({0, 0, {}, {}, {}, {{0, 2}}, 0});
  problem.net.starts = {{0, {{0, 2}}, {}}};
  problem.targets = {{0, {{1, 2}}}};
  auto proof = proveByStateEquation(problem, {});
  REQUIRE(proof);
  REQUIRE(proof->traps.size() == 1);
  CHECK(proof->traps[0].locals == std::vector<LocalState>{0, 2});
  CHECK(decideCover(problem, {}).answer == Answer::Safe);
  problem.net.transitions[1].transfers = {{0, 1}}; // now it leads out of the trap
  CHECK_FALSE(proveByStateEquation(problem, {}));
  CHECK(decideCover(problem, {}).answer == Answer::Unsafe);
}

TEST_CASE("cover: odd systems") {
  CHECK(decideCover(problemOf("1 1\n", "0|0,0,0"), {}).answer == Answer::Unsafe);
  CHECK(decideCover(problemOf("1 1\n", "0|0,0,0", "0|0,0"), {}).answer == Answer::Safe);
  CHECK(decideCover(problemOf("2 1\n0 0 -> 0 0\n", "1|"), {}).answer == Answer::Safe);
  CHECK(decideCover(problemOf("2 1\n0 0 -> 0 0\n", "1|", "1|"), {}).answer == Answer::Unsafe);
  const std::string twice = "2 2\n0 0 -> 1 1\n0 0 -> 1 1\n";
  CHECK(decideCover(problemOf(twice, "1|1,1"), {}).answer == Answer::Safe);
  CoverProblem nothing;
  nothing.net.sharedStates = 1;
  nothing.targets = {{0, {}}};
  CHECK(decideCover(nothing, {}).answer == Answer::Safe); // no start at all
}

TEST_CASE("cover: the same run twice gives the same trace and the same proof") {
  std::string tts = "6 7\n";
  for (int s = 0; s < 6; ++s)
    for (int l = 0; l < 7; ++l)
      tts += std::to_string(s) + " " + std::to_string(l) + " -> " +
             std::to_string((s * 5 + l) % 6) + " " + std::to_string((l * 3 + s + 1) % 7) + "\n";
  for (const std::string target : {"5|6,6,5,4", "3|1,1,1,1,1,2"}) {
    auto problem = problemOf(tts, target, "0|0,1,2");
    auto first = decideCover(problem, {}), second = decideCover(problem, {});
    REQUIRE(first.answer == second.answer);
    CHECK(first.trace.has_value() == second.trace.has_value());
    if (first.trace) {
      CHECK(first.trace->fired == second.trace->fired);
      CHECK(first.trace->after == second.trace->after);
    }
    if (first.proof)
      CHECK(first.proof->uncoverable == second.proof->uncoverable);
    CHECK(first.statistics.search.vertices == second.statistics.search.vertices);
  }
}

TEST_CASE("cover: limits give unknown with the reason") {
  CoverOptions options = with(Algorithm::Backward);
  options.maxVertices = 3;
  std::string tts = "1 5\n";
  for (int l = 0; l < 4; ++l)
    tts += "0 " + std::to_string(l) + " -> 0 " + std::to_string(l + 1) + "\n";
  auto problem = problemOf(tts, "0|4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4", "0|0");
  auto answer = decideCover(problem, options);
  CHECK(answer.answer == Answer::Unknown);
  CHECK(answer.reason == "limit of 3 configurations");
}

TEST_CASE("cover: a wrong trace does not replay") {
  auto problem = problemOf(figure4, "3|0,2");
  auto answer = decideCover(problem, {});
  REQUIRE(answer.trace);
  CHECK(replay(problem, *answer.trace) == std::nullopt);
  CoverTrace wrong = *answer.trace;
  wrong.fired[0] = 1;
  CHECK(replay(problem, wrong) == "step 1 does not lead from (0 | 0, 0) to (3 | 0, 1)");
  wrong = *answer.trace;
  wrong.after[0].shared = 3;
  CHECK(replay(problem, wrong) == "(3 | 0, 0) is not an initial configuration");
  wrong = *answer.trace;
  wrong.fired.pop_back();
  wrong.after.pop_back();
  CHECK(replay(problem, wrong) == "(3 | 0, 1) covers no target");
}

} // namespace understudy::compose::cover::net
