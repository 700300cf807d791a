// SPDX-License-Identifier: Apache-2.0
#include "passes/plugin/PluginReport.h"

#include "logic/Render.h"
#include "logic/Words.h"

#include <llvm/Support/raw_ostream.h>

namespace understudy::passes::plugin {

namespace {

using logic::Severity;

std::string describe(const ConformStep &step) {
  std::string text = "step";
  for (const SharedValue &value : step.supplied)
    text += ", finds " + value.variable.name() + " = " +
            logic::valueText(value.value, value.variable.sort());
  for (const SharedChange &change : step.changes)
    text += ", sets " + change.variable.name() + " from " +
            logic::valueText(change.before, change.variable.sort()) + " to " +
            logic::valueText(change.after, change.variable.sort());
  return text + (step.states.empty() ? "" : "; possible: " + logic::joined(step.states));
}

void printStory(const std::string &who, const ConformStory &story, llvm::raw_ostream &out) {
  out << logic::render({Severity::Error, story.range, who + story.sentence, {}});
  for (const std::string &allowed : story.allowed)
    out << logic::render({Severity::Note, {}, "the contract allows " + allowed, {}});
  for (const ConformStep &step : story.steps)
    out << logic::render({Severity::Note, step.range, describe(step), {}});
}

} // namespace

std::string reportToBuild(const ConformResult &result, llvm::raw_ostream &out) {
  size_t violations = 0;
  size_t unknowns = 0;
  if (result.start) {
    ++violations;
    printStory("", *result.start, out);
  }
  for (const ThreadConformance &thread : result.threads) {
    if (thread.answer == ConformAnswer::Violates && thread.story) {
      ++violations;
      printStory("thread " + thread.thread + ": ", *thread.story, out);
    }
    if (thread.answer == ConformAnswer::Unknown) {
      ++unknowns;
      out << logic::render(
          {Severity::Error,
           thread.where.known() ? thread.where : thread.range,
           "thread " + thread.thread + ": conformance is not decided: " + thread.reason,
           {}});
    }
  }
  if (violations > 0)
    return "abstract-check: the code does not conform to its contract";
  if (unknowns > 0)
    return "abstract-check: conformance is not decided for " + std::to_string(unknowns) +
           (unknowns == 1 ? " thread" : " threads");
  return "";
}

} // namespace understudy::passes::plugin
