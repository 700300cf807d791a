// SPDX-License-Identifier: Apache-2.0
#include "tools/exports/promela/PromelaStep.h"

#include "logic/Error.h"
#include "logic/Substitute.h"

#include <algorithm>
#include <set>

namespace understudy::tools::exports::promela {

using namespace compose;
using logic::VariableUse;

namespace {

/// The relies that a step can break, with the places where they are made.
struct PlacedRely {
  TemplateId kind;
  LocationId location;
  const Claim *claim;
};

std::vector<PlacedRely> allRelies(const Program &program) {
  std::vector<PlacedRely> result;
  for (TemplateId kind = 0; kind < program.templates.size(); ++kind) {
    const auto &locations = program.templates[kind].locations;
    for (LocationId location = 0; location < locations.size(); ++location)
      for (const Claim &claim : locations[location].relies)
        result.push_back({kind, location, &claim});
  }
  return result;
}

} // namespace

PromelaStep::PromelaStep(const PromelaModel &model, TemplateId kind, EdgeId edge)
    : model_(model), kind_(kind), type_(model.program().templates[kind]), edge_(type_.edges[edge]) {
}

std::string PromelaStep::what() const { return "the step '" + edge_.text + "'"; }

std::vector<std::string> PromelaStep::options() {
  for (const GuardedCommand &command : commands()) {
    if (edge_.failure) {
      // A step that goes wrong waits like one that does not.
      if (const auto *join = std::get_if<Join>(&edge_.action))
        for (const Act &act : joinActs(*join))
          addFailure(command, act.guards);
      else
        addFailure(command, {});
      continue;
    }
    for (Act &act : acts())
      addOption(command, std::move(act));
  }
  return std::move(options_);
}

std::vector<GuardedCommand> PromelaStep::commands() {
  const auto *fork = std::get_if<Fork>(&edge_.action);
  if (fork && fork->result)
    refuseChosenIds(*fork->result);
  std::vector<VariableUse> unknowns;
  for (Variable variable : edge_.modified)
    unknowns.push_back({variable, true});
  Term relation = fork ? forkRelation(*fork, unknowns) : edge_.relation;
  auto result =
      enumerated(guardedCommands(relation, unknowns, what(), edge_.range), what(), edge_.range);
  if (fork && fork->result) // the fork itself gives it its value
    for (GuardedCommand &command : result)
      std::erase(command.open, VariableUse{*fork->result, true});
  return result;
}

/// The relation cannot have a say in the id that the new thread gets.
void PromelaStep::refuseChosenIds(Variable result) const {
  auto uses = logic::variablesOf(edge_.relation);
  if (result.sort().kind() != logic::SortKind::Int ||
      std::find(uses.begin(), uses.end(), VariableUse{result, true}) != uses.end())
    throw logic::Unsupported("the Promela export cannot store the id of a new thread in '" +
                                 result.name() + "', which has a bounded range",
                             edge_.range);
}

/// The edge's relation and the start of the new thread, whose locals get stand-ins: a thread may
/// fork its own kind.
Term PromelaStep::forkRelation(const Fork &fork, std::vector<VariableUse> &unknowns) {
  const Template &created = model_.program().templates[fork.thread];
  logic::TermPool &pool = edge_.relation.pool();
  std::map<Variable, Term> replacements;
  for (size_t i = 0; i < created.locals.size(); ++i) {
    Variable local = created.locals[i];
    if (i < fork.arguments.size()) {
      replacements[local] = fork.arguments[i];
      continue;
    }
    Variable standIn = pool.variable("new " + created.name, local.name(), local.sort());
    newLocals_[standIn] = local;
    replacements[local] = pool.var(standIn);
    unknowns.push_back({standIn, false});
  }
  Term initial = logic::substitute(created.initial, [&](Variable variable, bool) {
    auto found = replacements.find(variable);
    return found == replacements.end() ? Term{} : found->second;
  });
  return pool.conjunction({edge_.relation, initial});
}

std::vector<std::string> PromelaStep::placeGuards() const {
  const Location &source = type_.locations[edge_.source];
  const PromelaKind &kind = model_.kind(kind_);
  bool movedByOthers = source.waiting || (source.kind == LocationKind::Final && kind.joinable);
  if (!movedByOthers)
    return {};
  return {model_.isAt(kind_, "me", edge_.source)};
}

std::string PromelaStep::guardText(const GuardedCommand &command,
                                   const std::vector<std::string> &more) const {
  PromelaExpression expression(model_.scope(), "me");
  std::vector<std::string> parts = placeGuards();
  for (const Term &term : command.guard)
    parts.push_back(expression(term));
  parts.insert(parts.end(), more.begin(), more.end());
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : " && ") + part;
  // SPIN refuses a loop that it sees to be unconditional, so "always" has to look like a condition.
  return text.empty() ? "_pid >= 0" : text;
}

void PromelaStep::addFailure(const GuardedCommand &command,
                             const std::vector<std::string> &guards) {
  options_.push_back(
      "atomic { " + guardText(command, guards) + " -> printf(\"" +
      promelaString(type_.name + ": " + edge_.text + " (" + edge_.range.text() + ")") +
      "\\n\"); assert(false); goto " + model_.label(kind_, edge_.target) + " }");
}

void PromelaStep::addWrites(const GuardedCommand &command, PromelaWrites &writes) const {
  auto place = [&](Variable variable) {
    auto standIn = newLocals_.find(variable);
    return standIn == newLocals_.end() ? std::pair<Variable, std::string>(variable, "me")
                                       : std::pair<Variable, std::string>(standIn->second, "slot");
  };
  for (const Assignment &assignment : command.assignments) {
    auto [variable, slot] = place(assignment.variable);
    writes.assign(variable, slot, assignment.value, "me");
  }
  for (const VariableUse &open : command.open) {
    auto [variable, slot] = place(open.variable);
    writes.choose(variable, slot);
  }
}

void PromelaStep::addOption(const GuardedCommand &command, Act act) {
  addWrites(command, act.writes);
  std::string saves;
  std::string relies = relyChecks(act, saves);
  std::string text = "atomic { " + guardText(command, act.guards) + " -> " + act.before + saves +
                     act.writes.statements() + relies + act.after;
  if (model_.kind(kind_).hasPlaceTable)
    text += model_.kind(kind_).placeTable + "[me] = " + std::to_string(edge_.target) + "; ";
  text += promelaStateChecks(model_.program());
  options_.push_back(text + "goto " + model_.label(kind_, edge_.target) + " }");
}

std::vector<PromelaStep::Act> PromelaStep::acts() const {
  if (const auto *fork = std::get_if<Fork>(&edge_.action))
    return forkActs(*fork);
  if (const auto *join = std::get_if<Join>(&edge_.action))
    return joinActs(*join);
  if (const auto *signal = std::get_if<SignalCond>(&edge_.action))
    return signalActs(signal->cond);
  if (const auto *broadcast = std::get_if<BroadcastCond>(&edge_.action))
    return broadcastActs(broadcast->cond);
  return {Act(model_)};
}

std::vector<PromelaStep::Act> PromelaStep::forkActs(const Fork &fork) const {
  const PromelaKind &kind = model_.kind(fork.thread);
  const Template &created = model_.program().templates[fork.thread];
  std::string last = std::to_string(kind.slots);
  std::string nowhere = std::to_string(PromelaModel::nowhere);
  Act base(model_);
  base.before = "slot = 0; do :: (slot < " + last + " && " + kind.placeTable +
                "[slot] != " + nowhere + ") -> slot++ :: else -> break od; if :: slot == " + last +
                " -> printf(\"too few slots for " + created.name +
                ": export with a larger --threads\\n\"); assert(false) :: else fi; ";
  for (size_t i = 0; i < fork.arguments.size(); ++i)
    base.writes.assign(created.parameters[i], "slot", fork.arguments[i], "me");
  if (kind.hasIdFlag)
    base.writes.assignText(kind.idFlagTable + "[slot]", "true");
  std::vector<Act> withId;
  if (!kind.hasIds) {
    withId.push_back(base);
  } else if (fork.id) {
    withId.push_back(base);
    PromelaExpression expression(model_.scope(), "me");
    withId.back().writes.assignText(kind.idTable + "[slot]", expression(*fork.id));
  } else {
    // As the interpreter does: an id that nobody holds, and each that somebody holds.
    auto withFresh = [&](const std::string &id) -> Act & {
      withId.push_back(base);
      withId.back().writes.assignText(kind.idTable + "[slot]", id);
      if (fork.result)
        withId.back().writes.assignText(*fork.result, "me", id);
      return withId.back();
    };
    withFresh("chosen").before += "chosen = 1; do :: (" + model_.isAlive("chosen") + " || " +
                                  model_.isHeld("chosen") + ") -> chosen++ :: else -> break od; ";
    for (const std::string &id : model_.heldIds()) {
      Act &act = withFresh("chosen");
      act.guards.push_back("!" + model_.isAlive(id));
      act.before += "chosen = " + id + "; ";
    }
  }
  std::vector<Act> result;
  for (const Act &act : withId)
    for (LocationId initial : created.initials) {
      result.push_back(act);
      result.back().after += kind.placeTable + "[slot] = " + std::to_string(initial) + "; ";
    }
  return result;
}

namespace {

/// "The thread in the slot is in a final location"; empty if its kind has none.
std::string hasEnded(const PromelaModel &model, TemplateId id, const std::string &slot) {
  const auto &locations = model.program().templates[id].locations;
  std::string ended;
  for (LocationId l = 0; l < locations.size(); ++l)
    if (locations[l].kind == LocationKind::Final)
      ended += (ended.empty() ? "" : " || ") + model.isAt(id, slot, l);
  return ended;
}

} // namespace

std::vector<PromelaStep::Act> PromelaStep::joinActs(const Join &join) const {
  PromelaExpression expression(model_.scope(), "me");
  std::vector<Act> result;
  for (TemplateId id = 0; id < model_.kindCount(); ++id) {
    const PromelaKind &kind = model_.kind(id);
    if ((join.thread && *join.thread != id) || (join.id && !kind.hasIds))
      continue;
    std::string nowhere = std::to_string(PromelaModel::nowhere);
    for (uint32_t i = 0; i < kind.slots; ++i) {
      std::string slot = std::to_string(i);
      std::string ended = hasEnded(model_, id, slot);
      if (ended.empty())
        continue;
      Act act(model_);
      act.guards.push_back("(" + ended + ")");
      if (id == kind_)
        act.guards.push_back("me != " + slot);
      if (join.id && kind.hasIdFlag)
        act.guards.push_back(kind.idFlagTable + "[" + slot + "]");
      if (join.id)
        act.guards.push_back(kind.idTable + "[" + slot + "] == " + expression(*join.id));
      act.after = kind.placeTable + "[" + slot + "] = " + nowhere + "; ";
      act.except = kind.placeTable + "[" + slot + "]";
      result.push_back(std::move(act));
    }
  }
  return result;
}

namespace {

struct Waiter {
  std::string isThere;
  std::string wake;
};

std::vector<Waiter> waiters(const PromelaModel &model, CondId cond) {
  std::vector<Waiter> result;
  for (TemplateId id = 0; id < model.kindCount(); ++id) {
    const auto &locations = model.program().templates[id].locations;
    for (LocationId l = 0; l < locations.size(); ++l)
      for (uint32_t i = 0; i < model.kind(id).slots; ++i)
        if (locations[l].waiting && locations[l].waiting->cond == cond)
          result.push_back({model.isAt(id, std::to_string(i), l),
                            model.kind(id).placeTable + "[" + std::to_string(i) +
                                "] = " + std::to_string(locations[l].waiting->wakesTo)});
  }
  return result;
}

} // namespace

std::vector<PromelaStep::Act> PromelaStep::signalActs(CondId cond) const {
  std::vector<Act> result;
  Act lost(model_);
  for (const Waiter &waiter : waiters(model_, cond)) {
    lost.guards.push_back("!(" + waiter.isThere + ")");
    Act act(model_);
    act.guards.push_back(waiter.isThere);
    act.after = waiter.wake + "; ";
    result.push_back(std::move(act));
  }
  result.push_back(std::move(lost));
  return result;
}

std::vector<PromelaStep::Act> PromelaStep::broadcastActs(CondId cond) const {
  Act act(model_);
  for (const Waiter &waiter : waiters(model_, cond))
    act.after += "if :: " + waiter.isThere + " -> " + waiter.wake + " :: else fi; ";
  return {act};
}

std::string PromelaStep::relyChecks(const Act &act, std::string &saves) const {
  std::string checks;
  std::set<Variable> saved;
  std::map<Variable, std::string> names;
  std::set<Variable> modified(edge_.modified.begin(), edge_.modified.end());
  for (const PlacedRely &rely : allRelies(model_.program())) {
    auto uses = logic::variablesOf(rely.claim->formula);
    for (const VariableUse &use : uses)
      if (!use.primed && modified.contains(use.variable) && saved.insert(use.variable).second) {
        if (use.variable.sort().isArray())
          throw logic::Unsupported("the Promela export cannot check a rely about an array",
                                   rely.claim->range);
        names[use.variable] = model_.scope().saved(use.variable);
        saves += names[use.variable] + " = " + model_.scope().place(use.variable, "me") + "; ";
      }
    std::string present;
    for (uint32_t i = 0; i < model_.kind(rely.kind).slots; ++i) {
      std::string slot = std::to_string(i);
      if (model_.kind(rely.kind).placeTable + "[" + slot + "]" == act.except)
        continue;
      present += (present.empty() ? "" : " || ") +
                 (rely.kind == kind_ ? "(me != " + slot + " && " : std::string("(")) +
                 model_.isAt(rely.kind, slot, rely.location) + ")";
    }
    PromelaExpression expression(model_.scope(), "me");
    expression.setSaved(names);
    if (!present.empty())
      checks += "assert(!(" + present + ") || " + expression(rely.claim->formula) + "); ";
  }
  return checks;
}

std::string promelaStateChecks(const Program &program) {
  std::string text;
  for (size_t i = 0; i < program.exclusions.size(); ++i)
    text += "EXCLUSION" + std::to_string(i) + "; ";
  for (size_t i = 0; i < program.invariants.size(); ++i)
    text += "INVARIANT" + std::to_string(i) + "; ";
  return text;
}

std::string promelaStateCheckMacros(const PromelaModel &model) {
  const Program &program = model.program();
  std::string text;
  for (size_t i = 0; i < program.exclusions.size(); ++i) {
    const Exclusion &exclusion = program.exclusions[i];
    std::string together;
    for (uint32_t a = 0; a < model.kind(exclusion.first.thread).slots; ++a)
      for (uint32_t b = 0; b < model.kind(exclusion.second.thread).slots; ++b)
        if (a != b || exclusion.first.thread != exclusion.second.thread)
          together +=
              (together.empty() ? "(" : " || (") +
              model.isAt(exclusion.first.thread, std::to_string(a), exclusion.first.location) +
              " && " +
              model.isAt(exclusion.second.thread, std::to_string(b), exclusion.second.location) +
              ")";
    text += "#define EXCLUSION" + std::to_string(i) + " assert(!(" +
            (together.empty() ? "false" : together) + "))\n";
  }
  PromelaExpression expression(model.scope(), "0");
  for (size_t i = 0; i < program.invariants.size(); ++i)
    text += "#define INVARIANT" + std::to_string(i) + " assert(" +
            expression(program.invariants[i].formula) + ")\n";
  return text;
}

} // namespace understudy::tools::exports::promela
