// SPDX-License-Identifier: Apache-2.0
#include "compose/cover/Configurations.h"
#include "compose/cover/Cover.h"
#include "specs/net/CoverModel.h"
#include "specs/net/TtsReader.h"

#include <catch2/catch.hpp>

namespace understudy::specs::net {

namespace {

using compose::Answer;
using namespace compose::cover;
using namespace compose::cover::net;

logic::SourceFilePtr source(const std::string &text) {
  return std::make_shared<logic::SourceFile>("model", text);
}

/// "line:column message".
template <typename Read>
std::string errorOf(Read read) {
  try {
    read();
  } catch (const logic::Error &error) {
    const logic::Diagnostic &first = error.diagnostics().front();
    return std::to_string(first.range.begin.line) + ":" + std::to_string(first.range.begin.column) +
           " " + first.message;
  } catch (const logic::Unsupported &reason) {
    return std::to_string(reason.range().begin.line) + " unsupported: " + reason.what();
  }
  return "no error";
}

std::string ttsError(const std::string &text) {
  return errorOf([&] { readTts(source(text)); });
}

std::string mistError(const std::string &text) {
  return errorOf([&] { readMist(source(text)); });
}

CoverModel mist(const std::string &rules, const std::string &init, const std::string &target) {
  return readMist(
      source("vars x y z\nrules\n" + rules + "\ninit\n" + init + "\ntarget\n" + target + "\n"));
}

} // namespace

TEST_CASE("tts: the four forms of a line") {
  TransferNet net =
      readTts(source("# a comment\n3 4 # counts\n\n0 1 -> 2 3\n0 1 -> 2 3 1 ~> 2 0 "
                     "~> 3  1 ~> 0\n1 1 +> 2 1\n0 1 ~> 2 3\n0 0 ~> 2 1\n1 0 ~> 2 1\n"));
  CHECK(net.sharedStates == 3);
  CHECK(net.localStates == 4);
  REQUIRE(net.transitions.size() == 5);
  CHECK(net.transitions[0] == Transition{0, 2, {{1, 1}}, {{3, 1}}, {}, {}, 4});
  CHECK(net.transitions[1] ==
        Transition{0, 2, {{1, 1}}, {{3, 1}}, {}, {{0, 3}, {1, 0}, {1, 2}}, 5});
  CHECK(net.transitions[2] == Transition{1, 2, {{1, 1}}, {{1, 2}}, {}, {}, 6});
  CHECK(net.transitions[3] == Transition{0, 2, {}, {}, {}, {{0, 1}, {1, 3}}, 7});
  CHECK(net.transitions[4] == Transition{1, 2, {}, {}, {}, {{0, 1}}, 9});
}

TEST_CASE("tts: malformed files") {
  CHECK(ttsError("") == "1:1 expected the number of shared states, found the end of the input");
  CHECK(ttsError("2\n") == "2:1 expected the number of local states, found the end of the input");
  CHECK(ttsError("2 2\n0 0 - 1 1\n") == "2:5 expected '->', '+>' or '~>', found '-'");
  CHECK(ttsError("2 2\n0 0 -> 2 1\n") == "2:8 no such shared state: 2");
  CHECK(ttsError("2 2\n0 2 -> 1 1\n") == "2:3 no such local state: 2");
  CHECK(ttsError("2 2\n0 0 -> 1\n") == "2:9 expected a local state, found the end of the line");
  CHECK(ttsError("2 2\n0 0 -> 1 1 x\n") == "2:12 expected the end of the line");
  CHECK(ttsError("2 2\n0 0 -> 1 1 0 -> 1\n") ==
        "2:14 expected '~>' and the local state to which threads in 0 move, found '-'");
  CHECK(ttsError("99999999999 2\n") == "1:1 the number is too large");
  CHECK(ttsError("20000000 2\n") == "1:1 too many shared states");
}

TEST_CASE("tts: targets and initial states") {
  TransferNet net = readTts(source("3 5\n"));
  auto target = [&](const std::string &text) { return readTargets(source(text), net).front(); };
  CHECK(target("1|4,2,4") == Configuration{1, {{2, 1}, {4, 2}}});
  CHECK(target("2|") == Configuration{2, {}});
  CHECK(target("2B3") == Configuration{2, {{3, 1}}});
  CHECK(readTargets(source("0|1\n\n# more\n1|1\n"), net).size() == 2);
  auto init = [&](const std::string &text) { return readStart(source(text), net); };
  CHECK(init("0/0").anyNumber == std::vector<LocalState>{0});
  CHECK(init("1|3,3/2,1").threads == Threads{{3, 2}});
  CHECK(init("1|3,3/2,1").anyNumber == std::vector<LocalState>{1, 2});
  CHECK(init("0BU0,4").anyNumber == std::vector<LocalState>{0, 4});
  CHECK(init("0|4").anyNumber.empty());
  CHECK(errorOf([&] { init("0|9"); }) == "1:3 no such local state: 9");
  CHECK(errorOf([&] { init("0|1;"); }) == "1:4 expected the end of the line");
  CHECK(errorOf([&] { target(""); }) == "1:1 expected a target");
  CHECK(errorOf([&] { target("1,1"); }) == "1:2 expected '|', found ','");
}

TEST_CASE("tts: targets and initial states are states of the model") {
  const TransferNet net = readTts(source("4 3\n0 0 -> 3 1\n"));
  for (auto read :
       {+[](const std::string &text, const TransferNet &of) { readTargets(source(text), of); },
        +[](const std::string &text, const TransferNet &of) { readStart(source(text), of); }}) {
    CHECK(errorOf([&] { read("9|", net); }) == "1:1 no such shared state: 9");
    CHECK(errorOf([&] { read("4|0", net); }) == "1:1 no such shared state: 4");
    CHECK(errorOf([&] { read("2|9", net); }) == "1:3 no such local state: 9");
    CHECK(errorOf([&] { read("2|1, 3", net); }) == "1:6 no such local state: 3");
    CHECK(errorOf([&] { read("0|4000000000", net); }) == "1:3 no such local state: 4000000000");
    read("3|2,0", net);
  }
  CHECK(errorOf([&] { readTargets(source("3|2\n3|3\n"), net); }) == "2:3 no such local state: 3");
  CHECK(errorOf([&] { readStart(source("3|2/0,3"), net); }) == "1:7 no such local state: 3");
}

TEST_CASE("tts: 700,000 transitions") {
  std::string text = "1000 700\n";
  for (int i = 0; i < 700'000; ++i)
    text += std::to_string(i % 999) + " " + std::to_string(i % 699) + " -> " +
            std::to_string(i % 999 + 1) + " " + std::to_string(i % 699 + 1) + "\n";
  TransferNet net = readTts(source(text));
  REQUIRE(net.transitions.size() == 700'000);
  net.starts = defaultStarts(net);
  auto answer = decideCover({net, {{3, {{3, 2}}}}}, {});
  CHECK(answer.answer == Answer::Safe); // only one thread passes shared state 0
  answer = decideCover({net, {{3, {{3, 1}}}}}, {});
  CHECK(answer.answer == Answer::Unsafe);
}

TEST_CASE("mist: rules become transitions") {
  auto only = [](const std::string &rule) {
    return mist(rule, "x >= 1, y = 0, z = 0", "y >= 1").problem.net.transitions.at(0);
  };
  CHECK(only("x >= 1 -> x' = x - 1, y' = y + 2;") ==
        Transition{0, 0, {{0, 1}}, {{1, 2}}, {}, {}, 3});
  CHECK(only("x >= 2 -> y' = y + 1;") == Transition{0, 0, {{0, 2}}, {{0, 2}, {1, 1}}, {}, {}, 3});
  CHECK(only("x >= 1 -> x' = x - 1, y' = y + z + 1, z' = 0;") ==
        Transition{0, 0, {{0, 1}}, {{1, 1}}, {}, {{2, 1}}, 3});
  CHECK(only("true -> z' = 0;") == Transition{0, 0, {}, {}, {}, {{2, 3}}, 3});
  CHECK(only("true -> x' = x - 3;") == Transition{0, 0, {{0, 3}}, {}, {}, {}, 3});
  CHECK(only("x >= 1 -> x' = y, y' = x;") ==
        Transition{0, 0, {{0, 1}}, {{1, 1}}, {}, {{0, 1}, {1, 0}}, 3});
  CHECK(only("x >= 1, y >= 1 -> x' = 0, y' = 0, z' = x + y + z - 1;") ==
        Transition{0, 0, {{0, 1}, {1, 1}}, {{2, 1}}, {}, {{0, 2}, {1, 2}}, 3});
  CHECK(only("x >= 1 -> ;") == Transition{0, 0, {{0, 1}}, {{0, 1}}, {}, {}, 3});
}

TEST_CASE("mist: starts and targets") {
  auto model = mist("x >= 1 -> x' = x - 1;", "x >= 2, y = 1", "x >= 1, z >= 2\ny >= 3");
  const auto &start = model.problem.net.starts.at(0);
  CHECK(start.threads == Threads{{0, 2}, {1, 1}});
  CHECK(start.anyNumber == std::vector<LocalState>{0, 2});
  CHECK(model.warnings.size() == 1); // about z
  CHECK(model.problem.targets == std::vector<Configuration>{{0, {{0, 1}, {2, 2}}}, {0, {{1, 3}}}});
  CHECK(mist("true -> ;", "x in [1, 3], y = 0, z = 0", "x >= 1").problem.net.starts.size() == 3);
}

TEST_CASE("mist: tests for exact values prove safety, and unsafety only if they are obeyed") {
  auto decide = [](const CoverModel &model) {
    auto answer = decideCover(model.problem, {});
    if (answer.trace && disobeyed(model, *answer.trace))
      return Answer::Unknown;
    return answer.answer;
  };
  const std::string init = "x = 1, y = 0, z = 0";
  CHECK(decide(mist("x = 1, z = 0 -> y' = y + 1, x' = 0;", init, "y >= 2")) == Answer::Safe);
  CHECK(decide(mist("x = 1, z = 0 -> y' = y + 1, x' = 0;", init, "y >= 1")) == Answer::Unsafe);
  CHECK(decide(mist("x = 0 -> y' = y + 1;", init, "y >= 1")) == Answer::Unknown);
  CHECK(decide(mist("x >= 1 -> y' = y + 1;", init, "y = 2")) == Answer::Unsafe);
  CHECK(decide(mist("x >= 1 -> y' = y + 1;", init, "y >= 1, x = 0")) == Answer::Unknown);
}

TEST_CASE("mist: malformed files") {
  CHECK(mistError("rules\n") == "1:1 expected the section 'vars'");
  CHECK(mistError("vars x x\nrules\n") == "1:8 variable 'x' is declared twice");
  CHECK(mistError("vars x\nrules\ny >= 1 -> ;") == "3:1 unknown variable 'y'");
  CHECK(mistError("vars x\nrules\nx > 1 -> ;") == "3:3 expected '>=', '=' or 'in'");
  CHECK(mistError("vars x\nrules\nx >= 1, x >= 2 -> ;") == "3:9 'x' is constrained twice");
  CHECK(mistError("vars x\nrules\nx >= 1 -> x' = 1, x' = 2;") == "3:19 'x' is assigned twice");
  CHECK(mistError("vars x y\nrules\nx >= 1 -> y' = x, x' = x;") ==
        "3 unsupported: a rule cannot add 'x' to two variables");
  CHECK(mistError("vars x\nrules\ninit\nx = 0\ntarget\n") == "6:1 expected a target");
}

} // namespace understudy::specs::net
