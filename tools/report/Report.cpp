// SPDX-License-Identifier: Apache-2.0
#include "tools/report/Report.h"

#include "logic/Error.h"
#include "logic/Render.h"
#include "tools/ExitCode.h"
#include "tools/report/JsonParts.h"
#include "tools/report/StoryText.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <iomanip>
#include <sstream>
#include <stdexcept>

namespace understudy::tools::report {

using compose::Answer;
using compose::Verdict;

namespace {

/// "explicit, 34 states, 20 transitions, depth 7".
std::string countText(compose::EngineName name, const compose::Statistics &statistics) {
  std::string text = compose::word(name);
  for (const compose::portfolio::NamedCount &count :
       compose::portfolio::engineOf(name).counts(statistics))
    text += ", " + (count.noun.empty() ? count.key + " " + std::to_string(count.count)
                                       : plural(count.count, count.noun));
  return text;
}

} // namespace

std::string shortPlace(const logic::SourceRange &range) {
  if (!range.known())
    return "";
  return std::filesystem::path(range.file->name()).filename().string() + ":" +
         std::to_string(range.begin.line);
}

std::string attemptText(const std::vector<compose::portfolio::Attempt> &attempts) {
  std::string text;
  for (const compose::portfolio::Attempt &attempt : attempts)
    text += "engine: " + countText(attempt.engine, attempt.statistics) +
            "; no answer: " + attempt.reason + "\n";
  return text;
}

std::string engineText(const Verdict &verdict, options::Verbosity verbosity,
                       const std::string &time) {
  std::ostringstream out;
  const compose::Statistics &statistics = verdict.statistics;
  out << "engine: " << countText(verdict.engine.value(), statistics) << "\n";
  if (verbosity == options::Verbosity::Verbose)
    out << time << ": " << std::fixed << std::setprecision(2) << statistics.seconds
        << " s, memory: " << (statistics.memoryBytes + (1u << 20) - 1) / (1u << 20) << " MB\n";
  return out.str();
}

std::string timeText(double seconds, options::Verbosity verbosity) {
  if (verbosity != options::Verbosity::Verbose)
    return "";
  std::ostringstream out;
  out << "time: " << std::fixed << std::setprecision(2) << seconds << " s\n";
  return out.str();
}

std::string assumptionText(const std::vector<std::string> &assumptions) {
  if (assumptions.empty())
    return "assumptions: none\n";
  std::string text = "assumptions:\n";
  for (const std::string &assumption : assumptions)
    text += "  - " + assumption + "\n";
  return text;
}

std::string iterationText(const std::vector<compose::refine::RefineIteration> &iterations) {
  using Outcome = compose::refine::AbstractionResult::Outcome;
  std::ostringstream out;
  out << std::fixed << std::setprecision(2);
  for (const compose::refine::RefineIteration &iteration : iterations) {
    const compose::refine::AbstractionStatistics &cost = iteration.statistics;
    out << "  width " << iteration.limit << ", " << compose::petri::word(iteration.specification)
        << ": "
        << (iteration.outcome == Outcome::Holds      ? "holds"
            : iteration.outcome == Outcome::Violated ? "violated"
                                                     : "open")
        << ", " << plural(cost.refinements, "refinement") << ", "
        << plural(cost.predicates, "predicate") << ", " << plural(cost.events, "event") << ", "
        << plural(cost.conditions, "condition") << ", " << cost.seconds << " s\n";
  }
  return out.str();
}

std::string annotationText(const std::optional<compose::empire::AnnotateStatistics> &annotation) {
  if (!annotation)
    return "";
  std::ostringstream out;
  out << std::fixed << std::setprecision(2) << "annotation: " << plural(annotation->ghosts, "ghost")
      << ", " << plural(annotation->updates, "update") << ", size " << annotation->size
      << " (naive " << annotation->naiveSize << "), "
      << plural(annotation->obligations, "obligation") << ", "
      << plural(annotation->markings, "marking") << ", "
      << plural(annotation->configurations, "configuration") << ", "
      << plural(annotation->states, "ghost state") << ", " << annotation->seconds << " s\n";
  return out.str();
}

int exitCodeOf(Answer answer) {
  switch (answer) {
  case Answer::Safe:
    return Proven;
  case Answer::Unsafe:
    return Violation;
  case Answer::Unknown:
    return Undecided;
  }
  throw std::logic_error("unknown answer");
}

std::string verdictLine(const Verdict &verdict) {
  std::string why = verdict.answer == Answer::Safe      ? verdict.scope
                    : verdict.answer == Answer::Unknown ? verdict.reason
                                                        : "";
  return "verdict: " + compose::word(verdict.answer) + (why.empty() ? "" : " (" + why + ")");
}

std::string textReport(const Result &result, options::Verbosity verbosity,
                       options::TraceLength length) {
  const Verdict &verdict = result.verdict;
  std::string last = verdictLine(verdict) + "\n";
  if (verbosity == options::Verbosity::Quiet)
    return last;
  std::string text;
  if (result.story)
    text += storyText(*result.story, length) + "\n";
  if (verdict.answer == Answer::Unknown && verdict.where.known())
    text +=
        logic::render({logic::Severity::Note, verdict.where, "not decided because of this", {}});
  if (!result.annotated.empty())
    text += result.annotated + "\n";
  if (verdict.engine)
    text += engineText(verdict, verbosity);
  text += attemptText(result.attempts);
  if (verbosity == options::Verbosity::Verbose)
    text += iterationText(result.iterations) + annotationText(result.annotation);
  if (verdict.width && result.command == options::CommandName::Verify)
    text += "thread width: " + std::to_string(*verdict.width) + "\n";
  text += verdict.deadlockChecked ? "deadlock checked\n" : "deadlock not checked\n";
  text += assumptionText(verdict.assumptions) +
          "certificate: " + certificate::text(result.certificate) + "\n";
  return text + last;
}

std::string jsonReport(const Result &result, options::Verbosity verbosity) {
  const compose::Verdict &verdict = result.verdict;
  Json report{
      {"tool", toolJson()},
      {"command", options::word(result.command)},
      {"file", result.file},
      {"system", textOrNull(result.system)},
      {"threads", numbersJson(result.threads)},
      {"verdict", compose::word(verdict.answer)},
      {"reason", textOrNull(verdict.reason)},
      {"where", rangeJson(verdict.where)},
      {"scope", textOrNull(verdict.scope)},
      {"exitCode", certificate::exitCodeWith(result.certificate, exitCodeOf(verdict.answer))},
  };
  addEngineJson(report, result, verbosity);
  if (verdict.engine == compose::EngineName::Refine)
    report["iterations"] = iterationsJson(result.iterations, verbosity);
  if (!result.annotated.empty())
    report["annotated"] = result.annotated;
  report["assumptions"] = verdict.assumptions;
  report["certificate"] = textOrNull(result.certificate.folder);
  report["counterexample"] = result.story ? storyJson(*result.story) : Json(nullptr);
  return printed(report);
}

} // namespace understudy::tools::report
