// SPDX-License-Identifier: Apache-2.0
#include "GhostRun.h"

#include "compose/Interpreter.h"
#include "compose/proof/SlotModel.h"
#include "logic/Error.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>

namespace understudy::tests {

namespace {

using namespace compose;
using compose::proof::OwickiGries;
using compose::proof::Slot;
using logic::ArrayValue;
using logic::Sort;
using logic::Value;

struct State {
  Configuration program;
  std::map<uint32_t, Slot> slots;      ///< thread -> where it is
  std::map<std::string, Value> values; ///< of slots, also of those that are empty now
  std::map<std::string, int64_t> ghosts;

  auto key() const {
    std::vector<std::tuple<Slot, LocationId, std::vector<Value>, std::optional<int64_t>>> threads;
    for (const Thread &thread : program.threads)
      threads.emplace_back(slots.at(thread.number), thread.location, thread.locals, thread.id);
    std::sort(threads.begin(), threads.end());
    return std::tuple(program.globals, threads, values, ghosts);
  }
};

class Run {
public:
  Run(const Program &program, const OwickiGries &annotation)
      : program_(program), annotation_(annotation), interpreter_(program),
        model_(program, annotation.slots) {
    for (const OwickiGries::At &at : annotation.assertions)
      assertions_[{at.slot, at.location}] = at.formula;
    for (const OwickiGries::Update &update : annotation.updates)
      updates_[{update.mover, update.edge, update.others}] = &update;
    for (const SlotStep &step : model_.steps())
      if (step.kind == SlotStep::Kind::Taken)
        steps_[keyOf(step)] = &step;
  }

  std::optional<std::string> faultOfRun(size_t maxStates) {
    for (const Configuration &start : interpreter_.starts()) {
      State state{start, {}, {}, {}};
      for (const Thread &thread : start.threads)
        if (!enter(state, thread))
          return "a thread of the start finds no slot";
      for (const OwickiGries::Ghost &ghost : annotation_.ghosts)
        state.ghosts[ghost.variable.name()] = ghost.initial.value();
      add(std::move(state));
    }
    while (!open_.empty() && seen_.size() < maxStates) {
      const State state = open_.front();
      open_.pop_front();
      reached_.push_back(state);
      if (auto fault = faultIn(state))
        return fault;
    }
    return std::nullopt;
  }

  std::optional<std::string> faultOfChanges(Random &random, size_t &tried) {
    constexpr size_t attempts = 200;
    open_.clear();
    seen_.clear();
    for (size_t i = 0; i < attempts && !reached_.empty(); ++i) {
      State state = random.pick(reached_);
      for (size_t changes = 1 + random.below(3); changes > 0; --changes)
        change(state, random);
      refresh(state);
      if (!mayBeTogether(state) || faultAt(state))
        continue;
      ++tried;
      if (auto fault = faultIn(state))
        return "after a change, " + *fault;
      while (!open_.empty()) {
        const State next = open_.front();
        open_.pop_front();
        if (auto fault = faultAt(next))
          return "after a change and a step, " + *fault;
      }
    }
    return std::nullopt;
  }

private:
  using SlotStep = compose::proof::SlotStep;
  using Key = std::tuple<Slot, EdgeId, std::vector<OwickiGries::Other>>;
  const Program &program_;
  const OwickiGries &annotation_;
  Interpreter interpreter_;
  compose::proof::SlotModel model_;
  std::map<Key, const SlotStep *> steps_;
  std::vector<State> reached_;
  std::map<std::pair<Slot, std::optional<LocationId>>, Term> assertions_;
  std::map<Key, const OwickiGries::Update *> updates_;
  std::deque<State> open_;
  std::set<decltype(State().key())> seen_;

  void add(State state) {
    refresh(state);
    if (seen_.insert(state.key()).second)
      open_.push_back(std::move(state));
  }

  std::string scope(Slot slot) const {
    return program_.templates[slot.thread].name + "#" + std::to_string(slot.number);
  }

  /// The least slot that is free.
  bool enter(State &state, const Thread &thread) const {
    for (uint32_t number = 1; number <= annotation_.slots[thread.thread]; ++number) {
      const Slot slot{thread.thread, number};
      if (std::none_of(state.slots.begin(), state.slots.end(),
                       [&](const auto &taken) { return taken.second == slot; })) {
        state.slots[thread.number] = slot;
        return true;
      }
    }
    return false;
  }

  void refresh(State &state) const {
    std::set<Slot> used;
    for (const Thread &thread : state.program.threads) {
      const Slot slot = state.slots.at(thread.number);
      used.insert(slot);
      const auto &locals = program_.templates[thread.thread].locals;
      for (size_t i = 0; i < locals.size(); ++i)
        state.values[scope(slot) + "." + locals[i].name()] = thread.locals[i];
      state.values[scope(slot) + ".is live"] = thread.id ? 1 : 0;
      if (thread.id)
        state.values[scope(slot) + ".thread id"] = *thread.id;
    }
    for (auto &[name, value] : state.values)
      if (name.ends_with(".is live") && std::none_of(used.begin(), used.end(), [&](Slot slot) {
            return scope(slot) + ".is live" == name;
          }))
        value = 0;
  }

  logic::Environment environment(const State &state,
                                 const std::map<std::string, int64_t> &ghosts) const {
    return [this, &state, &ghosts](Variable v, bool) -> Value {
      for (size_t i = 0; i < program_.globals.size(); ++i)
        if (program_.globals[i] == v)
          return state.program.globals[i];
      if (auto ghost = ghosts.find(v.name()); v.scope().empty() && ghost != ghosts.end())
        return ghost->second;
      auto found = state.values.find(v.fullName());
      return found == state.values.end() ? logic::defaultValue(v.sort()) : found->second;
    };
  }

  Key keyOf(const SlotStep &step) const {
    std::vector<OwickiGries::Other> others;
    for (size_t i = 1; i < step.moves.size(); ++i) {
      const auto from = model_.locationAt(step.moves[i].from);
      others.push_back({model_.slots()[step.moves[i].slot],
                        from ? *from : *model_.locationAt(step.moves[i].to)});
    }
    std::sort(others.begin(), others.end());
    return {model_.slots()[step.moves[0].slot], step.edge, others};
  }

  std::optional<LocationId> locationIn(const State &state, Slot slot) const {
    for (const Thread &thread : state.program.threads)
      if (state.slots.at(thread.number) == slot)
        return thread.location;
    return std::nullopt;
  }

  std::optional<std::string> faultAt(const State &state) const {
    if (interpreter_.stateFailure(state.program))
      return "the program fails";
    for (Slot slot : model_.slots()) {
      auto at = assertions_.find({slot, locationIn(state, slot)});
      if (at == assertions_.end() || !logic::holds(at->second, environment(state, state.ghosts)))
        return "an assertion of " + scope(slot) + " is false";
    }
    return std::nullopt;
  }

  bool mayBeTogether(const State &state) const {
    std::vector<compose::proof::SlotPlace> places;
    for (compose::proof::SlotId slot = 0; slot < model_.slots().size(); ++slot)
      places.push_back(model_.place(slot, locationIn(state, model_.slots()[slot])));
    return std::all_of(places.begin(), places.end(), [&](auto a) {
      return std::all_of(places.begin(), places.end(),
                         [&](auto b) { return model_.together(a, b); });
    });
  }

  /// Does the model know that the step can be taken here, and who looks on?
  bool isKnown(const State &state, const Key &key) const {
    auto found = steps_.find(key);
    if (found == steps_.end() || !model_.canHappen(*found->second))
      return false;
    const auto lookers = model_.bystanders(*found->second);
    for (compose::proof::SlotId slot = 0; slot < model_.slots().size(); ++slot) {
      const auto &moves = found->second->moves;
      const bool moving = std::any_of(moves.begin(), moves.end(),
                                      [&](const auto &move) { return move.slot == slot; });
      const auto place = model_.place(slot, locationIn(state, model_.slots()[slot]));
      if (!moving && std::find(lookers.begin(), lookers.end(), place) == lookers.end())
        return false;
    }
    return true;
  }

  static Value changed(const Value &value, Sort sort, Random &random) {
    if (sort.isArray()) {
      const int64_t index =
          static_cast<int64_t>(random.below(static_cast<size_t>(sort.arraySize().value_or(3))));
      const ArrayValue &array = value.array();
      return Value(array.with(index, changed(array.at(index), sort.element(), random).number()));
    }
    if (auto values = sort.values())
      return random.pick(*values);
    return random.oneIn(2) ? value.number() + random.between(-2, 2) : random.between(-1, 3);
  }

  void change(State &state, Random &random) const {
    auto &threads = state.program.threads;
    const size_t kind = random.below(4);
    if (kind == 0 && !program_.globals.empty()) {
      const size_t i = random.below(program_.globals.size());
      state.program.globals[i] =
          changed(state.program.globals[i], program_.globals[i].sort(), random);
    } else if (kind == 1 && !annotation_.ghosts.empty()) {
      const Variable ghost = annotation_.ghosts[random.below(annotation_.ghosts.size())].variable;
      state.ghosts[ghost.name()] =
          changed(state.ghosts[ghost.name()], ghost.sort(), random).number();
    } else if (!threads.empty()) {
      Thread &thread = threads[random.below(threads.size())];
      const Template &type = program_.templates[thread.thread];
      if (kind == 2 && !type.locals.empty()) {
        const size_t i = random.below(type.locals.size());
        thread.locals[i] = changed(thread.locals[i], type.locals[i].sort(), random);
      } else {
        thread.location = static_cast<LocationId>(random.below(type.locations.size()));
      }
    }
  }

  std::optional<std::string> faultIn(const State &state) {
    if (auto fault = faultAt(state))
      return fault;
    for (const Step &step : interpreter_.steps(state.program)) {
      if (interpreter_.stepFailure(state.program, step))
        return "a step fails";
      if (auto fault = take(state, step))
        return fault;
    }
    return std::nullopt;
  }

  std::optional<std::string> take(const State &state, const Step &step) {
    State after = state;
    after.program = step.after;
    std::vector<OwickiGries::Other> others;
    for (uint32_t number : step.others) {
      const auto before = find(state.program, number);
      const auto now = find(step.after, number);
      if (!before && !enter(after, *now))
        return "a thread finds no slot";
      others.push_back({after.slots.at(number), (before ? before : now)->location});
      if (!now)
        after.slots.erase(number);
    }
    std::sort(others.begin(), others.end());
    refresh(after);
    const Key key{state.slots.at(step.thread), step.edge, others};
    if (!isKnown(state, key))
      return "the check does not know of a step";
    auto update = updates_.find(key);
    if (update != updates_.end())
      for (const auto &[ghost, value] : update->second->assign)
        after.ghosts[ghost.name()] =
            logic::evaluate(value, environment(after, state.ghosts)).number();
    add(std::move(after));
    return std::nullopt;
  }

  static std::optional<Thread> find(const Configuration &configuration, uint32_t number) {
    for (const Thread &thread : configuration.threads)
      if (thread.number == number)
        return thread;
    return std::nullopt;
  }
};

} // namespace

std::optional<std::string> faultOf(const Program &program, const OwickiGries &annotation,
                                   size_t maxStates, Random &random, size_t &tried) {
  Run run(program, annotation);
  auto fault = run.faultOfRun(maxStates);
  return fault ? fault : run.faultOfChanges(random, tried);
}

} // namespace understudy::tests
