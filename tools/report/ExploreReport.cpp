// SPDX-License-Identifier: Apache-2.0
#include "tools/report/ExploreReport.h"

#include "tools/report/Excerpt.h"
#include "tools/report/JsonParts.h"
#include "tools/report/Report.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace understudy::tools::report {

using compose::tnet::Question;

namespace {

bool isReduced(const ExploreRun &run) { return run.options.equivalence == options::Switch::On; }

/// "reached", "not reached"; "violated", "holds"; "unknown".
std::string answerText(const ExploreRun &run, size_t question) {
  const bool never = run.net.questions[question].kind == Question::Kind::Never;
  if (run.result.found[question])
    return never ? "violated" : "reached";
  if (!run.result.complete())
    return "unknown";
  return never ? "holds" : "not reached";
}

std::string kindText(const Question &question) {
  return question.kind == Question::Kind::Never ? "never" : "reach";
}

std::vector<std::string> firedNames(const ExploreRun &run, const compose::tnet::Run &story) {
  std::vector<std::string> names;
  for (const compose::tnet::Firing &firing : story.fired)
    names.push_back(run.net.transitions[firing.transition].name);
  return names;
}

std::string runText(const ExploreRun &run, const compose::tnet::Run &story,
                    options::TraceLength length) {
  constexpr size_t longest = 60, tail = 20;
  const size_t steps = story.fired.size();
  const size_t shown = length == options::TraceLength::Full ? steps : longest;
  const std::vector<std::string> names = firedNames(run, story);
  size_t width = 5;
  for (const std::string &name : names)
    width = std::max(width, name.size());
  std::ostringstream out;
  auto row = [&](const std::string &number, const std::string &what, size_t marking) {
    out << std::setw(5) << number << "  " << what << std::string(width - what.size() + 2, ' ')
        << text(run.net, story.markings[marking]) << "\n";
  };
  row("", "start", 0);
  for (size_t i = 0; i < steps; ++i) {
    if (steps > shown && i == shown - tail) {
      out << "       " << gapText({steps - shown}) << "\n";
      i += steps - shown;
    }
    row(std::to_string(i + 1), names[i], i + 1);
  }
  return out.str();
}

std::string countsText(const ExploreRun &run) {
  const auto &result = run.result;
  std::ostringstream out;
  out << "relations kept: "
      << (isReduced(run) ? text(run.net.relations) : "all, with the ids themselves") << "\n"
      << "states: " << result.states << (result.complete() ? "" : " so far") << "\n"
      << "edges: " << result.edges << "\n"
      << "firings: " << result.firings << "\n"
      << "depth: " << result.depth << "\n"
      << "dead states: " << result.dead;
  if (result.finished != 0)
    out << " (" << result.finished << " with every thread in a final place)";
  out << "\n";
  if (result.notCanonical != 0)
    out << "labellings cut short: " << result.notCanonical
        << " (states that are equivalent may be counted twice)\n";
  if (run.options.verbosity == options::Verbosity::Verbose)
    out << "time: " << std::fixed << std::setprecision(3) << result.seconds
        << " s, of which labelling " << result.labellingSeconds << " s\n";
  return out.str();
}

std::string unboundedText(const ExploreRun &run) {
  const compose::tnet::Unbounded &unbounded = *run.result.unbounded;
  const size_t last = unbounded.run.fired.size();
  return "unbounded: after step " + std::to_string(last) + " there is all that was there " +
         (unbounded.from == 0 ? "at the start" : "after step " + std::to_string(unbounded.from)) +
         ", plus " + unbounded.adds + "; " +
         (last - unbounded.from == 1 ? "the step between" : "the steps between") +
         " can be repeated for ever\n\n" + runText(run, unbounded.run, run.options.trace) + "\n";
}

std::string conclusionText(const ExploreRun &run) {
  const compose::Answer answer = run.result.answer(run.net);
  return "verdict: " + compose::word(answer) +
         (answer == compose::Answer::Unknown ? " (" + run.result.reason() + ")" : "") + "\n";
}

Json stepsJson(const ExploreRun &run, const compose::tnet::Run &story) {
  Json steps = Json::array();
  const std::vector<std::string> names = firedNames(run, story);
  for (size_t i = 0; i < names.size(); ++i)
    steps.push_back(
        {{"transition", names[i]}, {"after", compose::tnet::text(run.net, story.markings[i + 1])}});
  return {{"start", compose::tnet::text(run.net, story.markings.front())}, {"steps", steps}};
}

Json questionsJson(const ExploreRun &run) {
  Json questions = Json::array();
  for (size_t i = 0; i < run.net.questions.size(); ++i) {
    const Question &question = run.net.questions[i];
    const auto &found = run.result.found[i];
    questions.push_back({{"name", question.name},
                         {"kind", kindText(question)},
                         {"answer", answerText(run, i)},
                         {"run", found ? stepsJson(run, *found) : Json(nullptr)}});
  }
  return questions;
}

Json unboundedJson(const ExploreRun &run) {
  if (!run.result.unbounded)
    return nullptr;
  Json json{{"adds", run.result.unbounded->adds}, {"from", run.result.unbounded->from}};
  json["run"] = stepsJson(run, run.result.unbounded->run);
  return json;
}

} // namespace

std::string exploreText(const ExploreRun &run) {
  if (run.options.verbosity == options::Verbosity::Quiet)
    return conclusionText(run);
  std::string out = countsText(run);
  for (size_t i = 0; i < run.net.questions.size(); ++i) {
    const auto &found = run.result.found[i];
    out += kindText(run.net.questions[i]) + " " + run.net.questions[i].name + ": " +
           answerText(run, i) +
           (found ? " after " + plural(found->fired.size(), "step") + "\n\n" +
                        runText(run, *found, run.options.trace) + "\n"
                  : "\n");
  }
  if (run.result.unbounded)
    out += unboundedText(run);
  return out + assumptionText({}) + "certificate: " + certificate::text(run.certificate) + "\n" +
         conclusionText(run);
}

std::string exploreTrace(const ExploreRun &run) {
  std::string out;
  for (size_t i = 0; i < run.result.found.size(); ++i)
    if (run.result.found[i] && run.net.questions[i].kind == Question::Kind::Never)
      out += "never " + run.net.questions[i].name + ":\n" +
             runText(run, *run.result.found[i], options::TraceLength::Full);
  return out.empty() ? "no counterexample\n" + conclusionText(run) : out;
}

std::string exploreJson(const ExploreRun &run) {
  const auto &result = run.result;
  const compose::Answer answer = result.answer(run.net);
  Json relations = Json::array();
  for (compose::tnet::Relation relation : compose::tnet::allRelations)
    if (run.net.relations.has(relation))
      relations.push_back(word(relation));
  Json statistics{{"states", result.states},
                  {"edges", result.edges},
                  {"firings", result.firings},
                  {"depth", result.depth},
                  {"deadStates", result.dead},
                  {"finishedStates", result.finished},
                  {"labellingsCutShort", result.notCanonical}};
  if (run.options.verbosity == options::Verbosity::Verbose) {
    statistics["seconds"] = result.seconds;
    statistics["labellingSeconds"] = result.labellingSeconds;
  }
  Json set = Json::object();
  for (const auto &[name, value] : run.options.set)
    set[name] = value;
  return printed({{"tool", toolJson()},
                  {"command", options::word(options::CommandName::Explore)},
                  {"file", run.options.file},
                  {"set", set},
                  {"equivalence", isReduced(run)},
                  {"relations", relations},
                  {"verdict", compose::word(answer)},
                  {"reason", textOrNull(answer == compose::Answer::Unknown ? result.reason() : "")},
                  {"exitCode", certificate::exitCodeWith(run.certificate, exitCodeOf(answer))},
                  {"statistics", statistics},
                  {"questions", questionsJson(run)},
                  {"unbounded", unboundedJson(run)},
                  {"assumptions", Json::array()},
                  {"certificate", textOrNull(run.certificate.folder)}});
}

} // namespace understudy::tools::report
