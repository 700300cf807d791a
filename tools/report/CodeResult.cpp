// SPDX-License-Identifier: Apache-2.0
#include "tools/report/CodeResult.h"

#include "logic/Words.h"
#include "tools/ExitCode.h"

#include <algorithm>
#include <stdexcept>

namespace understudy::tools::report {

using compose::Answer;
using passes::ConformAnswer;
using passes::ConformStory;
using passes::ThreadConformance;
using passes::ViolationKind;

namespace {

void addUnique(std::vector<std::string> &list, const std::string &text) {
  if (std::find(list.begin(), list.end(), text) == list.end())
    list.push_back(text);
}

/// Two threads may share a function.
std::vector<std::string> withoutDuplicates(const std::vector<std::string> &list) {
  std::vector<std::string> result;
  for (const std::string &text : list)
    addUnique(result, text);
  return result;
}

/// "A: why", and how many threads are in the same situation.
std::string firstOf(const std::vector<std::string> &reasons) {
  if (reasons.size() < 2)
    return reasons.empty() ? "" : reasons.front();
  return reasons.front() + "; and " + plural(reasons.size() - 1, "more thread");
}

std::vector<std::string> violations(const passes::ConformResult &conformance) {
  std::vector<std::string> reasons;
  if (conformance.start)
    reasons.push_back(shortReason(*conformance.start));
  for (const ThreadConformance &thread : conformance.threads)
    if (thread.answer == ConformAnswer::Violates)
      reasons.push_back(thread.thread + ": " +
                        (thread.story ? shortReason(*thread.story) : "it does not conform"));
  return reasons;
}

void setUnknown(CodeResult &result, const std::string &reason, const logic::SourceRange &where) {
  result.answer = CodeAnswer::Unknown;
  result.reason = reason;
  result.where = where;
}

bool judgeUnknownThreads(CodeResult &result) {
  std::vector<std::string> reasons;
  logic::SourceRange where;
  for (const ThreadConformance &thread : result.conformance.threads)
    if (thread.answer == ConformAnswer::Unknown) {
      if (reasons.empty())
        where = thread.where;
      reasons.push_back(thread.thread + ": " + thread.reason);
    }
  if (!reasons.empty())
    setUnknown(result, firstOf(reasons), where);
  return !reasons.empty();
}

bool codeGoesWrong(const CompositionRun &composition) {
  const Result &code = composition.code ? *composition.code : composition.contracts;
  bool isCode = composition.code || !composition.hasContracts;
  return isCode && code.verdict.answer == Answer::Unsafe;
}

void judgeComposition(CodeResult &result) {
  const compose::Verdict &verdict = result.composition->contracts.verdict;
  switch (verdict.answer) {
  case Answer::Safe:
    result.answer = CodeAnswer::Safe;
    result.reason = verdict.scope;
    return;
  case Answer::Unsafe:
    result.answer = CodeAnswer::Unsafe;
    result.reason = "contracts";
    return;
  case Answer::Unknown:
    setUnknown(result, verdict.reason, verdict.where);
    return;
  }
}

void judgeFindings(CodeResult &result) {
  if (auto reasons = violations(result.conformance); !reasons.empty()) {
    result.answer = CodeAnswer::Violates;
    result.reason = firstOf(reasons);
  } else if (result.composition && codeGoesWrong(*result.composition)) {
    result.answer = CodeAnswer::Unsafe;
  } else if (result.undecided) {
    setUnknown(result, result.undecided->what(), result.undecided->range());
  } else if (judgeUnknownThreads(result)) {
    return;
  } else if (result.composition) {
    judgeComposition(result);
  } else {
    result.answer = CodeAnswer::Conforms;
    result.reason = "provided the composition is safe";
  }
}

std::string kindReason(ViolationKind kind) {
  switch (kind) {
  case ViolationKind::Step:
    return "a step that the contract does not allow";
  case ViolationKind::Assertion:
    return "an assertion can fail";
  case ViolationKind::Atomic:
    return "an assertion in an atomic section can fail";
  case ViolationKind::Return:
    return "it returns before the contract has ended";
  case ViolationKind::Marker:
    return "a marker names a state that is not possible here";
  case ViolationKind::Range:
    return "it stores a value outside the contract's type";
  case ViolationKind::Underflow:
    return "an unsigned variable drops below 0";
  case ViolationKind::Overflow:
    return "a variable overflows its C type";
  case ViolationKind::Guard:
    return "it writes a guarded variable without holding its mutex";
  case ViolationKind::Lock:
    return "it takes, releases or keeps a mutex wrongly";
  case ViolationKind::Start:
    return "initial values differ from the contract";
  }
  throw std::logic_error("unknown kind");
}

/// A proof without code that is never reached, and without assumptions.
void beStrict(CodeResult &result) {
  for (const ThreadConformance &thread : result.conformance.threads) {
    if (!thread.unreached)
      return setUnknown(
          result, thread.thread + ": cannot tell which code is never reached, as --strict requires",
          thread.range);
    for (const auto *parts : {&thread.unreached->never, &thread.unreached->outside})
      if (!parts->empty())
        return setUnknown(result,
                          thread.thread + ": " +
                              (parts == &thread.unreached->never ? "never reached: "
                                                                 : "index may be out of bounds: ") +
                              placed(parts->front()),
                          parts->front().range);
  }
  if (!result.assumptions.empty())
    setUnknown(result,
               word(result.answer) + " only under assumptions, which --strict does not allow", {});
}

} // namespace

std::string word(CodeAnswer answer) {
  switch (answer) {
  case CodeAnswer::Conforms:
    return "conforms";
  case CodeAnswer::Safe:
    return "safe";
  case CodeAnswer::Violates:
    return "violates";
  case CodeAnswer::Unsafe:
    return "unsafe";
  case CodeAnswer::Unknown:
    return "unknown";
  }
  throw std::logic_error("unknown answer");
}

int exitCodeOf(CodeAnswer answer) {
  switch (answer) {
  case CodeAnswer::Conforms:
  case CodeAnswer::Safe:
    return Proven;
  case CodeAnswer::Violates:
  case CodeAnswer::Unsafe:
    return Violation;
  case CodeAnswer::Unknown:
    return Undecided;
  }
  throw std::logic_error("unknown answer");
}

CodeResult describe(const specs::Compiled &contract, const options::Options &options) {
  CodeResult result;
  result.command = options.command;
  result.file = options.file;
  result.codeFiles = options.files;
  result.system = contract.program.name;
  result.threads = options.threads;
  result.overflow = options.overflow;
  for (const specs::ThreadBinding &thread : contract.threads)
    if (thread.kind == specs::syntax::ThreadKind::Environment)
      result.environments.push_back(thread.name);
    else if (!thread.hasBody)
      result.standForThemselves.push_back(thread.name);
  addAssumptions(result, contract.program.assumptions);
  return result;
}

std::string runLine(const compose::Program &program) {
  return "run " +
         logic::joined(program.starts,
                       [&](const compose::Start &start) {
                         const std::string &name = program.templates[start.thread].name;
                         return start.unbounded    ? name + "*"
                                : start.count == 1 ? name
                                                   : name + " * " + std::to_string(start.count);
                       }) +
         ";";
}

bool violates(const passes::ConformResult &conformance) { return !violations(conformance).empty(); }

void addAssumptions(CodeResult &result, const std::vector<std::string> &more) {
  for (const std::string &assumption : more)
    addUnique(result.assumptions, assumption);
}

void judge(CodeResult &result, options::Switch strict) {
  result.conformance.plainAccesses = withoutDuplicates(result.conformance.plainAccesses);
  for (const ThreadConformance &thread : result.conformance.threads)
    addAssumptions(result, thread.assumptions);
  addAssumptions(result, result.conformance.assumptions);
  if (result.composition)
    addAssumptions(result, result.composition->contracts.verdict.assumptions);
  judgeFindings(result);
  bool proven = result.answer == CodeAnswer::Conforms || result.answer == CodeAnswer::Safe;
  if (strict == options::Switch::On && proven)
    beStrict(result);
}

std::string placed(const passes::Unused &part) {
  std::string place = shortPlace(part.range);
  return place + (place.empty() || part.text.empty() ? "" : " ") + part.text;
}

std::string shortReason(const ConformStory &story) {
  std::string place = shortPlace(story.range);
  return kindReason(story.kind) + (place.empty() ? "" : ", " + place);
}

} // namespace understudy::tools::report
