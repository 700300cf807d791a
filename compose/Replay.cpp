// SPDX-License-Identifier: Apache-2.0
//
// Checking a given start, step or trace against the definition, literally: no enumeration, no
// solver. What an engine found is worth showing only after this has accepted it.
#include "compose/Interpreter.h"
#include "compose/Solutions.h"

#include <algorithm>
#include <map>
#include <set>

namespace understudy::compose {

namespace {

using Valuation = std::map<Variable, Value>;

Valuation valuation(const Program &program, const Configuration &configuration,
                    const Thread &thread) {
  Valuation result;
  for (size_t i = 0; i < program.globals.size(); ++i)
    result[program.globals[i]] = configuration.globals.at(i);
  const auto &locals = program.templates[thread.thread].locals;
  for (size_t i = 0; i < locals.size(); ++i)
    result[locals[i]] = thread.locals.at(i);
  return result;
}

bool wellSorted(const Valuation &values) {
  return std::all_of(values.begin(), values.end(),
                     [](const auto &entry) { return inSort(entry.second, entry.first.sort()); });
}

bool mayStart(const Program &program, const Configuration &context, const Thread &thread) {
  const Template &type = program.templates[thread.thread];
  if (thread.locals.size() != type.locals.size() ||
      std::find(type.initials.begin(), type.initials.end(), thread.location) == type.initials.end())
    return false;
  Valuation values = valuation(program, context, thread);
  return wellSorted(values) &&
         logic::holds(type.initial, [&](Variable v, bool) { return values.at(v); });
}

/// Checks one step; the members name its parts.
class StepCheck {
public:
  StepCheck(const Program &program, const Configuration &before, const Step &step)
      : program_(program), before_(before), step_(step),
        edge_(program.edge(step.templateId, step.edge)) {}

  bool run() {
    const Thread *source = before_.find(step_.thread);
    const Thread *target = step_.after.find(step_.thread);
    if (!source || !target || source->thread != step_.templateId ||
        target->thread != step_.templateId)
      return false;
    if (source->location != edge_.source || target->location != edge_.target ||
        source->id != target->id)
      return false;
    if (step_.after.globals.size() != before_.globals.size() ||
        target->locals.size() != source->locals.size())
      return false;
    old_ = valuation(program_, before_, *source);
    new_ = valuation(program_, step_.after, *target);
    return wellSorted(new_) && dataChanges() &&
           std::visit([this](const auto &action) { return effect(action); }, edge_.action);
  }

private:
  const Program &program_;
  const Configuration &before_;
  const Step &step_;
  const Edge &edge_;
  Valuation old_;
  Valuation new_;

  Value before(Term term) const {
    return logic::evaluate(term, [this](Variable v, bool) { return old_.at(v); });
  }

  bool dataChanges() const {
    for (const auto &[variable, value] : old_) {
      bool mayChange =
          std::find(edge_.modified.begin(), edge_.modified.end(), variable) != edge_.modified.end();
      if (!mayChange && new_.at(variable) != value)
        return false;
    }
    return logic::holds(edge_.relation,
                        [this](Variable v, bool primed) { return (primed ? new_ : old_).at(v); });
  }

  /// Every thread but the one that steps is as before, apart from those listed.
  bool othersKept(const std::set<uint32_t> &except) const {
    auto kept = [&](const Configuration &a, const Configuration &b) {
      return std::all_of(a.threads.begin(), a.threads.end(), [&](const Thread &t) {
        if (t.number == step_.thread || except.contains(t.number))
          return true;
        const Thread *same = b.find(t.number);
        return same && *same == t;
      });
    };
    return kept(before_, step_.after) && kept(step_.after, before_);
  }

  bool nothingCreated() const { return step_.after.created == before_.created; }

  template <typename Other>
  bool effect(const Other &) const {
    return step_.others.empty() && nothingCreated() && othersKept({});
  }

  bool effect(const Fork &fork) const {
    uint32_t number = before_.created + 1;
    const Thread *created = step_.after.find(number);
    if (step_.others != std::vector<uint32_t>{number} || !created ||
        created->thread != fork.thread || !created->id || step_.after.created != number ||
        !othersKept({number}))
      return false;
    if (fork.id ? before(*fork.id).number() != *created->id : isAlive(*created->id))
      return false;
    if (fork.result && new_.at(*fork.result) != Value(*created->id))
      return false;
    for (size_t i = 0; i < fork.arguments.size(); ++i)
      if (created->locals.at(i) != before(fork.arguments[i]))
        return false;
    return mayStart(program_, before_, *created);
  }

  bool isAlive(int64_t id) const {
    return std::any_of(before_.threads.begin(), before_.threads.end(),
                       [&](const Thread &t) { return t.id == id; });
  }

  bool effect(const Join &join) const {
    if (step_.others.size() != 1 || !nothingCreated())
      return false;
    const Thread *joined = before_.find(step_.others[0]);
    if (!joined || joined->number == step_.thread || step_.after.find(joined->number))
      return false;
    if (program_.templates[joined->thread].locations[joined->location].kind != LocationKind::Final)
      return false;
    if (join.thread && *join.thread != joined->thread)
      return false;
    if (join.id && (!joined->id || before(*join.id).number() != *joined->id))
      return false;
    return othersKept({joined->number});
  }

  std::set<uint32_t> waiters(CondId cond) const {
    std::set<uint32_t> result;
    for (const Thread &t : before_.threads) {
      const auto &waiting = program_.templates[t.thread].locations[t.location].waiting;
      if (t.number != step_.thread && waiting && waiting->cond == cond)
        result.insert(t.number);
    }
    return result;
  }

  bool woken(uint32_t number) const {
    const Thread *after = step_.after.find(number);
    Thread expected = *before_.find(number);
    expected.location =
        program_.templates[expected.thread].locations[expected.location].waiting->wakesTo;
    return after && *after == expected;
  }

  bool effect(const SignalCond &signal) const {
    auto waiting = waiters(signal.cond);
    if (!nothingCreated())
      return false;
    if (waiting.empty())
      return step_.others.empty() && othersKept({});
    return step_.others.size() == 1 && waiting.contains(step_.others[0]) &&
           woken(step_.others[0]) && othersKept({step_.others[0]});
  }

  bool effect(const BroadcastCond &broadcast) const {
    auto waiting = waiters(broadcast.cond);
    return nothingCreated() &&
           step_.others == std::vector<uint32_t>(waiting.begin(), waiting.end()) &&
           std::all_of(waiting.begin(), waiting.end(), [this](uint32_t n) { return woken(n); }) &&
           othersKept(waiting);
  }
};

bool sameFailure(const std::optional<Failure> &found, const Failure &claimed) {
  return found && found->kind == claimed.kind;
}

/// Is the claimed failure there at the end of the trace? The threads it names are checked by kind.
bool fails(const Interpreter &interpreter, const Trace &trace) {
  const Configuration &last = trace.steps.empty() ? trace.start : trace.steps.back().after;
  switch (trace.failure.kind) {
  case FailureKind::Invariant:
  case FailureKind::Exclusion:
    return sameFailure(interpreter.stateFailure(last), trace.failure);
  case FailureKind::Deadlock:
    return interpreter.isDeadlock(last);
  default:
    break;
  }
  if (trace.steps.empty())
    return false;
  const Configuration &before =
      trace.steps.size() == 1 ? trace.start : trace.steps[trace.steps.size() - 2].after;
  return sameFailure(interpreter.stepFailure(before, trace.steps.back()), trace.failure);
}

} // namespace

bool Interpreter::allows(const Configuration &before, const Step &step) const {
  bool inRange = step.templateId < program_.templates.size() &&
                 step.edge < program_.templates[step.templateId].edges.size();
  return inRange && StepCheck(program_, before, step).run();
}

bool Interpreter::isStart(const Configuration &configuration) const {
  if (configuration.globals.size() != program_.globals.size())
    return false;
  Valuation globals;
  for (size_t i = 0; i < program_.globals.size(); ++i)
    globals[program_.globals[i]] = configuration.globals[i];
  if (!wellSorted(globals) ||
      !logic::holds(program_.initial, [&](Variable v, bool) { return globals.at(v); }))
    return false;
  std::map<TemplateId, uint32_t> left;
  std::set<TemplateId> unbounded;
  for (const Start &start : program_.starts) {
    left[start.thread] += start.count;
    if (start.unbounded)
      unbounded.insert(start.thread);
  }
  uint32_t number = 0;
  for (const Thread &thread : configuration.threads) {
    if (thread.number != ++number || thread.id || !mayStart(program_, configuration, thread))
      return false;
    uint32_t &remaining = left[thread.thread];
    if (remaining > 0)
      --remaining;
    else if (!unbounded.contains(thread.thread))
      return false;
  }
  return configuration.created == number &&
         std::all_of(left.begin(), left.end(), [](const auto &entry) { return entry.second == 0; });
}

std::optional<std::string> replay(const Program &program, const Trace &trace) {
  Interpreter interpreter(program);
  if (!interpreter.isStart(trace.start))
    return "the first state is not an initial state of the program";
  const Configuration *before = &trace.start;
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    if (!interpreter.allows(*before, trace.steps[i]))
      return "step " + std::to_string(i + 1) + " is not a step of the program";
    before = &trace.steps[i].after;
  }
  if (!fails(interpreter, trace))
    return "nothing fails at the end";
  return std::nullopt;
}

} // namespace understudy::compose
