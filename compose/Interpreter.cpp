// SPDX-License-Identifier: Apache-2.0
//
// Enumerating starts and steps. Each rule of the semantics is one function: fork is rule (FORK),
// join is rule (JOIN) of Figure 3 of the petrification paper; the other threads staying as they are
// is rule (FRAME). The literal check of a given step is in `Replay.cpp`.
#include "compose/Interpreter.h"

#include "compose/Solutions.h"
#include "logic/Error.h"

#include <algorithm>
#include <set>

namespace understudy::compose {

using logic::VariableUse;

namespace {

size_t indexOf(const std::vector<Variable> &variables, Variable wanted) {
  auto found = std::find(variables.begin(), variables.end(), wanted);
  return static_cast<size_t>(found - variables.begin());
}

/// The values of globals and of one thread's locals, for evaluating formulas.
Value valueIn(const Program &program, const Configuration &configuration, const Thread &thread,
              Variable variable) {
  size_t global = indexOf(program.globals, variable);
  if (global < program.globals.size())
    return configuration.globals[global];
  return thread.locals.at(indexOf(program.templates[thread.thread].locals, variable));
}

void assign(const Program &program, Configuration &configuration, uint32_t number,
            Variable variable, const Value &value) {
  size_t global = indexOf(program.globals, variable);
  if (global < program.globals.size()) {
    configuration.globals[global] = value;
    return;
  }
  for (Thread &thread : configuration.threads)
    if (thread.number == number)
      thread.locals[indexOf(program.templates[thread.thread].locals, variable)] = value;
}

Thread &threadOf(Configuration &configuration, uint32_t number) {
  return *const_cast<Thread *>(configuration.find(number));
}

void removeThread(Configuration &configuration, uint32_t number) {
  std::erase_if(configuration.threads, [&](const Thread &t) { return t.number == number; });
}

/// All threads of the template that can come into being while the globals are as in `context`.
std::vector<Thread> newThreads(const Program &program, const Configuration &context,
                               TemplateId templateId, const std::vector<Value> &arguments,
                               std::optional<int64_t> id) {
  const Template &type = program.templates[templateId];
  std::vector<VariableUse> unknowns;
  for (size_t i = arguments.size(); i < type.locals.size(); ++i)
    unknowns.push_back({type.locals[i], false});
  auto known = [&](Variable variable, bool) {
    size_t local = indexOf(type.locals, variable);
    return local < arguments.size() ? arguments[local]
                                    : context.globals.at(indexOf(program.globals, variable));
  };
  std::vector<Thread> result;
  for (const auto &values :
       solutions(type.initial, unknowns, known, "the initial state of thread '" + type.name + "'",
                 type.range))
    for (LocationId location : type.initials) {
      Thread thread{0, templateId, location, id, arguments};
      thread.locals.insert(thread.locals.end(), values.begin(), values.end());
      result.push_back(std::move(thread));
    }
  return result;
}

void addThread(Configuration &configuration, Thread thread) {
  thread.number = ++configuration.created;
  configuration.threads.push_back(std::move(thread));
}

/// Takes one edge of one thread in every possible way.
class EdgeTaker {
public:
  EdgeTaker(const Program &program, const IdUse &ids, const Configuration &before,
            const Thread &thread, EdgeId edge)
      : program_(program), ids_(ids), before_(before), thread_(thread),
        edge_(program.edge(thread.thread, edge)), edgeId_(edge) {}

  std::vector<Step> run() {
    const auto *fork = std::get_if<Fork>(&edge_.action);
    if (!fork)
      take(std::nullopt);
    else
      for (int64_t id : fork->id ? std::vector{evaluate(*fork->id).number()} : freshIds())
        take(id);
    return std::move(steps_);
  }

private:
  const Program &program_;
  const IdUse &ids_;
  const Configuration &before_;
  const Thread &thread_;
  const Edge &edge_;
  EdgeId edgeId_;
  std::vector<Step> steps_;

  /// `id` is that of the thread to be created, which the relation may speak of.
  void take(std::optional<int64_t> id) {
    const auto *fork = std::get_if<Fork>(&edge_.action);
    std::vector<VariableUse> unknowns;
    for (Variable v : edge_.modified)
      if (!fork || fork->result != v)
        unknowns.push_back({v, true});
    auto known = [&](Variable v, bool primed) -> Value {
      return primed && fork && fork->result == v ? Value(*id) : value(v);
    };
    for (const auto &values :
         solutions(edge_.relation, unknowns, known, "the step '" + edge_.text + "'", edge_.range)) {
      Configuration after = before_;
      for (size_t i = 0; i < unknowns.size(); ++i)
        assign(program_, after, thread_.number, unknowns[i].variable, values[i]);
      threadOf(after, thread_.number).location = edge_.target;
      if (fork)
        create(*fork, *id, after);
      else
        std::visit([&](const auto &action) { act(action, after); }, edge_.action);
    }
  }

  Value value(Variable v) const { return valueIn(program_, before_, thread_, v); }
  Value evaluate(Term term) const {
    return logic::evaluate(term, [this](Variable v, bool) { return value(v); });
  }

  void emit(Configuration after, std::vector<uint32_t> others) {
    steps_.push_back(
        {thread_.number, thread_.thread, edgeId_, std::move(others), std::move(after)});
  }

  /// The actions whose meaning is all in the relation.
  template <typename Other>
  void act(const Other &, const Configuration &after) {
    emit(after, {});
  }

  void create(const Fork &fork, int64_t id, const Configuration &after) {
    std::vector<Value> arguments;
    for (const Term &argument : fork.arguments)
      arguments.push_back(evaluate(argument));
    for (const Thread &created : newThreads(program_, before_, fork.thread, arguments, id)) {
      Configuration next = after;
      if (fork.result)
        assign(program_, next, thread_.number, *fork.result, id);
      addThread(next, created);
      uint32_t number = next.created;
      emit(std::move(next), {number});
    }
  }

  void act(const Join &join, const Configuration &after) {
    for (const Thread &other : before_.threads) {
      bool terminated =
          program_.templates[other.thread].locations[other.location].kind == LocationKind::Final;
      if (other.number == thread_.number || !terminated)
        continue;
      if (join.thread && *join.thread != other.thread)
        continue;
      if (join.id && (!other.id || evaluate(*join.id).number() != *other.id))
        continue;
      Configuration next = after;
      removeThread(next, other.number);
      emit(std::move(next), {other.number});
    }
  }

  std::vector<uint32_t> waiters(CondId cond) const {
    std::vector<uint32_t> result;
    for (const Thread &other : before_.threads) {
      const auto &waiting = program_.templates[other.thread].locations[other.location].waiting;
      if (other.number != thread_.number && waiting && waiting->cond == cond)
        result.push_back(other.number);
    }
    return result;
  }

  void wake(Configuration &configuration, uint32_t number) const {
    Thread &thread = threadOf(configuration, number);
    thread.location = program_.templates[thread.thread].locations[thread.location].waiting->wakesTo;
  }

  void act(const SignalCond &signal, const Configuration &after) {
    auto waiting = waiters(signal.cond);
    if (waiting.empty())
      emit(after, {});
    for (uint32_t number : waiting) {
      Configuration next = after;
      wake(next, number);
      emit(std::move(next), {number});
    }
  }

  void act(const BroadcastCond &broadcast, const Configuration &after) {
    auto waiting = waiters(broadcast.cond);
    Configuration next = after;
    for (uint32_t number : waiting)
      wake(next, number);
    emit(std::move(next), std::move(waiting));
  }

  /// Representatives of the ids that differ from all ids alive.
  std::vector<int64_t> freshIds() const {
    std::set<int64_t> alive;
    std::set<int64_t> held = ids_.constants;
    auto note = [&](Variable variable, const Value &value) {
      if (ids_.variables.contains(variable))
        addNumbers(value, held);
    };
    for (size_t i = 0; i < program_.globals.size(); ++i)
      note(program_.globals[i], before_.globals[i]);
    for (const Thread &t : before_.threads) {
      const auto &locals = program_.templates[t.thread].locals;
      for (size_t i = 0; i < locals.size(); ++i)
        note(locals[i], t.locals[i]);
      if (t.id)
        alive.insert(*t.id);
    }
    return representativeIds(held, alive);
  }
};

} // namespace

std::vector<Configuration> Interpreter::starts(const ThreadCounts &counts) const {
  std::vector<VariableUse> unknowns;
  for (Variable v : program_.globals)
    unknowns.push_back({v, false});
  auto nothing = [](Variable, bool) -> Value { return {}; };
  std::vector<Configuration> result;
  for (const auto &globals :
       solutions(program_.initial, unknowns, nothing, "the initial state", {}))
    result.push_back({globals, {}, 0});
  for (const Start &start : program_.starts) {
    uint32_t count = start.count;
    if (start.unbounded)
      count = counts.contains(start.thread) ? counts.at(start.thread) : 0;
    for (uint32_t i = 0; i < count; ++i) {
      std::vector<Configuration> larger;
      for (const Configuration &configuration : result)
        for (const Thread &thread :
             newThreads(program_, configuration, start.thread, {}, std::nullopt)) {
          larger.push_back(configuration);
          addThread(larger.back(), thread);
        }
      result = std::move(larger);
    }
  }
  return result;
}

std::vector<Step> Interpreter::steps(const Configuration &before) const {
  std::vector<Step> result;
  for (const Thread &thread : before.threads) {
    auto taken = stepsOf(before, thread);
    std::move(taken.begin(), taken.end(), std::back_inserter(result));
  }
  return result;
}

std::vector<Step> Interpreter::stepsOf(const Configuration &before, const Thread &thread) const {
  std::vector<Step> result;
  for (EdgeId edge : program_.templates[thread.thread].edgesFrom(thread.location)) {
    auto taken = EdgeTaker(program_, ids_, before, thread, edge).run();
    std::move(taken.begin(), taken.end(), std::back_inserter(result));
  }
  return result;
}

std::optional<Failure> Interpreter::stateFailure(const Configuration &configuration) const {
  auto global = [&](Variable v, bool) {
    return configuration.globals.at(indexOf(program_.globals, v));
  };
  for (const Claim &invariant : program_.invariants)
    if (!logic::holds(invariant.formula, global))
      return Failure{FailureKind::Invariant, {}, invariant.text, invariant.range};
  auto at = [](const Thread &t, const Place &place) {
    return t.thread == place.thread && t.location == place.location;
  };
  for (const Exclusion &exclusion : program_.exclusions)
    for (const Thread &a : configuration.threads)
      for (const Thread &b : configuration.threads)
        if (a.number != b.number && at(a, exclusion.first) && at(b, exclusion.second))
          return Failure{
              FailureKind::Exclusion, {a.number, b.number}, exclusion.text, exclusion.range};
  return std::nullopt;
}

std::optional<Failure> Interpreter::stepFailure(const Configuration &before,
                                                const Step &step) const {
  const Edge &edge = program_.edge(step.templateId, step.edge);
  if (edge.failure)
    return Failure{*edge.failure, {step.thread}, edge.text, edge.range};
  auto change = [&](Variable v, bool primed) {
    return (primed ? step.after : before).globals.at(indexOf(program_.globals, v));
  };
  for (const Thread &other : before.threads) {
    if (other.number == step.thread || !step.after.find(other.number))
      continue;
    for (const Claim &rely : program_.templates[other.thread].locations[other.location].relies)
      if (!logic::holds(rely.formula, change))
        return Failure{FailureKind::Rely, {other.number, step.thread}, rely.text, rely.range};
  }
  return std::nullopt;
}

bool Interpreter::isDeadlock(const Configuration &configuration) const {
  bool someoneUnfinished =
      std::any_of(configuration.threads.begin(), configuration.threads.end(), [&](const Thread &t) {
        return program_.templates[t.thread].locations[t.location].kind != LocationKind::Final;
      });
  return someoneUnfinished && steps(configuration).empty();
}

} // namespace understudy::compose
