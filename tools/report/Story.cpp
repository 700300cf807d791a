// SPDX-License-Identifier: Apache-2.0
#include "tools/report/Story.h"

#include "logic/Words.h"
#include "tools/report/Wording.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace understudy::tools::report {

using namespace compose;

namespace {

/// A mutex is spoken of as taken and given back; an assertion of a contract is no step but
/// something that is false in the state reached.
class Teller {
public:
  Teller(const Program &program, const Trace &trace)
      : program_(program), trace_(trace), names_(program, trace), usesIds_(speaksOfIds(program)) {}

  Story tell() const {
    Story story;
    for (size_t i = 0; i < program_.globals.size(); ++i)
      if (!program_.isMutexFlag(program_.globals[i]))
        story.globals.push_back({program_.globals[i], trace_.start.globals[i]});
    for (const Thread &thread : trace_.start.threads)
      story.threads.push_back(actor(thread));
    const Configuration *before = &trace_.start;
    for (const Step &step : trace_.steps) {
      if (!isStateAssertion(program_, step))
        story.steps.push_back(tellStep(*before, step));
      before = &step.after;
    }
    story.relevant = relevant();
    story.kind = trace_.failure.kind;
    story.claim = claimText(trace_.failure.text);
    story.range = trace_.failure.range;
    story.sentence = failureSentence(program_, trace_, names_);
    for (uint32_t number : trace_.failure.threads)
      if (const Thread *thread = trace_.end().find(number))
        story.culprits.push_back(actor(*thread));
    return story;
  }

private:
  const Program &program_;
  const Trace &trace_;
  ThreadNames names_;
  bool usesIds_;

  std::vector<Variable> relevant() const {
    std::set<Variable> result;
    auto add = [&](Term term) {
      for (const logic::VariableUse &use : logic::variablesOf(term))
        result.insert(use.variable);
    };
    for (const Step &step : trace_.steps) {
      const Edge &edge = program_.edge(step.templateId, step.edge);
      add(edge.relation);
      result.insert(edge.modified.begin(), edge.modified.end());
      const auto *fork = std::get_if<Fork>(&edge.action);
      const auto *join = std::get_if<Join>(&edge.action);
      if (fork)
        std::for_each(fork->arguments.begin(), fork->arguments.end(), add);
      if (fork && fork->id)
        add(*fork->id);
      if (join && join->id)
        add(*join->id);
    }
    for (const Claim &invariant : program_.invariants)
      if (invariant.text == trace_.failure.text)
        add(invariant.formula);
    for (const Template &kind : program_.templates)
      for (const Location &location : kind.locations)
        for (const Claim &rely : location.relies)
          if (rely.text == trace_.failure.text)
            add(rely.formula);
    return {result.begin(), result.end()};
  }

  Actor actor(const Thread &thread) const {
    const Template &kind = program_.templates[thread.thread];
    Actor result;
    result.number = thread.number;
    result.name = names_.of(thread);
    result.kind = kind.name;
    result.place = placeText(program_, thread);
    if (usesIds_)
      result.id = thread.id;
    for (size_t i = 0; i < kind.locals.size(); ++i)
      if (showsLocals(program_, thread.thread) && !program_.isMutexFlag(kind.locals[i]))
        result.locals.push_back({kind.locals[i], thread.locals[i]});
    return result;
  }

  void noteChange(StoryStep &step, Variable variable, const Value &before,
                  const Value &after) const {
    if (before != after && !program_.isMutexFlag(variable))
      step.changes.push_back({variable, before, after});
  }

  StoryStep tellStep(const Configuration &before, const Step &step) const {
    const Edge &edge = program_.edge(step.templateId, step.edge);
    const Thread &was = *before.find(step.thread);
    const Thread &is = *step.after.find(step.thread);
    StoryStep told;
    told.actor = actor(is);
    told.form = isStateMachine(program_, step.templateId) ? StepForm::Move : StepForm::Statement;
    told.from = placeText(program_, was);
    told.to = edge.failure ? "wrong" : told.actor.place;
    told.text = stepText(program_, edge);
    told.range = edge.range;
    for (size_t i = 0; i < program_.globals.size(); ++i)
      noteChange(told, program_.globals[i], before.globals[i], step.after.globals[i]);
    const auto &locals = program_.templates[step.templateId].locals;
    for (size_t i = 0; i < locals.size() && showsLocals(program_, step.templateId); ++i)
      noteChange(told, locals[i], was.locals[i], is.locals[i]);
    for (uint32_t number : step.others)
      addOther(told, before, step, number);
    told.notes = notesOf(program_, step.templateId, edge, told);
    return told;
  }

  void addOther(StoryStep &told, const Configuration &before, const Step &step,
                uint32_t number) const {
    const Thread *was = before.find(number);
    const Thread *is = step.after.find(number);
    if (!was)
      told.created.push_back(actor(*is));
    else if (!is)
      told.joined.push_back(actor(*was));
    else
      told.woken.push_back(actor(*is));
  }
};

} // namespace

Story tell(const Program &program, const Trace &trace) { return Teller(program, trace).tell(); }

std::string headCount(const std::vector<Actor> &threads) {
  std::vector<std::pair<std::string, size_t>> counts;
  for (const Actor &thread : threads) {
    auto found = std::find_if(counts.begin(), counts.end(),
                              [&](const auto &entry) { return entry.first == thread.kind; });
    if (found == counts.end())
      counts.emplace_back(thread.kind, 1);
    else
      ++found->second;
  }
  return logic::joined(
      counts, [](const auto &entry) { return std::to_string(entry.second) + " " + entry.first; });
}

std::string word(FailureKind kind) {
  switch (kind) {
  case FailureKind::Assertion:
    return "assertion";
  case FailureKind::OutOfRange:
    return "out-of-range";
  case FailureKind::OutOfBounds:
    return "out-of-bounds";
  case FailureKind::Relock:
    return "relock";
  case FailureKind::NotHeld:
    return "not-held";
  case FailureKind::StillHeld:
    return "still-held";
  case FailureKind::Invariant:
    return "invariant";
  case FailureKind::Exclusion:
    return "exclusion";
  case FailureKind::Rely:
    return "rely";
  case FailureKind::Deadlock:
    return "deadlock";
  }
  throw std::logic_error("unknown failure kind");
}

} // namespace understudy::tools::report
