// SPDX-License-Identifier: Apache-2.0
#include "tools/report/CodeReport.h"

#include "logic/Error.h"
#include "logic/Render.h"
#include "logic/Words.h"
#include "tools/report/Columns.h"
#include "tools/report/StoryText.h"
#include "tools/report/ViolationText.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace understudy::tools::report {

using compose::Answer;
using passes::ConformAnswer;
using passes::ThreadConformance;
using passes::Unused;
using passes::Vacuity;

namespace {

std::string place(const logic::SourceRange &range) {
  return range.known() ? range.file->name() + ":" + std::to_string(range.begin.line) : "";
}

std::string seconds(double value) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(2) << value << " s";
  return out.str();
}

/// What stands in parentheses behind a thread's answer.
std::string details(const ThreadConformance &thread, options::Verbosity verbosity) {
  if (thread.answer == ConformAnswer::Unknown)
    return thread.reason;
  std::vector<std::string> parts;
  if (thread.function != thread.thread)
    parts.push_back("function " + thread.function);
  if (thread.answer == ConformAnswer::Violates && thread.story) {
    parts.push_back(place(thread.story->range));
  } else {
    parts.push_back(place(thread.range));
    parts.push_back(plural(thread.sharedSteps, "step"));
    if (!thread.invariants.empty())
      parts.push_back(plural(thread.invariants.size(), "invariant"));
  }
  if (verbosity == options::Verbosity::Verbose) {
    parts.push_back(plural(thread.statistics.queries, "solver call"));
    parts.push_back(seconds(thread.statistics.seconds));
  }
  std::erase(parts, "");
  return logic::joined(parts);
}

std::string unusedText(const std::vector<Unused> &parts, const std::string &what) {
  std::string text;
  for (const Unused &part : parts)
    text += "  " + (part.range.known() ? place(part.range) + ": " : "") + what + part.text + "\n";
  return text;
}

std::string vacuityText(const Vacuity &vacuity) {
  return unusedText(vacuity.states, "the code never reaches state ") +
         unusedText(vacuity.edges, "the code never takes ") +
         unusedText(vacuity.guards, "the code never satisfies ") +
         unusedText(vacuity.claims, "no assertion or marker in the code checks ");
}

std::string unreachedText(const std::optional<passes::UnreachedCode> &code) {
  if (!code)
    return "  cannot tell which code is never reached\n";
  std::string text;
  for (const Unused &part : code->never)
    text += "  never reached: " + placed(part) + "\n";
  for (const Unused &part : code->outside)
    text +=
        "  index may be out of bounds, and the code after it is unchecked: " + placed(part) + "\n";
  return text;
}

std::string statedText(const std::vector<passes::StatedInvariantReport> &stated) {
  std::string text;
  for (const passes::StatedInvariantReport &one : stated) {
    text += "  " + place(one.range) + ": " + one.text + ": ";
    switch (one.outcome) {
    case passes::StatedOutcome::Holds:
      text += "holds\n";
      break;
    case passes::StatedOutcome::NotConfirmed:
      text += "not confirmed and not used: the loop may not preserve it, or it needs a stronger "
              "invariant\n";
      break;
    case passes::StatedOutcome::NotNeeded:
      text += "not needed: nothing that is proved depends on it\n";
      break;
    }
  }
  return text;
}

/// One line for each thread, in the order of the contract as far as it is known.
class ThreadLines {
public:
  ThreadLines(const CodeResult &result, options::Verbosity verbosity)
      : result_(result), verbosity_(verbosity) {
    for (const ThreadConformance &thread : result.conformance.threads)
      width_ = std::max(width_, columns(thread.thread));
    for (const auto *names : {&result.standForThemselves, &result.environments})
      for (const std::string &name : *names)
        width_ = std::max(width_, columns(name));
  }

  std::string print() const {
    std::string text;
    for (const ThreadConformance &thread : result_.conformance.threads) {
      std::string more = details(thread, verbosity_);
      text += line(thread.thread,
                   passes::word(thread.answer) + (more.empty() ? "" : " (" + more + ")"));
      text += statedText(thread.stated);
      if (thread.answer == ConformAnswer::Conforms)
        text += unreachedText(thread.unreached);
      if (thread.vacuity)
        text += vacuityText(*thread.vacuity);
    }
    if (result_.command == options::CommandName::Check) {
      for (const std::string &name : result_.standForThemselves)
        text += line(name, "no contract, its code stands for itself");
      for (const std::string &name : result_.environments)
        text += line(name, "environment, has no code");
    }
    return text;
  }

private:
  const CodeResult &result_;
  options::Verbosity verbosity_;
  size_t width_ = 0;

  std::string line(const std::string &name, const std::string &text) const {
    return padded(name + ":", width_ + 1) + "  " + text + "\n";
  }
};

std::string undecidedText(const CodeResult &result) {
  std::string text;
  if (result.undecided && result.undecided->range().known())
    text += logic::render(
        {logic::Severity::Note, result.undecided->range(), "not decided because of this", {}});
  for (const ThreadConformance &thread : result.conformance.threads)
    if (thread.answer == ConformAnswer::Unknown && thread.where.known())
      text += logic::render({logic::Severity::Note,
                             thread.where,
                             thread.thread + ": not decided because of this",
                             {}});
  if (result.composition) {
    const compose::Verdict &verdict = result.composition->contracts.verdict;
    if (verdict.answer == Answer::Unknown && verdict.where.known())
      text += logic::render(
          {logic::Severity::Note, verdict.where, "composition: not decided because of this", {}});
  }
  return text;
}

/// What became of a failure of the contracts in the code.
std::string aboutCode(const Result &code, compose::FailureKind failure) {
  std::string threads =
      code.threads.empty() ? "" : " with " + logic::joined(code.threads, [](const auto &entry) {
                                    return std::to_string(entry.second) + " " + entry.first;
                                  });
  std::string tried = code.verdict.answer == Answer::Safe
                          ? "the code itself" + threads + " does not"
                          : "whether the code itself" + threads + " fails is not known (" +
                                code.verdict.reason + ")";
  return wrapped("note: ",
                 words("the contracts fail; " + tried +
                       ". The code may be correct and the contract " +
                       (failure == compose::FailureKind::Rely ? "wrong." : "too weak.")),
                 6, pageWidth, " ");
}

/// The story of the composition: the code's own if it has one.
std::string compositionStory(const CompositionRun &composition, options::TraceLength length) {
  if (composition.code && composition.code->story)
    return "the contracts fail, and so does the code:\n" +
           storyText(*composition.code->story, length) + "\n";
  if (!composition.contracts.story)
    return "";
  return storyText(*composition.contracts.story, length) +
         (composition.code
              ? aboutCode(*composition.code, composition.contracts.verdict.trace->failure.kind)
              : "") +
         "\n";
}

std::string stories(const CodeResult &result, options::TraceLength length) {
  std::string text;
  if (result.conformance.start)
    text += startText(*result.conformance.start) + "\n";
  for (const ThreadConformance &thread : result.conformance.threads)
    if (thread.answer == ConformAnswer::Violates)
      text += violationText(thread, length) + "\n";
  if (result.composition)
    text += compositionStory(*result.composition, length);
  return text;
}

std::string compositionText(const CodeResult &result, options::Verbosity verbosity) {
  if (result.command != options::CommandName::Check)
    return "";
  if (!result.composition)
    return result.undecided ? "" : "composition: not checked, since the code does not conform\n";
  const compose::Verdict &verdict = result.composition->contracts.verdict;
  std::string why = verdict.answer == Answer::Safe ? verdict.scope : verdict.reason;
  const std::string &annotated = result.composition->contracts.annotated;
  std::string text = (annotated.empty() ? "" : annotated + "\n") +
                     "composition: " + compose::word(verdict.answer) +
                     (why.empty() ? "" : " (" + why + ")") + "\n";
  if (verdict.engine)
    text += engineText(verdict, verbosity, "composition time");
  text += attemptText(result.composition->contracts.attempts);
  return text + (verdict.deadlockChecked ? "deadlock checked\n" : "deadlock not checked\n");
}

std::string plainAccessText(const std::vector<std::string> &accesses,
                            options::Verbosity verbosity) {
  if (accesses.empty())
    return "";
  if (verbosity != options::Verbosity::Verbose)
    return "accesses that need sequential consistency: " + std::to_string(accesses.size()) + "\n";
  std::string text = "accesses that need sequential consistency:\n";
  for (const std::string &access : accesses)
    text += "  - " + access + "\n";
  return text;
}

} // namespace

std::string verdictLine(const CodeResult &result) {
  return "verdict: " + word(result.answer) +
         (result.reason.empty() ? "" : " (" + result.reason + ")");
}

std::string textReport(const CodeResult &result, options::Verbosity verbosity,
                       options::TraceLength length) {
  std::string last = verdictLine(result) + "\n";
  if (verbosity == options::Verbosity::Quiet)
    return last;
  return stories(result, length) + undecidedText(result) + ThreadLines(result, verbosity).print() +
         compositionText(result, verbosity) +
         plainAccessText(result.conformance.plainAccesses, verbosity) +
         assumptionText(result.assumptions) +
         "certificate: " + certificate::text(result.certificate) + "\n" + last;
}

std::string traceText(const CodeResult &result) {
  std::string text = stories(result, options::TraceLength::Full);
  return text.empty() ? "no violation\n" + verdictLine(result) + "\n" : text;
}

} // namespace understudy::tools::report
