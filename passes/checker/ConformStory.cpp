// SPDX-License-Identifier: Apache-2.0
//
// A trace of the checker, told as a run of the C thread. The set F is computed anew from the
// values in the trace, by the seven steps as `MachineRun` takes them, and compared with what the
// checker computed: a second opinion on the instrumentation for every violation.
#include "passes/checker/ConformStory.h"

#include "logic/Words.h"

#include <llvm/IR/GlobalVariable.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace understudy::passes::checker {

namespace {

using Nodes = MachineRun::Nodes;
using State = MachineRun::State;

class Teller {
public:
  Teller(const CheckerModel &model, const compose::Trace &trace)
      : model_(model), trace_(trace), run_(model.machine) {}

  ConformStory tell() {
    nodes_ = run_.initial();
    story_.initialStates = namesOf(nodes_);
    size_t last = trace_.steps.size();
    while (last > 0 && !placeOf(last - 1))
      --last;
    if (last == 0)
      throw std::logic_error("a trace of the checker without a place");
    // The way from a note to reach_error carries the note's place, too.
    if (last > 1 && placeOf(last - 2) == placeOf(last - 1))
      --last;
    for (size_t i = 0; i + 1 < last; ++i) {
      const lower::Place *place = placeOf(i);
      if (place != nullptr && place->kind == lower::PlaceKind::OthersMoved)
        othersMoved(trace_.steps[i].after);
      else if (place != nullptr)
        moved(*place, trace_.steps[i].after);
    }
    violation(*placeOf(last - 1), trace_.steps[last - 1].after);
    return std::move(story_);
  }

private:
  const CheckerModel &model_;
  const compose::Trace &trace_;
  MachineRun run_;
  ConformStory story_;
  Nodes nodes_;  ///< F
  State before_; ///< the shared state before the step that comes next
  State after_;  ///< the shared state after the last step
  bool begun_ = false;
  std::map<std::string, logic::SourceRange> held_; ///< mutexes, and where they were taken
  std::map<Variable, std::string>
      numbers_; ///< bools that are other numbers: "busy is 2 in the code"

  const lower::Place *placeOf(size_t step) const {
    const auto &id = model_.encoded.places[trace_.steps[step].edge];
    return id ? &model_.lowered.places[*id] : nullptr;
  }

  // -------------------------------------------------------------------------------------------
  // Values.

  logic::Value valueOf(compose::Variable variable, const compose::Configuration &at) const {
    const auto &globals = model_.program.globals;
    auto global = std::find(globals.begin(), globals.end(), variable);
    if (global != globals.end())
      return at.globals[static_cast<size_t>(global - globals.begin())];
    const auto &locals = model_.encoded.thread.locals;
    auto local = std::find(locals.begin(), locals.end(), variable);
    if (local == locals.end())
      throw std::logic_error("a variable of the checker is lost");
    return at.threads.front().locals[static_cast<size_t>(local - locals.begin())];
  }

  std::vector<int64_t> memory(const llvm::GlobalVariable &global,
                              const compose::Configuration &at) const {
    std::vector<int64_t> result;
    auto found = model_.encoded.memory.find(global.getName().str());
    if (found == model_.encoded.memory.end())
      return result;
    for (compose::Variable variable : found->second) {
      logic::Value value = valueOf(variable, at);
      if (!value.isArray()) {
        result.push_back(value.number());
        continue;
      }
      for (int64_t i = 0; i < variable.sort().arraySize().value_or(0); ++i)
        result.push_back(value.array().at(i));
    }
    return result;
  }

  /// The value as the contract sees it.
  static logic::Value seen(logic::Sort sort, const std::vector<int64_t> &elements) {
    logic::Sort element = sort.isArray() ? sort.element() : sort;
    auto number = [&](size_t i) {
      int64_t raw = i < elements.size() ? elements[i] : 0;
      return element.isBool() ? static_cast<int64_t>(raw != 0) : raw;
    };
    if (!sort.isArray())
      return number(0);
    logic::Value array = logic::constantArray(sort, logic::defaultValue(element).number());
    logic::ArrayValue content = array.array();
    for (int64_t i = 0; i < sort.arraySize().value_or(0); ++i)
      content = content.with(i, number(static_cast<size_t>(i)));
    return logic::Value(content);
  }

  State stateAt(const compose::Configuration &at) const {
    State state;
    for (Variable variable : model_.machine.program->globals) {
      std::vector<int64_t> elements;
      for (const memory::BoundVariable &bound : model_.binding.variables)
        if (bound.variable() == variable)
          elements = memory(*bound.global, at);
      if (auto found = model_.checker.unseen.find(variable); found != model_.checker.unseen.end())
        elements = memory(*found->second, at);
      state.push_back(seen(variable.sort(), elements));
    }
    return state;
  }

  Nodes nodesAt(const compose::Configuration &at) const {
    Nodes nodes;
    for (uint32_t i = 0; i < model_.checker.nodes.size(); ++i) {
      std::vector<int64_t> bit = memory(*model_.checker.nodes[i], at);
      if (!bit.empty() && bit.front() != 0)
        nodes.insert(i);
    }
    return nodes;
  }

  std::vector<std::string> namesOf(const Nodes &nodes) const {
    std::vector<std::string> names;
    for (uint32_t node : nodes)
      names.push_back(model_.machine.nodes[node].name);
    return names;
  }

  // -------------------------------------------------------------------------------------------
  // Events.

  void othersMoved(const compose::Configuration &at) {
    before_ = stateAt(at);
    tellNumbers(at);
    if (!begun_)
      nodes_ = run_.close(nodes_, before_);
    begun_ = true;
  }

  /// A bool of the contract that is another number than 0 and 1 in the code.
  void tellNumbers(const compose::Configuration &at) {
    numbers_.clear();
    for (const memory::BoundVariable &bound : model_.binding.variables) {
      if (!bound.isTruth() || bound.isBool)
        continue;
      std::vector<int64_t> elements = memory(*bound.global, at);
      for (size_t i = 0; i < elements.size(); ++i)
        if (elements[i] != 0 && elements[i] != 1)
          numbers_[bound.variable()] +=
              (bound.count == 0 ? bound.variable().name()
                                : bound.variable().name() + "[" + std::to_string(i) + "]") +
              " is " + std::to_string(elements[i]) + " in the code";
    }
  }

  void addNumber(Variable variable, ConformStep &step) const {
    if (auto found = numbers_.find(variable); found != numbers_.end())
      step.inputs.push_back(found->second);
  }

  bool isUnseen(Variable variable) const {
    const auto &unseen = model_.machine.unseen;
    return std::find(unseen.begin(), unseen.end(), variable) != unseen.end();
  }

  /// What the step finds: the variables it uses, and those that others have changed.
  void tellBefore(const lower::Place &place, ConformStep &step) const {
    const auto &globals = model_.machine.program->globals;
    for (size_t i = 0; i < globals.size(); ++i) {
      bool used = std::find(place.variables.begin(), place.variables.end(), globals[i].name()) !=
                  place.variables.end();
      bool changed = after_.empty() || after_[i] != before_[i];
      if (isUnseen(globals[i]) || (!used && !changed))
        continue;
      step.supplied.push_back({globals[i], before_[i]});
      addNumber(globals[i], step);
    }
  }

  /// An atomic section, and an assertion in one, may use every variable.
  std::vector<std::string> usedBy(const lower::Place &place) const {
    bool isAny = place.kind == lower::PlaceKind::AtomicAssertion ||
                 (place.kind == lower::PlaceKind::Step && place.action.empty());
    if (!place.variables.empty() || !isAny)
      return place.variables;
    std::vector<std::string> names;
    for (Variable variable : model_.machine.program->globals)
      names.push_back(variable.name());
    return names;
  }

  void tellChanges(const State &now, ConformStep &step) const {
    const auto &globals = model_.machine.program->globals;
    for (size_t i = 0; i < globals.size(); ++i)
      if (!isUnseen(globals[i]) && now[i] != before_[i])
        step.changes.push_back({globals[i], before_[i], now[i]});
  }

  ConformStep &addStep(const lower::Place &place, const State &now) {
    ConformStep step;
    step.range = place.range;
    step.text =
        place.kind == lower::PlaceKind::Marker ? "UNDERSTUDY_AT(" + place.detail + ")" : place.text;
    step.uses = usedBy(place);
    tellBefore(place, step);
    tellChanges(now, step);
    story_.steps.push_back(std::move(step));
    return story_.steps.back();
  }

  /// Steps 1 and 4 to 6.
  void moved(const lower::Place &place, const compose::Configuration &at) {
    State now = stateAt(at);
    nodes_ = run_.close(run_.move(run_.close(nodes_, before_), before_, now, place.action), now);
    if (nodes_ != nodesAt(at))
      throw std::logic_error("the checker and the definition disagree on the possible states");
    addStep(place, now).states = namesOf(nodes_);
    after_ = now;
    if (place.lockUse == lower::LockUse::Takes)
      held_[place.lock] = place.range;
    if (place.lockUse == lower::LockUse::Releases)
      held_.erase(place.lock);
  }

  static std::string whereTaken(const logic::SourceRange &range) {
    return range.known() ? ", taken on line " + std::to_string(range.begin.line) : "";
  }

  /// " (it holds lock, taken on line 7)".
  std::string holding() const {
    return held_.empty() ? "" : " (it holds " + logic::joined(held_, [](const auto &held) {
                                  return held.first + whereTaken(held.second);
                                }) + ")";
  }

  /// A mutex is misused, whatever the contract allows.
  bool misuses(const lower::Place &place) {
    auto found = held_.find(place.lock);
    if (place.lockUse == lower::LockUse::Takes && found != held_.end())
      story_.sentence = place.lock + " is already held" + whereTaken(found->second);
    else if (place.lockUse == lower::LockUse::Releases && found == held_.end())
      story_.sentence = place.lock + " is released, but not held";
    else
      return false;
    story_.kind = ViolationKind::Lock;
    return true;
  }

  void violation(const lower::Place &place, const compose::Configuration &at) {
    story_.range = place.range;
    Nodes possible = run_.close(nodes_, before_);
    switch (place.kind) {
    case lower::PlaceKind::Step:
      violatingStep(place, stateAt(at), possible);
      return;
    case lower::PlaceKind::Marker:
      addStep(place, before_).states = namesOf(possible);
      story_.kind = ViolationKind::Marker;
      story_.sentence = "the marker says " + place.detail + ", but the contract can only be at " +
                        listed(possible) + " here";
      return;
    case lower::PlaceKind::Assertion:
      claim(place, possible);
      story_.kind = ViolationKind::Assertion;
      story_.sentence = "this assertion can fail, and the contract at " + listed(possible) +
                        " does not rule it out" + holding();
      return;
    case lower::PlaceKind::AtomicAssertion:
      claim(place, possible);
      story_.kind = ViolationKind::Atomic;
      story_.sentence =
          "this assertion can fail, and inside an atomic section the contract cannot rule it out";
      return;
    case lower::PlaceKind::Return:
      if (!held_.empty()) {
        story_.kind = ViolationKind::Lock;
        story_.sentence =
            "the function returns while it holds " + logic::joined(held_, [](const auto &held) {
              return held.first + whereTaken(held.second);
            });
        return;
      }
      story_.kind = ViolationKind::Return;
      story_.sentence = "the function returns, but the contract cannot have ended: it can only be "
                        "at " +
                        listed(nodes_);
      return;
    case lower::PlaceKind::Range:
      obligation(place, ViolationKind::Range, "stores a value outside the contract's type");
      return;
    case lower::PlaceKind::Underflow:
      obligation(place, ViolationKind::Underflow, "would drop below 0, the minimum of its C type");
      return;
    case lower::PlaceKind::Overflow:
      obligation(place, ViolationKind::Overflow, "would overflow its C type");
      return;
    case lower::PlaceKind::Guard:
      obligation(place, ViolationKind::Guard,
                 "is written without holding " + (place.lock.empty() ? "its mutex" : place.lock) +
                     holding());
      return;
    case lower::PlaceKind::NeverWritten:
      obligation(place, ViolationKind::Step,
                 "changes in the middle of this section, and no edge of the system changes it (an "
                 "edge with " +
                     place.detail + "' == " + place.detail + " would allow it)");
      return;
    case lower::PlaceKind::OthersMoved:
    case lower::PlaceKind::Guess:
    case lower::PlaceKind::Index:
      break;
    }
    throw std::logic_error("a trace ends at a place where nothing can fail");
  }

  void claim(const lower::Place &place, const Nodes &possible) {
    ConformStep step;
    step.range = place.range;
    step.text = place.text;
    const auto &globals = model_.machine.program->globals;
    for (size_t i = 0; i < globals.size(); ++i)
      if (!isUnseen(globals[i])) {
        step.supplied.push_back({globals[i], before_[i]});
        addNumber(globals[i], step);
      }
    step.uses = usedBy(place);
    step.states = namesOf(possible);
    story_.steps.push_back(std::move(step));
  }

  void obligation(const lower::Place &place, ViolationKind kind, const std::string &what) {
    lower::Place shown = place;
    shown.variables = {place.detail};
    addStep(shown, before_).states = namesOf(run_.close(nodes_, before_));
    story_.kind = kind;
    story_.sentence = kind == ViolationKind::Range ? "this step " + what + ": " + place.detail
                                                   : place.detail + " " + what;
  }

  std::string listed(const Nodes &nodes) const {
    return nodes.empty()
               ? "no state"
               : logic::joined(
                     nodes, [&](uint32_t node) { return model_.machine.nodes[node].name; }, " or ");
  }

  void violatingStep(const lower::Place &place, const State &now, const Nodes &possible) {
    if (!run_.move(possible, before_, now, place.action).empty())
      throw std::logic_error("the checker rejects a step that the definition allows");
    story_.kind = ViolationKind::Step;
    ConformStep &step = addStep(place, now);
    if (misuses(place))
      return;
    std::string changes = logic::joined(step.changes, [](const SharedChange &change) {
      logic::Sort sort = change.variable.sort();
      return change.variable.name() + " from " + logic::valueText(change.before, sort) + " to " +
             logic::valueText(change.after, sort);
    });
    std::string does = !place.action.empty() ? "this is the action '" + place.action + "'"
                       : changes.empty()     ? "this step changes nothing"
                                             : "this step sets " + changes;
    story_.sentence =
        does + ", which the contract does not allow at " + listed(possible) + holding();
    for (uint32_t node : possible)
      story_.allowed.push_back(allowedFrom(node));
  }

  /// "from Leaving: pendingIO' == pendingIO - 1 (to Left)".
  std::string allowedFrom(uint32_t node) const {
    std::string text;
    std::vector<compose::EdgeId> told;
    for (const MachineEdge &edge : model_.machine.edges) {
      if (edge.source != node || std::find(told.begin(), told.end(), edge.edge) != told.end())
        continue;
      told.push_back(edge.edge);
      const compose::Edge &written = model_.machine.thread().edges[edge.edge];
      text += (text.empty() ? "" : "; ") + conditionOf(written.text) + " (to " +
              model_.machine.thread().locations[written.target].name + ")";
    }
    std::string name = model_.machine.nodes[node].name;
    return text.empty() ? "from " + name + ": no shared change" : "from " + name + " only: " + text;
  }

  static std::string conditionOf(const std::string &edge) {
    size_t colon = edge.find(':');
    size_t action = edge.find(" do ");
    if (colon == std::string::npos || (action != std::string::npos && action < colon))
      return action == std::string::npos ? "no shared change" : edge.substr(action + 1);
    std::string condition = edge.substr(colon + 1);
    condition.erase(0, condition.find_first_not_of(' '));
    return condition;
  }
};

} // namespace

ConformStory tellConformance(const CheckerModel &model, const compose::Trace &trace) {
  return Teller(model, trace).tell();
}

std::vector<int64_t> inputsOf(const CheckerModel &model, const compose::Trace &trace) {
  std::vector<int64_t> result;
  const auto &locals = model.encoded.thread.locals;
  for (const compose::Step &step : trace.steps)
    for (const encode::Input &input : model.encoded.inputs[step.edge]) {
      if (input.function.empty())
        continue;
      auto index = static_cast<size_t>(std::find(locals.begin(), locals.end(), input.variable) -
                                       locals.begin());
      result.push_back(step.after.threads.front().locals.at(index).number());
    }
  return result;
}

} // namespace understudy::passes::checker
