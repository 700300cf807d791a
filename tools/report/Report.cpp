// SPDX-License-Identifier: Apache-2.0
#include "tools/report/Report.h"

#include "logic/Error.h"
#include "logic/Render.h"
#include "tools/ExitCode.h"
#include "tools/report/StoryText.h"

#include <filesystem>
#include <iomanip>
#include <sstream>
#include <stdexcept>

namespace understudy::tools::report {

using compose::Answer;
using compose::Verdict;

std::string shortPlace(const logic::SourceRange &range) {
  if (!range.known())
    return "";
  return std::filesystem::path(range.file->name()).filename().string() + ":" +
         std::to_string(range.begin.line);
}

bool byCounting(const Verdict &verdict) {
  return verdict.engine == "count" && verdict.statistics.states == 0;
}

std::string engineText(const Verdict &verdict, options::Verbosity verbosity) {
  std::ostringstream out;
  const compose::Statistics &statistics = verdict.statistics;
  out << "engine: " << verdict.engine << ", ";
  if (byCounting(verdict))
    out << plural(statistics.counters, "counter") << ", "
        << plural(statistics.transitions, "transition") << "\n";
  else if (verdict.engine == "refine")
    out << plural(statistics.refinements, "refinement") << ", "
        << plural(statistics.predicates, "predicate") << ", " << plural(statistics.events, "event")
        << "\n";
  else if (verdict.engine == "cover")
    out << plural(statistics.states, "shared state") << ", "
        << plural(statistics.counters, "local state") << ", "
        << plural(statistics.transitions, "transition") << "\n";
  else
    out << plural(statistics.states, "state") << ", "
        << plural(statistics.transitions, "transition") << ", depth " << statistics.depth << "\n";
  if (verbosity == options::Verbosity::Verbose)
    out << "time: " << std::fixed << std::setprecision(2) << statistics.seconds
        << " s, memory: " << (statistics.memoryBytes + (1u << 20) - 1) / (1u << 20) << " MB\n";
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
    text += logic::render({logic::Severity::Note, verdict.where, "this cannot be decided", {}});
  if (!verdict.engine.empty())
    text += engineText(verdict, verbosity);
  if (verbosity == options::Verbosity::Verbose)
    text += iterationText(result.iterations);
  if (verdict.width && result.command == "verify")
    text += "thread width: " + std::to_string(*verdict.width) + "\n";
  text += verdict.deadlockChecked ? "deadlock checked\n" : "deadlock not checked\n";
  text += assumptionText(verdict.assumptions) +
          "certificate: " + certificate::text(result.certificate) + "\n";
  return text + last;
}

} // namespace understudy::tools::report
