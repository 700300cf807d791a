// SPDX-License-Identifier: Apache-2.0
#include "tools/outline/OutlineCheck.h"

#include "compose/proof/OwickiGriesCheck.h"
#include "logic/Substitute.h"
#include "logic/solver/Solver.h"
#include "tools/outline/OutlineWords.h"

#include <set>

namespace understudy::tools::outline {

using compose::proof::Discharge;
using compose::proof::OwickiGriesCheck;
using compose::proof::SlotPlace;
using compose::proof::SlotStep;
using compose::proof::Triple;
using compose::proof::TripleGroup;
using compose::proof::TripleKind;
using logic::Diagnostic;
using logic::Severity;

namespace {

class Explanation {
public:
  Explanation(const compose::Program &program, const Outline &outline)
      : program_(program), outline_(outline), check_(program, outline.annotation), words_(program) {
  }

  /// The obligation with this number, in the order in which they are asked.
  void explain(size_t number, OutlineFinding &into) {
    size_t before = 0;
    check_.each([&](const TripleGroup &group) {
      if (number > before + group.triples.size()) {
        before += group.triples.size();
        return true;
      }
      explain(group, group.triples[number - before - 1], into);
      return false;
    });
  }

private:
  const compose::Program &program_;
  const Outline &outline_;
  OwickiGriesCheck check_;
  OutlineWords words_;

  const compose::proof::SlotModel &model() const { return check_.model(); }

  /// "w", or "w in slot 2" where there are several.
  std::string threadName(compose::proof::SlotId id) const {
    const Slot slot = model().slots()[id];
    const std::string &name = program_.templates[slot.thread].name;
    return outline_.annotation.slots[slot.thread] > 1
               ? name + " in slot " + std::to_string(slot.number)
               : name;
  }

  void explain(const TripleGroup &group, const Triple &triple, OutlineFinding &into) {
    into.kind = word(triple.kind);
    const SlotStep *step = group.step ? &model().steps()[*group.step] : nullptr;
    into.values = valuesOf(group, triple, step);
    std::string values;
    for (const std::string &value : into.values)
      values += (values.empty() ? "" : ", ") + value;
    if (step) {
      into.reason = messageOf(triple, threadName(step->moves[0].slot));
      into.where.push_back({Severity::Error, model().edgeOf(*step).range,
                            into.reason + (values.empty() ? "" : ": " + values), ""});
      if (triple.kind == TripleKind::Local || triple.kind == TripleKind::Interference)
        addPlace(*triple.place, "this assertion of ", " does not hold after the step", into);
      else
        addPlace(step->moves[0].from, "this assertion of ", " does not exclude it", into);
      return;
    }
    if (!triple.place) {
      into.reason = "not shown: " + triple.meaning + (values.empty() ? "" : ": " + values);
      return;
    }
    into.reason = "an assertion does not hold at the start";
    addPlace(*triple.place, "this assertion of ",
             " does not hold at the start" + (values.empty() ? "" : ": " + values), into);
  }

  static std::string messageOf(const Triple &triple, const std::string &mover) {
    switch (triple.kind) {
    case TripleKind::Local:
      return "this step of " + mover + " does not lead to the assertion after it";
    case TripleKind::Interference:
      return "this step of " + mover + " does not keep the assertion of another thread";
    case TripleKind::Error:
      return "this step of " + mover + " can fail";
    case TripleKind::Bound:
      return "this fork of " + mover + " can find all slots taken";
    case TripleKind::Range:
      return "this fork of " + mover + " can give a parameter a value outside its type";
    case TripleKind::Invariant:
      return "this step of " + mover + " does not keep an invariant of the program";
    case TripleKind::Rely:
      return "this step of " + mover + " does not keep what another thread relies on";
    case TripleKind::Start:
    case TripleKind::Exclusion:
      break;
    }
    return triple.meaning;
  }

  void addPlace(SlotPlace place, const std::string &before, const std::string &behind,
                OutlineFinding &into) const {
    const auto slot = model().slotAt(place);
    const auto found = outline_.assertions.find({model().slots()[slot], model().locationAt(place)});
    if (found != outline_.assertions.end())
      into.where.push_back({into.where.empty() ? Severity::Error : Severity::Note, found->second,
                            before + threadName(slot) + behind, ""});
  }

  /// Of the variables that matter, from a model of what must be impossible.
  std::vector<std::string> valuesOf(const TripleGroup &group, const Triple &triple,
                                    const SlotStep *step) {
    constexpr uint64_t resources = 20'000'000;
    logic::solver::Solver solver(*program_.pool, {resources, 0, {}, nullptr});
    std::set<logic::Variable> used;
    auto add = [&](Term formula) {
      solver.add(formula);
      for (const logic::VariableUse &use : logic::variablesOf(formula))
        used.insert(use.variable);
    };
    for (const Term &condition : group.conditions)
      add(condition);
    add(triple.wrong);
    std::vector<std::string> result;
    if (solver.check() != logic::solver::Satisfiability::Sat)
      return result;
    const logic::solver::Model found = solver.model();
    for (logic::Variable variable : used)
      if (const auto before = found.valueOf(variable, false))
        result.push_back(change(variable, *before, found, step));
    return result;
  }

  std::string change(logic::Variable variable, const logic::Value &before,
                     const logic::solver::Model &model, const SlotStep *step) const {
    const compose::Mutex *mutex = words_.lockedMutex(variable);
    const std::string word = mutex ? "free(" + mutex->name + ")" : words_.wordFor(variable, "");
    auto text = [&](const logic::Value &value) {
      return mutex ? (value.number() == 0 ? "true" : "false")
                   : logic::valueText(value, variable.sort());
    };
    std::optional<logic::Value> after = model.valueOf(variable, true);
    if (step)
      after = ghostAfter(variable, *step, model, after);
    return after && *after != before ? word + ": " + text(before) + " → " + text(*after)
                                     : word + " = " + text(before);
  }

  /// What the step makes of a ghost.
  std::optional<logic::Value> ghostAfter(logic::Variable variable, const SlotStep &step,
                                         const logic::solver::Model &model,
                                         std::optional<logic::Value> otherwise) const {
    const Term becomes = check_.after(step, program_.pool->var(variable));
    try {
      return logic::evaluate(becomes, [&](logic::Variable v, bool primed) {
        return model.valueOf(v, primed).value();
      });
    } catch (const std::exception &) {
      return otherwise; // the model does not say
    }
  }
};

} // namespace

OutlineFinding checkOutline(const compose::Program &program, const Outline &outline,
                            const compose::proof::DischargeOptions &options) {
  OutlineFinding result;
  const auto script = compose::proof::owickiGriesObligations(
      program, compose::proof::evidenceOf(outline.annotation));
  result.obligations = script.size();
  const Discharge found = compose::proof::discharge(script, options);
  result.outcome = found.outcome;
  if (found.outcome == Discharge::Outcome::Unknown)
    result.reason = found.reason;
  if (found.outcome != Discharge::Outcome::Fails)
    return result;
  result.reason = found.obligation.meaning;
  const size_t space = found.obligation.name.rfind(' ');
  Explanation(program, outline)
      .explain(std::stoul(found.obligation.name.substr(space + 1)), result);
  return result;
}

} // namespace understudy::tools::outline
