// SPDX-License-Identifier: Apache-2.0
#include "tools/report/CoverReport.h"

#include "compose/cover/Configurations.h"
#include "logic/Words.h"
#include "tools/report/Excerpt.h"
#include "tools/report/JsonParts.h"
#include "tools/report/Report.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace understudy::tools::report {

using namespace compose::cover;
using compose::Answer;

namespace {

/// "(1 | 0, 2)"; of a net whose local states have names, "x = 3, y = 1".
std::string stateText(const compose::cover::net::TransferNet &net,
                      const compose::cover::net::Configuration &configuration) {
  if (net.localNames.empty())
    return compose::cover::text(configuration);
  if (configuration.threads.empty())
    return "all 0";
  return logic::joined(configuration.threads, [&](const compose::cover::net::Group &group) {
    return net.localNames[group.local] + " = " + std::to_string(group.count);
  });
}

uint64_t mostThreads(const std::vector<compose::cover::net::Configuration> &configurations) {
  uint64_t most = 0;
  for (const compose::cover::net::Configuration &configuration : configurations)
    most = std::max(most, compose::cover::finiteCount(configuration.threads));
  return most;
}

/// The line of a thread transition system is a transition; a rule of mist's may be longer.
std::string transitionText(const CoverRun &run, const compose::cover::net::Transition &transition) {
  std::string line(run.source->line(transition.origin));
  line = line.substr(0, line.find('#'));
  auto first = line.find_first_not_of(" \t\r"), last = line.find_last_not_of(" \t\r");
  line = first == std::string::npos ? "" : line.substr(first, last - first + 1);
  return line.size() > widestText ? line.substr(0, widestText - 3) + "..." : line;
}

std::string storyText(const CoverRun &run) {
  constexpr size_t longest = 60, tail = 20;
  size_t shown =
      run.options.trace == options::TraceLength::Full ? run.answer.trace->fired.size() : longest;
  const compose::cover::net::CoverTrace &trace = *run.answer.trace;
  const compose::cover::net::TransferNet &net = run.model.problem.net;
  std::ostringstream out;
  uint64_t begin = compose::cover::finiteCount(trace.after.front().threads),
           most = mostThreads(trace.after);
  out << "firing sequence: " << plural(trace.fired.size(), "step") << ", "
      << plural(begin, "thread") << (most > begin ? " at the start, at most " : "")
      << (most > begin ? std::to_string(most) : "") << "\n\n";
  auto left = [&](size_t i) {
    const compose::cover::net::Transition &transition = net.transitions[trace.fired[i]];
    return "line " + std::to_string(transition.origin) + "  " + transitionText(run, transition);
  };
  size_t width = 5;
  for (size_t i = 0; i < trace.fired.size(); ++i)
    width = std::max(width, left(i).size());
  auto row = [&](const std::string &number, const std::string &what,
                 const compose::cover::net::Configuration &after) {
    out << std::setw(4) << number << "  " << what << std::string(width - what.size() + 2, ' ')
        << stateText(net, after) << "\n";
  };
  row("", "start", trace.after.front());
  for (size_t i = 0; i < trace.fired.size(); ++i) {
    if (trace.fired.size() > shown && i == shown - tail) {
      size_t hidden = trace.fired.size() - shown;
      out << "      " << gapText({hidden}) << "\n";
      i += hidden;
    }
    row(std::to_string(i + 1), left(i), trace.after[i + 1]);
  }
  out << "\n";
  return out.str();
}

std::string engineText(const CoverRun &run) {
  const compose::cover::CoverStatistics &statistics = run.answer.statistics;
  std::ostringstream out;
  out << "engine: cover";
  if (!run.answer.decidedBy.empty())
    out << " (" << run.answer.decidedBy << ")";
  out << ", " << plural(statistics.search.vertices, "configuration") << " backwards, "
      << plural(statistics.oracleNodes, "node") << " forwards\n";
  if (run.options.verbosity == options::Verbosity::Verbose)
    out << "search: " << statistics.search.iterations << " expanded, "
        << plural(statistics.search.candidates, "candidate") << ", "
        << plural(statistics.search.retreats, "retreat") << ", longest path "
        << statistics.search.longestPath << "\ntransitions: " << statistics.usefulTransitions
        << " of " << run.model.problem.net.transitions.size() << " relevant\ntime: " << std::fixed
        << std::setprecision(3) << statistics.seconds << " s\n";
  return out.str();
}

std::string verdictText(const compose::cover::CoverAnswer &answer) {
  return "verdict: " + compose::word(answer.answer) +
         (answer.reason.empty() ? "" : " (" + answer.reason + ")") + "\n";
}

Json coverStatisticsJson(const CoverRun &run) {
  const compose::cover::CoverStatistics &statistics = run.answer.statistics;
  Json json{{"vertices", statistics.search.vertices},
            {"mostVertices", statistics.search.mostVertices},
            {"expanded", statistics.search.iterations},
            {"candidates", statistics.search.candidates},
            {"retreats", statistics.search.retreats},
            {"longestPath", statistics.search.longestPath},
            {"usefulTransitions", statistics.usefulTransitions},
            {"oracleNodes", statistics.oracleNodes}};
  if (run.options.verbosity == options::Verbosity::Verbose)
    json["seconds"] = statistics.seconds;
  return json;
}

Json traceJson(const CoverRun &run) {
  if (!run.answer.trace)
    return nullptr;
  const compose::cover::net::CoverTrace &trace = *run.answer.trace;
  const compose::cover::net::TransferNet &net = run.model.problem.net;
  Json steps = Json::array();
  for (size_t i = 0; i < trace.fired.size(); ++i) {
    const compose::cover::net::Transition &transition = net.transitions[trace.fired[i]];
    steps.push_back({{"line", transition.origin},
                     {"transition", transitionText(run, transition)},
                     {"after", stateText(net, trace.after[i + 1])}});
  }
  return {{"threads", compose::cover::finiteCount(trace.after.front().threads)},
          {"mostThreads", mostThreads(trace.after)},
          {"start", stateText(net, trace.after.front())},
          {"steps", steps}};
}

Json proofJson(const CoverRun &run) {
  if (const auto &equation = run.answer.stateEquation)
    return {{"transitions", equation->transitions.size()}, {"traps", equation->traps.size()}};
  if (!run.answer.proof)
    return nullptr;
  const auto &configurations = run.answer.proof->uncoverable;
  return {{"configurations", configurations.size()}, {"mostThreads", mostThreads(configurations)}};
}

} // namespace

std::string coverText(const CoverRun &run) {
  const compose::cover::CoverAnswer &answer = run.answer;
  if (run.options.verbosity == options::Verbosity::Quiet)
    return verdictText(answer);
  std::string out;
  if (answer.trace && answer.answer == Answer::Unsafe)
    out += storyText(run);
  if (answer.proof)
    out += "proof: " + plural(answer.proof->uncoverable.size(), "uncoverable configuration") +
           ", at most " + plural(mostThreads(answer.proof->uncoverable), "thread") + "\n";
  if (answer.stateEquation)
    out += "proof: state equation over " +
           plural(answer.stateEquation->transitions.size(), "transition") + ", " +
           plural(answer.stateEquation->traps.size(), "trap") + "\n";
  out += engineText(run) + assumptionText({}) +
         "certificate: " + certificate::text(run.certificate) + "\n";
  return out + verdictText(answer);
}

std::string coverJson(const CoverRun &run) {
  const compose::cover::CoverAnswer &answer = run.answer;
  Json targets = Json::array();
  for (const compose::cover::net::Configuration &target : run.model.problem.targets)
    targets.push_back(stateText(run.model.problem.net, target));
  Json report{{"tool", toolJson()},
              {"command", options::word(options::CommandName::Cover)},
              {"file", run.options.file},
              {"targets", targets},
              {"verdict", compose::word(answer.answer)},
              {"reason", textOrNull(answer.reason)},
              {"exitCode", certificate::exitCodeWith(run.certificate, exitCodeOf(answer.answer))},
              {"engine", compose::word(compose::EngineName::Cover)},
              {"decidedBy", textOrNull(answer.decidedBy)},
              {"statistics", coverStatisticsJson(run)},
              {"assumptions", Json::array()},
              {"certificate", textOrNull(run.certificate.folder)},
              {"proof", proofJson(run)},
              {"firingSequence", answer.answer == Answer::Unsafe ? traceJson(run) : nullptr}};
  return printed(report);
}

} // namespace understudy::tools::report
