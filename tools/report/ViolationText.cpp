// SPDX-License-Identifier: Apache-2.0
#include "tools/report/ViolationText.h"

#include "logic/Error.h"
#include "logic/Render.h"
#include "tools/Files.h"
#include "tools/report/Columns.h"
#include "tools/report/Report.h"

#include <algorithm>

namespace understudy::tools::report {

using passes::ConformStep;
using passes::ConformStory;
using passes::SharedChange;
using passes::SharedValue;
using passes::ViolationKind;

namespace {

constexpr size_t longestStatement = 60;

/// On one line, and cut where nobody reads on.
std::string statement(const std::string &text) {
  std::string line;
  for (const std::string &word : words(text))
    line += (line.empty() ? "" : " ") + word;
  if (columns(line) <= longestStatement)
    return line;
  line.resize(longestStatement - 1);
  while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0x80u) != 0)
    line.pop_back(); // not in the middle of a character
  return line + "…";
}

std::vector<std::string> possible(const std::vector<std::string> &states) {
  if (states.empty())
    return {"possible: none"};
  std::vector<std::string> parts = states;
  parts.front().insert(0, "possible: ");
  return parts;
}

std::vector<std::string> supplied(const std::vector<SharedValue> &values) {
  std::vector<std::string> parts;
  for (const SharedValue &entry : values)
    parts.push_back(entry.variable.name() + " = " +
                    logic::valueText(entry.value, entry.variable.sort()));
  if (!parts.empty())
    parts.front().insert(0, "others: ");
  return parts;
}

std::vector<std::string> happenings(const ConformStep &step) {
  std::vector<std::string> parts;
  for (const SharedChange &change : step.changes)
    parts.push_back(change.variable.name() + ": " +
                    logic::valueText(change.before, change.variable.sort()) + " → " +
                    logic::valueText(change.after, change.variable.sort()));
  parts.insert(parts.end(), step.inputs.begin(), step.inputs.end());
  return parts;
}

/// Columns: number, file and line, statement; then what the others did, what the step did, and what
/// is possible after it, each on a line of its own.
class ViolationPage {
public:
  explicit ViolationPage(const ConformStory &story) : story_(story) {
    number_ = std::max<size_t>(2, std::to_string(story.steps.size()).size());
    for (const ConformStep &step : story.steps) {
      place_ = std::max(place_, columns(shortPlace(step.range)));
      size_t width = columns(statement(step.text));
      if (width <= widestText)
        statement_ = std::max(statement_, width);
    }
  }

  std::string print() const {
    std::string page = row("", "start", "", {possible(story_.initialStates)});
    for (size_t i = 0; i < story_.steps.size(); ++i) {
      const ConformStep &step = story_.steps[i];
      auto lines = i + 1 == story_.steps.size() ? lastLines(step) : linesOf(step);
      page += row(std::to_string(i + 1), shortPlace(step.range), statement(step.text), lines);
    }
    return page;
  }

private:
  using Lines = std::vector<std::vector<std::string>>;
  const ConformStory &story_;
  size_t number_ = 2, place_ = 5, statement_ = 0;

  static Lines linesOf(const ConformStep &step) {
    return {supplied(step.supplied), happenings(step), possible(step.states)};
  }

  /// An assertion fails because of what was read before; what the others do now is of no interest.
  Lines lastLines(const ConformStep &step) const {
    if (story_.kind == ViolationKind::Assertion)
      return {{"fails"}, possible(step.states)};
    if (story_.kind == ViolationKind::Atomic)
      return {supplied(step.supplied), {"fails"}, possible(step.states)};
    return linesOf(step);
  }

  std::string row(const std::string &number, const std::string &place, const std::string &text,
                  const Lines &lines) const {
    std::string head = std::string(number_ - number.size(), ' ') + number + "  " +
                       padded(place, place_) + "  " + padded(text, statement_) + "  ";
    size_t indent = number_ + 2 + place_ + 2 + statement_ + 2;
    std::string page;
    if (columns(head) > indent) {
      page = wrapped(head, {}, indent, pageWidth);
      head = std::string(indent, ' ');
    }
    for (const std::vector<std::string> &parts : lines)
      if (!parts.empty()) {
        page += wrapped(head, parts, indent, pageWidth);
        head = std::string(indent, ' ');
      }
    return page;
  }
};

std::string place(const ConformStory &story) {
  if (languageOf(story.range.file->name()) == Language::Contract)
    return "the contract says so here";
  switch (story.kind) {
  case ViolationKind::Assertion:
  case ViolationKind::Atomic:
    return "this can fail";
  case ViolationKind::Start:
    return "the code starts with this";
  default:
    return "it happens here";
  }
}

std::string ending(const ConformStory &story) {
  std::string text = wrapped("wrong: ", words(story.sentence), 7, pageWidth, " ");
  std::string head = "allowed: ";
  for (const std::string &allowed : story.allowed) {
    text += wrapped(head, words(allowed), 11, pageWidth, " ");
    head = std::string(head.size(), ' ');
  }
  if (story.range.known())
    text += logic::render({logic::Severity::Note, story.range, place(story), {}});
  return text;
}

} // namespace

std::string violationText(const passes::ThreadConformance &thread) {
  std::vector<std::string> head{"thread " + thread.thread, "function " + thread.function};
  if (thread.range.known())
    head.back() += " in " + thread.range.file->name();
  if (thread.story)
    head.push_back(plural(thread.story->steps.size(), "step"));
  std::string text = wrapped("violation: ", head, 11, pageWidth);
  if (thread.story)
    text += "\n" + ViolationPage(*thread.story).print() + "\n" + ending(*thread.story);
  return text;
}

std::string startText(const ConformStory &story) {
  return "violation: the start values of code and contract disagree\n\n" + ending(story);
}

} // namespace understudy::tools::report
