// SPDX-License-Identifier: Apache-2.0
#include "tools/report/Report.h"

#include "logic/Error.h"
#include "logic/Render.h"
#include "tools/ExitCode.h"
#include "tools/report/Columns.h"

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <set>
#include <sstream>
#include <stdexcept>

namespace understudy::tools::report {

using compose::Answer;
using compose::Verdict;

namespace {

std::string equation(const VariableValue &value) {
  return value.variable.name() + " = " + logic::valueText(value.value, value.variable.sort());
}

std::vector<std::string> equations(const std::vector<VariableValue> &values) {
  std::vector<std::string> parts;
  for (const VariableValue &value : values)
    parts.push_back(equation(value));
  return parts;
}

/// The condition of a contract's edge: "!stopped" of "-> Working : !stopped;".
std::string conditionOf(const std::string &edge) {
  size_t colon = edge.find(':');
  if (!edge.starts_with("->") || colon == std::string::npos)
    return "";
  std::string condition = edge.substr(colon + 1);
  condition.erase(0, condition.find_first_not_of(" \t\n"));
  return condition;
}

/// What happened, in pieces between which a line may be broken.
std::vector<std::string> happenings(const StoryStep &step) {
  std::vector<std::string> parts;
  for (const Change &change : step.changes)
    parts.push_back(change.variable.name() + ": " +
                    logic::valueText(change.before, change.variable.sort()) + " → " +
                    logic::valueText(change.after, change.variable.sort()));
  parts.insert(parts.end(), step.notes.begin(), step.notes.end());
  // A contract step that changes nothing is told by its condition.
  if (parts.empty() && step.form == StepForm::Move)
    parts.push_back(conditionOf(step.text));
  return parts;
}

/// The column between the line number and what happened: the move of a contract, or the statement.
std::string middle(const StoryStep &step) {
  if (step.form == StepForm::Move)
    return step.from == step.to ? step.from : step.from + " → " + step.to;
  return step.text;
}

bool isOneFile(const Story &story) {
  std::set<std::string> files;
  for (const StoryStep &step : story.steps)
    if (step.range.known())
      files.insert(step.range.file->name());
  return files.size() <= 1;
}

/// Lays the steps out in columns: number, thread, line, move or statement, what happened.
class StoryPage {
public:
  explicit StoryPage(const Story &story) : story_(story), oneFile_(isOneFile(story)) {
    number_ = std::max<size_t>(2, std::to_string(story.steps.size()).size());
    for (const Actor &thread : story.threads)
      thread_ = std::max(thread_, columns(thread.name));
    for (const StoryStep &step : story.steps) {
      thread_ = std::max(thread_, columns(step.actor.name));
      line_ = std::max(line_, columns(lineText(step.range)));
      if (columns(middle(step)) <= widestText)
        middle_ = std::max(middle_, columns(middle(step)));
    }
  }

  std::string print() const {
    std::string page;
    if (!story_.globals.empty())
      page += row("", "start", "", equations(story_.globals));
    for (const Actor &thread : story_.threads)
      if (!thread.locals.empty())
        page += row("", thread.name, "", equations(thread.locals));
    for (size_t i = 0; i < story_.steps.size(); ++i) {
      const StoryStep &step = story_.steps[i];
      std::string head = prefix(std::to_string(i + 1), step.actor.name, lineText(step.range));
      std::string text = middle(step);
      size_t indent = columns(head) + middle_ + 2;
      auto parts = happenings(step);
      if (columns(text) <= middle_)
        page += wrapped(head + padded(text, middle_) + "  ", parts, indent, pageWidth);
      else
        page += wrapped(head + text, {}, indent, pageWidth) +
                (parts.empty() ? "" : wrapped(std::string(indent, ' '), parts, indent, pageWidth));
    }
    return page;
  }

private:
  const Story &story_;
  bool oneFile_;
  size_t number_ = 2, thread_ = 5, line_ = 0, middle_ = 0;

  std::string lineText(const compose::SourceRange &range) const {
    if (oneFile_)
      return range.known() ? "line " + std::to_string(range.begin.line) : "";
    return shortPlace(range);
  }

  std::string prefix(const std::string &number, const std::string &thread,
                     const std::string &line) const {
    return std::string(number_ - number.size(), ' ') + number + "  " + padded(thread, thread_) +
           "  " + padded(line, line_) + "  ";
  }

  std::string row(const std::string &number, const std::string &thread, const std::string &line,
                  const std::vector<std::string> &parts) const {
    std::string head = prefix(number, thread, line);
    return wrapped(head, parts, columns(head), pageWidth);
  }
};

/// The failure's place is a claim that somebody wrote, not a statement that went wrong.
bool isClaim(compose::FailureKind kind) {
  using Kind = compose::FailureKind;
  return kind == Kind::Assertion || kind == Kind::Invariant || kind == Kind::Exclusion ||
         kind == Kind::Rely;
}

} // namespace

std::string shortPlace(const logic::SourceRange &range) {
  if (!range.known())
    return "";
  return std::filesystem::path(range.file->name()).filename().string() + ":" +
         std::to_string(range.begin.line);
}

std::string plural(uint64_t count, const std::string &noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
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

std::string storyText(const Story &story) {
  std::string text = "counterexample: " + plural(story.steps.size(), "step") + ", " +
                     headCount(story.threads) + "\n\n" + StoryPage(story).print() + "\n";
  text += wrapped("wrong: ", words(story.sentence), 7, pageWidth, " ");
  if (story.range.known())
    text += logic::render({logic::Severity::Note,
                           story.range,
                           isClaim(story.kind) ? "this is violated" : "it happens here",
                           {}});
  return text;
}

std::string textReport(const Result &result, options::Verbosity verbosity) {
  const Verdict &verdict = result.verdict;
  std::string last = verdictLine(verdict) + "\n";
  if (verbosity == options::Verbosity::Quiet)
    return last;
  std::string text;
  if (result.story)
    text += storyText(*result.story) + "\n";
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
