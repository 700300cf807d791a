// SPDX-License-Identifier: Apache-2.0
#include "passes/plugin/PluginReport.h"

#include "logic/Render.h"
#include "logic/Words.h"

#include <llvm/Support/raw_ostream.h>

#include <algorithm>

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

/// Everything about one file, in clang's form: `file:line:column: remark: …`.
class BuildReport {
public:
  BuildReport(System &system, const ConformResult &result, std::string contract,
              llvm::raw_ostream &out)
      : system_(system), result_(result), contract_(std::move(contract)),
        file_(system.module().getSourceFileName()), out_(out) {}

  std::string run() {
    if (result_.start) {
      ++violations_;
      printStory("", *result_.start, out_);
    }
    for (const ThreadConformance &thread : result_.threads)
      print(thread);
    for (const auto &[thread, function] : system_.threads())
      if (!thread->hasBody)
        line(system_.sources().range(function->getSubprogram()), "remark",
             "thread " + thread->name +
                 " has no contract: its code stands for itself and is not checked here");
    suggestNames();
    if (system_.threads().empty())
      nothingHere();
    else
      whatRemains();
    return failure();
  }

private:
  System &system_;
  const ConformResult &result_;
  std::string contract_;
  std::string file_;
  llvm::raw_ostream &out_;
  size_t violations_ = 0;
  size_t unknowns_ = 0;

  void line(const SourceRange &range, const std::string &severity, const std::string &text) {
    out_ << (range.known() ? range.text() : file_) << ": " << severity << ": " << text << "\n";
  }

  void print(const ThreadConformance &thread) {
    std::string who = "thread " + thread.thread + ": ";
    switch (thread.answer) {
    case ConformAnswer::Violates:
      ++violations_;
      if (thread.story)
        printStory(who, *thread.story, out_);
      return;
    case ConformAnswer::Unknown:
      ++unknowns_;
      out_ << logic::render({Severity::Error,
                             thread.where.known() ? thread.where : thread.range,
                             who + "conformance not decided: " + thread.reason,
                             {}});
      return;
    case ConformAnswer::Conforms:
      line(thread.range, "remark",
           "thread " + thread.thread + " conforms to its contract in '" + contract_ + "' (" +
               logic::plural(thread.sharedSteps, "step") + ")");
      return printUnreached(thread);
    }
  }

  void printUnreached(const ThreadConformance &thread) {
    if (!thread.unreached)
      return line(thread.range, "warning",
                  "thread " + thread.thread + ": cannot tell which code is never reached");
    for (const Unused &part : thread.unreached->never)
      line(part.range, "warning", "never reached: " + part.text);
    for (const Unused &part : thread.unreached->outside)
      line(part.range, "warning",
           "index may be out of bounds, and the code after it is unchecked: " + part.text);
  }

  /// A thread may be in another file, but a name that is nearly its own is more likely a slip.
  void suggestNames() {
    std::set<const llvm::Function *> others;
    for (const auto &[thread, function] : system_.threads())
      others.insert(function);
    for (const specs::ThreadBinding *thread : system_.absent()) {
      std::string hint = memory::similarFunction(*thread, system_.module(), others);
      if (!hint.empty())
        line(thread->range, "warning",
             "thread " + thread->name + " is not checked: '" + file_ + "' has no function '" +
                 thread->function + "'; " + hint);
    }
  }

  std::vector<std::string> absentNames() const {
    std::vector<std::string> names;
    for (const specs::ThreadBinding *thread : system_.absent())
      names.push_back(thread->name);
    return names;
  }

  void nothingHere() {
    line({}, "remark",
         "nothing checked: this file has no thread of '" + contract_ + "' (" +
             logic::joined(absentNames()) + ")");
    printAssumptions(system_.writersBesideThreads());
  }

  void whatRemains() {
    std::vector<std::string> assumptions;
    for (const ThreadConformance &thread : result_.threads)
      for (const std::string &text : thread.assumptions)
        addUnique(assumptions, text);
    for (const std::string &text : result_.assumptions)
      addUnique(assumptions, text);
    printAssumptions(assumptions);
    if (!system_.absent().empty())
      line({}, "remark", "not in this file and not checked here: " + logic::joined(absentNames()));
    if (violations_ + unknowns_ > 0)
      return;
    bool alone = system_.contract().withoutContract.empty();
    line({}, "remark",
         "conformance counts only if the contracts together are safe: run 'understudy " +
             (alone ? "compose " + contract_ : "check " + contract_ + " FILES") + "'");
  }

  static void addUnique(std::vector<std::string> &list, const std::string &text) {
    if (std::find(list.begin(), list.end(), text) == list.end())
      list.push_back(text);
  }

  void printAssumptions(const std::vector<std::string> &assumptions) {
    std::string text;
    for (const std::string &assumption : assumptions)
      text += (text.empty() ? "assumed: " : "; ") + assumption;
    if (!text.empty())
      line({}, "remark", text);
  }

  std::string failure() const {
    if (violations_ > 0)
      return "abstract-check: the code does not conform to its contract";
    if (unknowns_ > 0)
      return "abstract-check: conformance not decided for " + logic::plural(unknowns_, "thread");
    return "";
  }
};

} // namespace

std::string reportToBuild(System &system, const ConformResult &result, const std::string &contract,
                          llvm::raw_ostream &out) {
  return BuildReport(system, result, contract, out).run();
}

} // namespace understudy::passes::plugin
