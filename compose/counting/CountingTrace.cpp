// SPDX-License-Identifier: Apache-2.0
//
// From a path of the counter system to an execution: at each step some thread of the crowd is
// chosen, the first one; which one matters only for joins by id, and if the choice was wrong, no
// trace is found. What is built is checked step by step by the interpreter.
#include "compose/counting/CountingParts.h"

#include "compose/Interpreter.h"
#include "logic/Error.h"

#include <algorithm>
#include <map>

namespace understudy::compose::counting {

namespace {

using logic::Value;
using logic::solver::Satisfiability;

class TraceBuilder {
public:
  TraceBuilder(const CountingModel &model, const CountingPath &path, Budget &budget)
      : model_(model), program_(*model.program), interpreter_(program_), path_(path),
        budget_(budget) {}

  std::optional<Trace> run() {
    if (path_.states.empty() || !start())
      return std::nullopt;
    for (size_t i = 0; i + 1 < path_.states.size(); ++i)
      if (!advance(path_.states[i], path_.states[i + 1]))
        return std::nullopt;
    if (!fail() || replay(program_, trace_))
      return std::nullopt;
    return std::move(trace_);
  }

private:
  using State = CountingPath::State;
  using Numbers = std::function<Value(Variable variable)>;

  const CountingModel &model_;
  const Program &program_;
  Interpreter interpreter_;
  const CountingPath &path_;
  Budget &budget_;
  Trace trace_;

  Value valueIn(const State &state, Variable v) const {
    auto at = std::find(model_.variables.begin(), model_.variables.end(), v);
    return at == model_.variables.end()
               ? logic::defaultValue(v.sort())
               : state.values[static_cast<size_t>(at - model_.variables.begin())];
  }

  std::vector<Value> valuesIn(const State &state, const std::vector<Variable> &variables) const {
    std::vector<Value> result;
    for (Variable v : variables)
      result.push_back(valueIn(state, v));
    return result;
  }

  bool start() {
    constexpr int64_t most = 10'000;
    const State &state = path_.states.front();
    Configuration configuration{valuesIn(state, program_.globals), {}, 0};
    auto add = [&](TemplateId thread, LocationId location, const std::vector<Value> &locals) {
      configuration.threads.push_back(
          {++configuration.created, thread, location, std::nullopt, locals});
    };
    for (SingleId i = 0; i < model_.singles.size(); ++i)
      add(model_.singles[i], model_.controls[state.control][i],
          valuesIn(state, program_.templates[model_.singles[i]].locals));
    for (const proof::Crowd &crowd : model_.crowds)
      for (int64_t i = valueIn(state, crowd.count).number(); i > 0; --i) {
        if (configuration.created == most)
          return false;
        add(crowd.thread, crowd.location, crowd.locals);
      }
    trace_.start = std::move(configuration);
    return interpreter_.isStart(trace_.start);
  }

  bool advance(const State &from, const State &to) {
    auto values = [&](Variable v, bool primed) { return valueIn(primed ? to : from, v); };
    for (const CountingStep &step : model_.steps) {
      if (step.source != from.control || step.target != to.control)
        continue;
      auto holds = [&](const Term &t) { return logic::holds(t, values); };
      bool leads = std::all_of(step.guard.begin(), step.guard.end(), holds);
      for (size_t i = 0; leads && i < step.after.size(); ++i)
        leads = logic::evaluate(step.after[i], values) == to.values[i];
      if (leads && take(step.move, step.others, [&](Variable v) { return valueIn(to, v); }))
        return true;
    }
    return false;
  }

  /// The last state is wrong, or a last step is.
  bool fail() {
    if (auto failure = interpreter_.stateFailure(trace_.end())) {
      trace_.failure = *failure;
      return true;
    }
    const State &last = path_.states.back();
    for (const CountingError &error : model_.errors)
      if (error.source == last.control && error.move && failBy(error, last))
        return true;
    return false;
  }

  bool failBy(const CountingError &error, const State &last) {
    logic::TermPool &pool = model_.pool();
    logic::solver::Solver solver(pool, budget_.limits());
    for (size_t i = 0; i < model_.variables.size(); ++i)
      solver.add(pool.equal(pool.var(model_.variables[i]),
                            logic::termOf(pool, last.values[i], model_.variables[i].sort())));
    for (const Term &part : error.guard)
      solver.add(part);
    if (budget_.check(solver) != Satisfiability::Sat)
      return false;
    logic::solver::Model found = solver.model();
    Configuration before = trace_.end();
    if (!take(*error.move, error.others, [&](Variable v) {
          return found.valueOf(v, true).value_or(logic::defaultValue(v.sort()));
        }))
      return false;
    auto failure = interpreter_.stepFailure(before, trace_.steps.back());
    if (!failure) {
      trace_.steps.pop_back();
      return false;
    }
    trace_.failure = *failure;
    return true;
  }

  Thread *findIn(Configuration &configuration, CrowdId id, uint32_t except,
                 const std::optional<Value> &threadId = std::nullopt) const {
    const proof::Crowd &crowd = model_.crowds[id];
    for (Thread &thread : configuration.threads)
      if (thread.number != except && thread.thread == crowd.thread &&
          thread.location == crowd.location && thread.locals == crowd.locals &&
          (!threadId || (thread.id && Value(*thread.id) == *threadId)))
        return &thread;
    return nullptr;
  }
  Thread *findSingle(Configuration &configuration, SingleId single) const {
    for (Thread &thread : configuration.threads)
      if (thread.thread == model_.singles[single])
        return &thread;
    return nullptr;
  }

  /// Appends the step if the interpreter allows it. `after` are the values of modified variables.
  bool take(uint32_t moveId, const Others &others, const Numbers &after) {
    const CrowdMove &move = model_.moves[moveId];
    const Configuration before = trace_.end();
    Step step{0, move.thread, move.edge, {}, before};
    Thread *mover =
        move.single ? findSingle(step.after, *move.single) : findIn(step.after, move.source, 0);
    if (!mover)
      return false;
    step.thread = mover->number;
    const Thread old = *mover;
    if (!wakeAndJoin(step, move, others, old))
      return false;
    applyData(step, move, after);
    if (others.created)
      create(step, move, *others.created, old, after);
    std::sort(step.others.begin(), step.others.end());
    if (!interpreter_.allows(before, step))
      return false;
    trace_.steps.push_back(std::move(step));
    return true;
  }

  void applyData(Step &step, const CrowdMove &move, const Numbers &after) const {
    const Edge &edge = program_.edge(move.thread, move.edge);
    const Template &type = program_.templates[move.thread];
    Thread &mover = *std::find_if(step.after.threads.begin(), step.after.threads.end(),
                                  [&](const Thread &t) { return t.number == step.thread; });
    mover.location = edge.target;
    for (Variable v : edge.modified) {
      auto local = std::find(type.locals.begin(), type.locals.end(), v);
      auto global = std::find(program_.globals.begin(), program_.globals.end(), v);
      if (global != program_.globals.end())
        step.after.globals[static_cast<size_t>(global - program_.globals.begin())] = after(v);
      else if (!move.target)
        mover.locals[static_cast<size_t>(local - type.locals.begin())] = after(v);
    }
    if (move.target)
      mover.locals = model_.crowds[*move.target].locals;
  }

  Value inMover(const Configuration &configuration, const Thread &mover, Term term) const {
    const Template &type = program_.templates[mover.thread];
    return logic::evaluate(term, [&](Variable v, bool) {
      auto local = std::find(type.locals.begin(), type.locals.end(), v);
      if (local != type.locals.end())
        return mover.locals[static_cast<size_t>(local - type.locals.begin())];
      auto global = std::find(program_.globals.begin(), program_.globals.end(), v);
      return configuration.globals[static_cast<size_t>(global - program_.globals.begin())];
    });
  }

  bool wakeAndJoin(Step &step, const CrowdMove &move, const Others &others, const Thread &mover) {
    const Edge &edge = program_.edge(move.thread, move.edge);
    if (others.joined) {
      const auto &join = std::get<Join>(edge.action);
      std::optional<Value> id;
      if (join.id)
        id = inMover(trace_.end(), mover, *join.id);
      const Thread *joined = findIn(step.after, *others.joined, step.thread, id);
      if (!joined)
        return false;
      step.others = {joined->number};
      std::erase_if(step.after.threads,
                    [&](const Thread &t) { return t.number == step.others.front(); });
    }
    if (others.woken || others.wokenSingle) {
      Thread *woken = others.woken ? findIn(step.after, *others.woken, step.thread)
                                   : findSingle(step.after, *others.wokenSingle);
      if (!woken)
        return false;
      wake(step, *woken);
    }
    if (const auto *broadcast = std::get_if<BroadcastCond>(&edge.action))
      for (Thread &thread : step.after.threads) {
        const auto &waiting = program_.templates[thread.thread].locations[thread.location].waiting;
        if (thread.number != step.thread && waiting && waiting->cond == broadcast->cond)
          wake(step, thread);
      }
    return true;
  }

  void wake(Step &step, Thread &thread) const {
    thread.location = program_.templates[thread.thread].locations[thread.location].waiting->wakesTo;
    step.others.push_back(thread.number);
  }

  void create(Step &step, const CrowdMove &move, CrowdId id, const Thread &mover,
              const Numbers &after) const {
    const auto &fork = std::get<Fork>(program_.edge(move.thread, move.edge).action);
    const proof::Crowd &crowd = model_.crowds[id];
    int64_t threadId = 1;
    for (const Thread &thread : step.after.threads)
      threadId = std::max(threadId, thread.id.value_or(0) + 1);
    if (fork.id)
      threadId = inMover(trace_.end(), mover, *fork.id).number();
    else if (fork.result)
      threadId = idOf(step, *fork.result, after);
    step.after.threads.push_back(
        {++step.after.created, crowd.thread, crowd.location, threadId, crowd.locals});
    step.others.push_back(step.after.created);
  }

  /// The value that the step gives to the variable.
  int64_t idOf(const Step &step, Variable result, const Numbers &after) const {
    const auto &locals = program_.templates[step.templateId].locals;
    auto local = std::find(locals.begin(), locals.end(), result);
    return local == locals.end() ? after(result).number()
                                 : step.after.find(step.thread)
                                       ->locals[static_cast<size_t>(local - locals.begin())]
                                       .number();
  }
};

} // namespace

std::optional<Trace> traceOf(const CountingModel &model, const CountingPath &path, Budget &budget) {
  try {
    budget.report("counterexample");
    return TraceBuilder(model, path, budget).run();
  } catch (const logic::Unsupported &) {
    return std::nullopt;
  }
}

} // namespace understudy::compose::counting
