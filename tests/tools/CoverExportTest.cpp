// SPDX-License-Identifier: Apache-2.0
//
// Random nets, written in the formats of other tools and read again: the answer stays the same.
#include "tools/exports/CoverExport.h"

#include "compose/cover/Cover.h"
#include "logic/Error.h"
#include "specs/net/CoverModel.h"
#include "specs/net/TtsReader.h"
#include "tests/Support.h"
#include "tests/compose/cover/RandomNet.h"

#include <catch2/catch.hpp>

#include <map>
#include <regex>

namespace understudy::tests {
namespace {

using namespace compose::cover;
using namespace compose::cover::net;
using compose::Answer;

logic::SourceFilePtr source(const std::string &name, const std::string &text) {
  return std::make_shared<const logic::SourceFile>(name, text);
}

Answer answerOf(const CoverProblem &problem) {
  CoverOptions options;
  options.oracle = CoverOptions::Oracle::Off;
  return decideCover(problem, options).answer;
}

CoverProblem readTtsExport(const std::string &text) {
  std::smatch found;
  const std::regex head("^# understudy cover FILE --init \"([^\"]*)\" --target \"([^\"]*)\"\n");
  REQUIRE(std::regex_search(text, found, head));
  CoverProblem problem;
  problem.net = specs::net::readTts(source("export.tts", text));
  problem.net.starts = {specs::net::readStart(source("--init", found[1]), problem.net)};
  problem.targets = specs::net::readTargets(source("--target", found[2]), problem.net);
  return problem;
}

CoverProblem readMistExport(const std::string &text) {
  specs::net::CoverModel model = specs::net::readMist(source("export.spec", text));
  CHECK(model.zeroTests.empty());
  CHECK(model.exactly.empty());
  return std::move(model.problem);
}

/// Reads what the writer writes, one element on a line.
CoverProblem readPnmlExport(const std::string &text) {
  CoverProblem problem;
  problem.net.sharedStates = 1;
  std::map<std::string, LocalState> places;
  std::map<std::string, size_t> steps;
  auto each = [&](const char *pattern, const auto &use) {
    const std::regex regex(pattern);
    for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at)
      use(*at);
  };
  StartSet start;
  each("<place id=\"(\\w+)\">.*", [&](const std::smatch &place) {
    const auto number = static_cast<LocalState>(places.size());
    places[place[1]] = number;
    std::smatch marking;
    const std::string line = place[0];
    if (std::regex_search(line, marking, std::regex("<initialMarking><text>(\\d+)<")))
      start.threads.push_back({number, static_cast<uint32_t>(std::stoul(marking[1]))});
  });
  problem.net.localStates = static_cast<uint32_t>(places.size());
  problem.net.starts = {start};
  each("<transition id=\"(\\w+)\">", [&](const std::smatch &step) {
    steps[step[1]] = problem.net.transitions.size();
    problem.net.transitions.emplace_back();
  });
  each("source=\"(\\w+)\" target=\"(\\w+)\">(?:<inscription><text>(\\d+))?",
       [&](const std::smatch &arc) {
         const uint32_t count =
             arc[3].matched ? static_cast<uint32_t>(std::stoul(arc[3])) : uint32_t{1};
         if (places.contains(arc[1]))
           problem.net.transitions[steps.at(arc[2])].consumes.push_back({places[arc[1]], count});
         else
           problem.net.transitions[steps.at(arc[1])].produces.push_back({places[arc[2]], count});
       });
  for (Transition &transition : problem.net.transitions) {
    std::sort(transition.consumes.begin(), transition.consumes.end());
    std::sort(transition.produces.begin(), transition.produces.end());
  }
  each("<!-- target: (.*) -->", [&](const std::smatch &target) {
    Configuration configuration;
    const std::string line = target[1];
    const std::regex part("(\\w+) &gt;= (\\d+)");
    for (std::sregex_iterator at(line.begin(), line.end(), part), end; at != end; ++at)
      configuration.threads.push_back(
          {places.at((*at)[1]), static_cast<uint32_t>(std::stoul((*at)[2]))});
    std::sort(configuration.threads.begin(), configuration.threads.end());
    problem.targets.push_back(configuration);
  });
  return problem;
}

template <typename Write, typename Read>
void roundTrip(const Write &write, const Read &read, size_t leastPercent) {
  size_t compared = 0;
  size_t unsafe = 0;
  const size_t all = runs(3000);
  for (size_t i = 0; i < all; ++i) {
    const uint64_t seed = seedOf(i);
    const CoverProblem problem = randomCoverProblem(seed);
    std::string text;
    try {
      text = write(problem);
    } catch (const logic::Unsupported &) {
      continue;
    }
    INFO("seed " << seed << "\n" << describe(problem) << "\n" << text);
    const Answer expected = answerOf(problem);
    CHECK(answerOf(read(text)) == expected);
    ++compared;
    unsafe += expected == Answer::Unsafe ? 1 : 0;
  }
  INFO(compared << " of " << all << " compared, " << unsafe << " unsafe");
  CHECK(compared * 100 >= all * leastPercent);
  CHECK(unsafe * 10 >= compared);
  CHECK(unsafe * 10 <= compared * 9);
}

CoverProblem withOne(const Transition &transition) {
  CoverProblem problem;
  problem.net.sharedStates = 1;
  problem.net.localStates = 3;
  problem.net.transitions = {transition};
  problem.net.starts = {{0, {{0, 1}}, {1}}};
  problem.targets = {{0, {{2, 1}}}};
  return problem;
}

} // namespace

TEST_CASE("export: nets as thread transition systems mean the same") {
  roundTrip(tools::exports::ttsText, readTtsExport, 15);
}

TEST_CASE("export: nets in mist's format mean the same") {
  roundTrip(tools::exports::mistText, readMistExport, 20);
}

TEST_CASE("export: nets as PNML mean the same") {
  roundTrip(tools::exports::coverPnmlText, readPnmlExport, 10);
}

TEST_CASE("export: the text of a small net") {
  const CoverProblem problem = withOne({0, 0, {{0, 1}}, {{2, 1}}, {}, {{1, 2}}, 1});
  CHECK(tools::exports::ttsText(problem) ==
        "# understudy cover FILE --init \"0|0/1\" --target \"0|2\"\n"
        "1 3\n"
        "0 0 -> 0 2 1 ~> 2\n");
  CHECK(tools::exports::mistText(problem) == "vars\n  s0 l0 l1 l2\n\n"
                                             "rules\n"
                                             "  l0 >= 1, s0 >= 1 ->\n"
                                             "    l0' = l0 - 1,\n"
                                             "    l1' = 0,\n"
                                             "    l2' = l1 + l2 + 1;\n\n"
                                             "init\n"
                                             "  s0 = 1,\n  l0 = 1,\n  l1 >= 0,\n  l2 = 0\n\n"
                                             "target\n"
                                             "  l2 >= 1, s0 >= 1\n");
}

TEST_CASE("export: what a format cannot say is refused") {
  const CoverProblem signal = withOne({0, 0, {}, {}, {{0, 2}}, {}, 1});
  CHECK_THROWS_WITH(tools::exports::ttsText(signal),
                    Catch::StartsWith("a signal, which wakes one thread"));
  CHECK_THROWS_WITH(tools::exports::mistText(signal),
                    Catch::EndsWith("cannot be expressed in mist's format"));
  CHECK_THROWS_WITH(tools::exports::coverPnmlText(signal),
                    Catch::EndsWith("cannot be expressed in a place/transition net"));
  const CoverProblem choice = withOne({0, 0, {}, {}, {}, {{0, 1}, {0, 2}}, 1});
  CHECK_THROWS_WITH(tools::exports::mistText(choice), Catch::Contains("one of several places"));
  CHECK_THROWS_WITH(tools::exports::coverPnmlText(choice),
                    Catch::StartsWith("a broadcast, which moves all"));
  const CoverProblem source = withOne({0, 0, {}, {{2, 1}}, {}, {}, 1});
  CHECK_THROWS_WITH(tools::exports::ttsText(source),
                    Catch::StartsWith("a step that creates threads"));
}

} // namespace understudy::tests
