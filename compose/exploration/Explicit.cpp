// SPDX-License-Identifier: Apache-2.0
#include "compose/exploration/Explicit.h"

#include "compose/exploration/ExplicitSearch.h"
#include "logic/Error.h"
#include "logic/Words.h"

#include <algorithm>

namespace understudy::compose::exploration {

namespace {

std::vector<TemplateId> withoutCount(const Program &program, const ThreadCounts &counts) {
  std::vector<TemplateId> result;
  for (const Start &start : program.starts)
    if (start.unbounded && !counts.contains(start.thread) &&
        std::find(result.begin(), result.end(), start.thread) == result.end())
      result.push_back(start.thread);
  return result;
}

std::string scopeOf(const Program &program, const ThreadCounts &counts) {
  std::vector<std::string> parts;
  for (const auto &[thread, count] : counts)
    parts.push_back((count == 0 ? "no " : std::to_string(count) + " or fewer ") +
                    program.templates[thread].name + " threads");
  return parts.empty() ? "" : "for " + logic::joined(parts, " and ");
}

Verdict search(const Program &program, const ExplicitOptions &options) {
  try {
    return ExplicitSearch(program, options).run();
  } catch (const logic::Unsupported &unsupported) {
    Verdict verdict;
    verdict.engine = EngineName::Explicit;
    verdict.reason = unsupported.what();
    verdict.where = unsupported.range();
    verdict.assumptions = program.assumptions;
    verdict.deadlockChecked = options.deadlock == ExplicitOptions::Deadlock::Check;
    return verdict;
  }
}

/// Threads of any number: a violation with few of them is a violation; without one nothing is
/// known.
Verdict searchFew(const Program &program, const ExplicitOptions &options,
                  const std::vector<TemplateId> &open) {
  constexpr uint32_t most = 3;
  constexpr uint64_t statesEach = 1'000'000;
  Verdict last;
  std::vector<std::string> names;
  for (TemplateId thread : open)
    names.push_back(program.templates[thread].name);
  uint32_t complete = 0;
  for (uint32_t count = 1; count <= most; ++count) {
    ExplicitOptions bounded = options;
    for (TemplateId thread : open)
      bounded.counts[thread] = count;
    bounded.reached = nullptr; // it will not be `safe`
    bounded.maxStates = std::min(options.maxStates, statesEach);
    last = search(program, bounded);
    if (last.answer != Answer::Safe)
      break;
    complete = count;
  }
  if (last.answer == Answer::Unsafe || complete == 0)
    return last;
  last.answer = Answer::Unknown;
  last.width.reset();
  last.reason = "any number of " + logic::joined(names, " and ") +
                " threads: the explicit engine found no " + "violation with up to " +
                std::to_string(complete) + ", and cannot prove it for " +
                "more; set a number with --threads " + names.front() + "=N";
  return last;
}

} // namespace

Verdict verifyExplicit(const Program &program, const ExplicitOptions &options) {
  if (auto open = withoutCount(program, options.counts); !open.empty())
    return searchFew(program, options, open);
  Verdict verdict = search(program, options);
  if (verdict.answer == Answer::Safe)
    verdict.scope = scopeOf(program, options.counts);
  return verdict;
}

} // namespace understudy::compose::exploration
