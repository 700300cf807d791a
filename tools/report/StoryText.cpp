// SPDX-License-Identifier: Apache-2.0
#include "tools/report/StoryText.h"

#include "logic/Error.h"
#include "logic/Render.h"
#include "tools/report/Columns.h"
#include "tools/report/Excerpt.h"
#include "tools/report/Report.h"

#include <algorithm>
#include <set>

namespace understudy::tools::report {

namespace {

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

/// What the search for loops compares.
TraceStep traceStep(const StoryStep &step) {
  TraceStep result{std::to_string(step.actor.number) + "\n" + step.from + "\n" + step.to + "\n" +
                       step.text + "\n" + std::to_string(step.range.begin.line),
                   {}};
  StoryStep rest = step;
  rest.changes.clear();
  for (const Change &change : step.changes)
    if (change.variable.sort().isInteger())
      result.counters.push_back(
          {change.variable.name(), change.before.number(), change.after.number()});
    else
      rest.changes.push_back(change);
  for (const std::string &part : happenings(rest))
    result.text += "\n" + part;
  return result;
}

Excerpt excerptOf(const Story &story, options::TraceLength length) {
  if (length == options::TraceLength::Full)
    return everyStep(story.steps.size());
  std::vector<TraceStep> steps;
  for (const StoryStep &step : story.steps)
    steps.push_back(traceStep(step));
  return excerpt(steps);
}

/// Lays the steps out in columns: number, thread, line, move or statement, what happened.
class StoryPage {
public:
  StoryPage(const Story &story, options::TraceLength length)
      : story_(story), length_(length), oneFile_(isOneFile(story)) {
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
    if (auto globals = equations(story_.globals); !globals.empty())
      page += row("", "start", "", globals);
    for (const Actor &thread : story_.threads)
      if (auto locals = equations(thread.locals); !locals.empty())
        page += row("", thread.name, "", locals);
    for (const auto &piece : excerptOf(story_, length_))
      if (const auto *step = std::get_if<OneStep>(&piece))
        page += stepRow(step->index);
      else if (const auto *repeat = std::get_if<Repeat>(&piece))
        page += remark(repeatText(*repeat));
      else
        page += remark(gapText(std::get<Gap>(piece)));
    return page;
  }

private:
  const Story &story_;
  options::TraceLength length_;
  bool oneFile_;
  size_t number_ = 2, thread_ = 5, line_ = 0, middle_ = 0;

  /// Without the variables that play no part in the failure.
  std::vector<std::string> equations(const std::vector<VariableValue> &values) const {
    std::vector<std::string> parts;
    for (const VariableValue &value : values)
      if (length_ == options::TraceLength::Full ||
          std::find(story_.relevant.begin(), story_.relevant.end(), value.variable) !=
              story_.relevant.end())
        parts.push_back(value.variable.name() + " = " +
                        logic::valueText(value.value, value.variable.sort()));
    return parts;
  }

  std::string stepRow(size_t index) const {
    const StoryStep &step = story_.steps[index];
    std::string head = prefix(std::to_string(index + 1), step.actor.name, lineText(step.range));
    std::string text = middle(step);
    size_t indent = columns(head) + middle_ + 2;
    auto parts = happenings(step);
    if (columns(text) <= middle_)
      return wrapped(head + padded(text, middle_) + "  ", parts, indent, pageWidth);
    return wrapped(head + text, {}, indent, pageWidth) +
           (parts.empty() ? "" : wrapped(std::string(indent, ' '), parts, indent, pageWidth));
  }

  std::string remark(const std::string &text) const {
    return wrapped(std::string(number_ + 2, ' '), words(text), number_ + 2, pageWidth, " ");
  }

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

std::string storyText(const Story &story, options::TraceLength length) {
  std::string text = "counterexample: " + plural(story.steps.size(), "step") + ", " +
                     headCount(story.threads) + "\n\n" + StoryPage(story, length).print() + "\n";
  text += wrapped("failure: ", words(story.sentence), 9, pageWidth, " ");
  if (story.range.known())
    text += logic::render({logic::Severity::Note,
                           story.range,
                           isClaim(story.kind) ? "this is violated" : "failure occurs here",
                           {}});
  return text;
}

} // namespace understudy::tools::report
