// SPDX-License-Identifier: Apache-2.0
#include "tools/report/ViolationText.h"

#include "logic/Error.h"
#include "logic/Render.h"
#include "tools/Files.h"
#include "tools/report/Columns.h"
#include "tools/report/Excerpt.h"
#include "tools/report/Report.h"

#include <algorithm>
#include <cctype>
#include <map>

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

std::vector<std::string> headed(const std::string &head, std::vector<std::string> parts) {
  if (!parts.empty())
    parts.front().insert(0, head);
  return parts;
}

std::vector<std::string> possible(const std::vector<std::string> &states) {
  return headed("possible: ", states.empty() ? std::vector<std::string>{"none"} : states);
}

std::string equation(logic::Variable variable, const logic::Value &value) {
  return variable.name() + " = " + logic::valueText(value, variable.sort());
}

std::vector<std::string> supplied(const std::vector<SharedValue> &values) {
  std::vector<std::string> parts;
  for (const SharedValue &entry : values)
    parts.push_back(equation(entry.variable, entry.value));
  return headed("others: ", parts);
}

std::string changeText(const SharedChange &change) {
  return change.variable.name() + ": " + logic::valueText(change.before, change.variable.sort()) +
         " → " + logic::valueText(change.after, change.variable.sort());
}

std::vector<std::string> effectsOf(const ConformStep &step) {
  std::vector<std::string> parts;
  for (const SharedChange &change : step.changes)
    parts.push_back(changeText(change));
  parts.insert(parts.end(), step.inputs.begin(), step.inputs.end());
  return parts;
}

bool isIn(const std::vector<std::string> &names, const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Is the name a word of the text?
bool speaksOf(const std::string &text, const std::string &name) {
  auto inWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    size_t end = at + name.size();
    if ((at == 0 || !inWord(text[at - 1])) && (end == text.size() || !inWord(text[end])))
      return true;
  }
  return false;
}

/// What a step says to the right of its statement, each entry on a line of its own.
using Lines = std::vector<std::vector<std::string>>;

/// The lines of each step. An excerpt shows the value of a variable where a step uses it, unless
/// the reader knows it already, and the possible states where they change.
class StepLines {
public:
  StepLines(const ConformStory &story, options::TraceLength length)
      : story_(story), length_(length), states_(story.initialStates) {}

  /// To be called for each step, in order.
  Lines next(const ConformStep &step) {
    bool last = &step == &story_.steps.back();
    Lines lines = values(step, last);
    if (!last || (story_.kind != ViolationKind::Assertion && story_.kind != ViolationKind::Atomic))
      lines.push_back(effectsOf(step));
    else
      lines.push_back({"fails"});
    if (length_ == options::TraceLength::Full || step.states != states_)
      lines.push_back(possible(step.states));
    states_ = step.states;
    return lines;
  }

private:
  const ConformStory &story_;
  options::TraceLength length_;
  std::vector<std::string> states_;
  std::map<logic::Variable, logic::Value> values_; ///< as they are
  std::map<logic::Variable, logic::Value> known_;  ///< as the reader was told last

  /// An assertion fails because of what was read before, wherever the others are now.
  Lines values(const ConformStep &step, bool last) {
    bool plainClaim = last && story_.kind == ViolationKind::Assertion;
    if (length_ == options::TraceLength::Full)
      return plainClaim ? Lines{} : Lines{supplied(step.supplied)};
    for (const SharedValue &entry : step.supplied)
      values_.insert_or_assign(entry.variable, entry.value);
    std::vector<std::string> fresh, changed;
    for (const auto &[variable, value] : values_) {
      if (plainClaim || !matters(step, last, variable.name()))
        continue;
      auto known = known_.find(variable);
      if (known == known_.end() && !isChanged(step, variable))
        fresh.push_back(equation(variable, value));
      else if (known != known_.end() && known->second != value)
        changed.push_back(equation(variable, value));
      known_.insert_or_assign(variable, value);
    }
    for (const SharedChange &change : step.changes) {
      values_.insert_or_assign(change.variable, change.after);
      known_.insert_or_assign(change.variable, change.after);
    }
    return {headed("with ", fresh), headed("others: ", changed)};
  }

  static bool isChanged(const ConformStep &step, logic::Variable variable) {
    return std::any_of(step.changes.begin(), step.changes.end(),
                       [&](const SharedChange &change) { return change.variable == variable; });
  }

  bool matters(const ConformStep &step, bool last, const std::string &name) const {
    auto mentions = [&](const std::string &allowed) { return speaksOf(allowed, name); };
    return isIn(step.uses, name) ||
           (last && std::any_of(story_.allowed.begin(), story_.allowed.end(), mentions));
  }
};

/// Columns: number, file and line, statement; then what the others did, what the step did, and what
/// is possible after it, each on a line of its own.
class ViolationPage {
public:
  ViolationPage(const ConformStory &story, options::TraceLength length)
      : story_(story), length_(length) {
    number_ = std::max<size_t>(2, std::to_string(story.steps.size()).size());
    for (const ConformStep &step : story.steps) {
      place_ = std::max(place_, columns(shortPlace(step.range)));
      size_t width = columns(statement(step.text));
      if (width <= widestText)
        statement_ = std::max(statement_, width);
    }
  }

  std::string print() const {
    StepLines told(story_, length_);
    std::vector<Lines> lines;
    for (const ConformStep &step : story_.steps)
      lines.push_back(told.next(step));
    std::string page = row("", "start", "", {possible(story_.initialStates)});
    for (const auto &piece : excerptOf(lines))
      if (const auto *one = std::get_if<OneStep>(&piece)) {
        const ConformStep &step = story_.steps[one->index];
        page += row(std::to_string(one->index + 1), shortPlace(step.range), statement(step.text),
                    lines[one->index]);
      } else if (const auto *repeat = std::get_if<Repeat>(&piece)) {
        page += remark(repeatText(*repeat));
      } else {
        page += remark(gapText(std::get<Gap>(piece)));
      }
    return page;
  }

private:
  const ConformStory &story_;
  options::TraceLength length_;
  size_t number_ = 2, place_ = 5, statement_ = 0;

  Excerpt excerptOf(const std::vector<Lines> &lines) const {
    if (length_ == options::TraceLength::Full)
      return everyStep(lines.size());
    std::vector<TraceStep> steps;
    for (size_t i = 0; i < lines.size(); ++i)
      steps.push_back(traceStep(story_.steps[i], lines[i]));
    return excerpt(steps);
  }

  /// Numbers that the step changes are counters; everything else is text.
  static TraceStep traceStep(const ConformStep &step, const Lines &lines) {
    TraceStep result{shortPlace(step.range) + "\n" + step.text, {}};
    std::vector<std::string> counted;
    for (const SharedChange &change : step.changes)
      if (change.variable.sort().isInteger()) {
        result.counters.push_back(
            {change.variable.name(), change.before.number(), change.after.number()});
        counted.push_back(changeText(change));
      }
    for (const std::vector<std::string> &line : lines)
      for (const std::string &part : line)
        if (!isIn(counted, part))
          result.text += "\n" + part;
    return result;
  }

  std::string remark(const std::string &text) const {
    return wrapped(std::string(number_ + 2, ' '), words(text), number_ + 2, pageWidth, " ");
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
    // A step of which there is nothing to say.
    return page.empty() ? wrapped(head, {}, indent, pageWidth) : page;
  }
};

std::string remarkOn(const ConformStory &story) {
  if (languageOf(story.range.file->name()) == Language::Contract)
    return "stated here in the contract";
  switch (story.kind) {
  case ViolationKind::Assertion:
  case ViolationKind::Atomic:
    return "this can fail";
  case ViolationKind::Start:
    return "initial value in the code";
  default:
    return "violation occurs here";
  }
}

std::string ending(const ConformStory &story) {
  std::string text = wrapped("failure: ", words(story.sentence), 9, pageWidth, " ");
  std::string head = "allowed: ";
  for (const std::string &allowed : story.allowed) {
    text += wrapped(head, words(allowed), 11, pageWidth, " ");
    head = std::string(head.size(), ' ');
  }
  if (story.range.known())
    text += logic::render({logic::Severity::Note, story.range, remarkOn(story), {}});
  return text;
}

} // namespace

std::string violationText(const passes::ThreadConformance &thread, options::TraceLength length) {
  std::vector<std::string> head{"thread " + thread.thread, "function " + thread.function};
  if (thread.range.known())
    head.back() += " in " + thread.range.file->name();
  if (thread.story)
    head.push_back(plural(thread.story->steps.size(), "step"));
  std::string text = wrapped("violation: ", head, 11, pageWidth);
  if (thread.story)
    text += "\n" + ViolationPage(*thread.story, length).print() + "\n" + ending(*thread.story);
  return text;
}

std::string startText(const ConformStory &story) {
  return "violation: the initial values of code and contract differ\n\n" + ending(story);
}

} // namespace understudy::tools::report
