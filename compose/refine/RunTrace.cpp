// SPDX-License-Identifier: Apache-2.0
//
// Lemma 3.8 of the petrification paper, carried out: instances become threads numbered in order of
// creation, markings and states become configurations. Transitions that only look (exclusions) or
// choose an initial location are no steps.
#include "compose/refine/RunTrace.h"

#include "compose/Interpreter.h"
#include "logic/Error.h"

#include <algorithm>
#include <map>

namespace understudy::compose::refine {

namespace {

using petri::Instance;
using petri::TransitionKind;
using petri::TransitionMeaning;

class TraceBuilder {
public:
  TraceBuilder(const Program &program, const petri::PetriProgram &petri, const petri::Run &run,
               const Execution &execution)
      : program_(program), petri_(petri), run_(run), execution_(execution) {}

  RunTrace build() {
    for (Variable v : petri_.variables)
      values_[v] = logic::defaultValue(v.sort());
    update({{}, petri_.variables}, 0);
    begin();
    for (size_t i = 0; i < run_.size(); ++i)
      fire(petri_.transitions[run_[i]], i + 2);
    const Interpreter interpreter(program_);
    std::optional<Failure> failure = interpreter.stateFailure(trace_.end());
    if (!trace_.steps.empty())
      if (auto failed = interpreter.stepFailure(
              trace_.steps.size() == 1 ? trace_.start : trace_.steps.end()[-2].after,
              trace_.steps.back()))
        failure = failed;
    trace_.failure = failure.value_or(Failure{});
    if (auto defect = replay(program_, trace_))
      return {std::nullopt, *defect};
    return {std::move(trace_), ""};
  }

private:
  const Program &program_;
  const petri::PetriProgram &petri_;
  const petri::Run &run_;
  const Execution &execution_;
  std::map<Variable, logic::Value> values_;
  std::map<Instance, uint32_t> numbers_;
  Trace trace_;

  /// The solver does not tell every value: some arrays it describes in ways we do not read.
  void update(const petri::Label &label, size_t state) {
    const auto &known = execution_.states.at(state);
    const std::map<Variable, logic::Value> before = values_;
    for (Variable v : label.modified)
      if (auto found = known.find(v); found != known.end())
        values_[v] = found->second;
      else
        values_[v] = definedValue(label, v, before).value_or(logic::defaultValue(v.sort()));
  }

  /// The value of e, where the label says v' == e about the state before.
  static std::optional<logic::Value> definedValue(const petri::Label &label, Variable v,
                                                  const std::map<Variable, logic::Value> &before) {
    for (const Term &conjunct : label.conjuncts) {
      if (conjunct.op() != logic::Op::Equal)
        continue;
      for (size_t side : {0u, 1u}) {
        const Term &value = conjunct.operand(1 - side);
        if (conjunct.operand(side) == conjunct.pool().primed(v) && !value.hasPrimes())
          return logic::evaluate(value, [&](Variable w, bool) { return before.at(w); });
      }
    }
    return std::nullopt;
  }

  std::vector<logic::Value> valuesOf(const std::vector<Variable> &variables) const {
    std::vector<logic::Value> result;
    for (Variable v : variables)
      result.push_back(values_.at(v));
    return result;
  }
  const std::vector<Variable> &localsOf(Instance instance) const {
    return petri_.locals[instance.thread][instance.number - 1];
  }

  /// Where a thread of the start begins: as the run chooses, or anywhere.
  LocationId firstLocation(Instance instance) const {
    for (petri::TransitionId id : run_) {
      const TransitionMeaning &meaning = petri_.transitions[id];
      if (meaning.kind == TransitionKind::Choice && meaning.mover == instance)
        return meaning.location;
    }
    return program_.templates[instance.thread].initials.front();
  }

  void begin() {
    trace_.start.globals = valuesOf(program_.globals);
    std::vector<uint32_t> next(program_.templates.size());
    for (const Start &start : program_.starts)
      for (uint32_t i = 0; i < start.count; ++i) {
        const Instance instance{start.thread, petri_.starting[start.thread][next[start.thread]++]};
        numbers_[instance] = ++trace_.start.created;
        trace_.start.threads.push_back({trace_.start.created, start.thread, firstLocation(instance),
                                        std::nullopt, valuesOf(localsOf(instance))});
      }
  }

  static Thread &threadOf(Configuration &configuration, uint32_t number) {
    return *std::find_if(configuration.threads.begin(), configuration.threads.end(),
                         [&](const Thread &thread) { return thread.number == number; });
  }

  void fire(const TransitionMeaning &meaning, size_t state) {
    if (meaning.kind == TransitionKind::Exclusion || meaning.kind == TransitionKind::Choice)
      return;
    const Configuration &before = trace_.end();
    const Edge &edge = program_.edge(meaning.mover.thread, meaning.edge);
    compose::Step step{numbers_.at(meaning.mover), meaning.mover.thread, meaning.edge, {}, before};
    std::optional<int64_t> id = newId(before, edge, meaning);
    update(meaning.label, state);
    step.after.globals = valuesOf(program_.globals);
    Thread &mover = threadOf(step.after, step.thread);
    mover.location = edge.target;
    mover.locals = valuesOf(localsOf(meaning.mover));
    if (std::holds_alternative<Fork>(edge.action))
      create(step, meaning, id);
    else
      for (const Instance &other : meaning.others)
        step.others.push_back(numbers_.at(other));
    std::sort(step.others.begin(), step.others.end());
    if (std::holds_alternative<Join>(edge.action))
      std::erase_if(step.after.threads,
                    [&](const Thread &thread) { return thread.number == step.others.front(); });
    else if (!std::holds_alternative<Fork>(edge.action))
      for (uint32_t number : step.others) {
        Thread &woken = threadOf(step.after, number);
        woken.location =
            program_.templates[woken.thread].locations[woken.location].waiting->wakesTo;
      }
    trace_.steps.push_back(std::move(step));
  }

  void create(compose::Step &step, const TransitionMeaning &meaning, std::optional<int64_t> id) {
    const Instance created = meaning.others.front();
    if (auto variable = petri_.ids[created.thread][created.number - 1])
      id = values_.at(*variable).number();
    numbers_[created] = ++step.after.created;
    step.after.threads.push_back(
        {step.after.created, created.thread, meaning.location, id, valuesOf(localsOf(created))});
    step.others = {step.after.created};
  }

  /// The id of the thread that the edge creates, where the net has no variable for it.
  std::optional<int64_t> newId(const Configuration &before, const Edge &edge,
                               const TransitionMeaning &meaning) const {
    const auto *fork = std::get_if<Fork>(&edge.action);
    if (!fork)
      return std::nullopt;
    if (fork->id) {
      const auto &locals = program_.templates[meaning.mover.thread].locals;
      const auto &copies = localsOf(meaning.mover);
      return logic::evaluate(*fork->id,
                             [&](Variable v, bool) {
                               auto local = std::find(locals.begin(), locals.end(), v);
                               return values_.at(
                                   local == locals.end()
                                       ? v
                                       : copies[static_cast<size_t>(local - locals.begin())]);
                             })
          .number();
    }
    int64_t fresh = 1;
    for (const Thread &thread : before.threads)
      fresh = std::max(fresh, thread.id.value_or(0) + 1);
    return fresh;
  }
};

} // namespace

RunTrace traceOf(const Program &program, const petri::PetriProgram &petri, const petri::Run &run,
                 const Execution &execution) {
  try {
    return TraceBuilder(program, petri, run, execution).build();
  } catch (const logic::Unsupported &unsupported) {
    return {std::nullopt, unsupported.what()};
  }
}

} // namespace understudy::compose::refine
