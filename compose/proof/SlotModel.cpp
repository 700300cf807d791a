// SPDX-License-Identifier: Apache-2.0
//
// Problem: an annotation speaks of threads one by one, a program of a multiset of them. Idea: give
// every thread a slot, a fork the empty one with the least number; that is the program with names
// for its threads, as long as there are enough of them, which is an obligation. Two places may be
// taken together if they are at the start, or if a step leads there from places of which each two
// may be taken together: a polynomial fixpoint that follows the steps and no data.
#include "compose/proof/SlotModel.h"

#include "compose/proof/ObligationText.h"
#include "compose/proof/Obligations.h"
#include "logic/Error.h"
#include "logic/Simplify.h"
#include "logic/Substitute.h"

#include <algorithm>
#include <set>
#include <utility>

namespace understudy::compose::proof {

SlotModel::SlotModel(const Program &program, std::vector<uint32_t> slots)
    : program_(program), pool_(*program.pool), counts_(std::move(slots)),
      forked_(program.templates.size()) {
  if (counts_.size() != program.templates.size())
    throw InvalidEvidence("it has slots for other threads than the program");
  findForked();
  makeSlots();
  makeStart();
  for (SlotId slot = 0; slot < slots_.size(); ++slot)
    for (EdgeId edge = 0; edge < thread(slot).edges.size(); ++edge)
      addEdge(slot, edge);
  findTogether();
}

/// By edges that some thread may come to, whatever the data are.
void SlotModel::findForked() {
  std::set<std::pair<TemplateId, LocationId>> seen;
  std::vector<std::pair<TemplateId, LocationId>> open;
  const auto visit = [&](TemplateId id, LocationId location) {
    if (seen.emplace(id, location).second)
      open.emplace_back(id, location);
  };
  const auto begin = [&](TemplateId id) {
    for (LocationId location : program_.templates[id].initials)
      visit(id, location);
  };
  for (const Start &start : program_.starts)
    begin(start.thread);
  while (!open.empty()) {
    const auto [id, at] = open.back();
    open.pop_back();
    const Template &thread = program_.templates[id];
    if (thread.locations[at].waiting)
      visit(id, thread.locations[at].waiting->wakesTo);
    for (const Edge &edge : thread.edges) {
      if (edge.source != at)
        continue;
      visit(id, edge.target);
      const auto *fork = std::get_if<Fork>(&edge.action);
      if (!fork)
        continue;
      forked_[fork->thread] = true;
      begin(fork->thread);
      if (fork->result && fork->result->sort().kind() != logic::SortKind::Int)
        throw logic::Unsupported("the id that fork gives is stored in '" + fork->result->name() +
                                     "', which is bounded",
                                 edge.range);
    }
  }
}

// ---- slots, places, variables

void SlotModel::makeSlots() {
  variables_ = program_.globals;
  for (TemplateId id = 0; id < counts_.size(); ++id)
    for (uint32_t number = 1; number <= counts_[id]; ++number) {
      const auto slot = static_cast<SlotId>(slots_.size());
      slots_.push_back({id, number});
      first_.push_back(places_);
      const auto own = static_cast<uint32_t>(thread(slot).locations.size()) + 1;
      owner_.insert(owner_.end(), own, slot);
      places_ += own;
      if (places_ > maxPlaces)
        throw logic::Unsupported("there are more than " + std::to_string(maxPlaces) +
                                 " places for threads in slots");
      for (Variable v : thread(slot).locals)
        variables_.push_back(local(slot, v));
      if (hasId(slot)) {
        variables_.push_back(idOf(slot));
        variables_.push_back(liveOf(slot));
      }
    }
  first_.push_back(places_);
}

std::optional<SlotId> SlotModel::slotOf(Slot slot) const {
  auto found = std::find(slots_.begin(), slots_.end(), slot);
  if (found == slots_.end())
    return std::nullopt;
  return static_cast<SlotId>(found - slots_.begin());
}

SlotPlace SlotModel::place(SlotId slot, std::optional<LocationId> location) const {
  return location ? first_[slot] + *location : first_[slot + 1] - 1;
}

std::optional<LocationId> SlotModel::locationAt(SlotPlace place) const {
  const SlotId slot = owner_[place];
  return place + 1 == first_[slot + 1] ? std::nullopt : std::optional(place - first_[slot]);
}

std::string SlotModel::scope(SlotId slot) const {
  return thread(slot).name + "#" + std::to_string(slots_[slot].number);
}

std::string SlotModel::describe(SlotPlace place) const {
  const SlotId slot = owner_[place];
  const auto location = locationAt(place);
  return location ? scope(slot) + " at " + thread(slot).locations[*location].name
                  : scope(slot) + " not running";
}

const Edge &SlotModel::edgeOf(const SlotStep &step) const {
  return thread(step.moves[0].slot).edges[step.edge];
}

std::string SlotModel::describe(const SlotStep &step) const {
  const SlotId mover = step.moves[0].slot;
  std::string text =
      "'" + edgeOf(step).text + "' of " + scope(mover) + placeNote(edgeOf(step).range);
  for (size_t i = 1; i < step.moves.size(); ++i)
    text += (i == 1 ? " with " : ", ") + scope(step.moves[i].slot);
  return text;
}

std::vector<OwickiGries::Other> SlotModel::othersOf(const SlotStep &step) const {
  std::vector<OwickiGries::Other> others;
  for (size_t i = 1; i < step.moves.size(); ++i) {
    const auto from = locationAt(step.moves[i].from);
    others.push_back({slots_[step.moves[i].slot], from ? *from : *locationAt(step.moves[i].to)});
  }
  std::sort(others.begin(), others.end());
  return others;
}

Variable SlotModel::local(SlotId slot, Variable variable) const {
  const auto &locals = thread(slot).locals;
  if (std::find(locals.begin(), locals.end(), variable) == locals.end())
    return {};
  return pool_.variable(scope(slot), variable.name(), variable.sort());
}
Variable SlotModel::idOf(SlotId slot) const {
  return pool_.variable(scope(slot), "thread id", pool_.intSort());
}
Variable SlotModel::liveOf(SlotId slot) const {
  return pool_.variable(scope(slot), "is live", pool_.boolSort());
}

Term SlotModel::inSlot(SlotId slot, Term formula) const {
  return logic::substitute(formula, [&](Variable v, bool primed) -> Term {
    const Variable own = local(slot, v);
    return !own ? Term() : primed ? pool_.primed(own) : pool_.var(own);
  });
}

// ---- the start

void SlotModel::makeStart() {
  std::vector<uint32_t> started(program_.templates.size());
  for (const Start &start : program_.starts) {
    if (start.unbounded)
      throw logic::Unsupported("threads of '" + program_.templates[start.thread].name +
                               "' are run in any number, and slots are so many");
    started[start.thread] += start.count;
  }
  for (TemplateId id = 0; id < started.size(); ++id)
    if (started[id] > counts_[id])
      throw InvalidEvidence("it has " + std::to_string(counts_[id]) + " slots for " +
                            program_.templates[id].name + ", and " + std::to_string(started[id]) +
                            " are started");
  initial_.push_back(program_.initial);
  for (SlotId slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot].number <= started[slots_[slot].thread]) {
      initial_.push_back(inSlot(slot, thread(slot).initial));
      for (LocationId location : thread(slot).initials)
        starts_.push_back(place(slot, location));
    } else {
      starts_.push_back(place(slot, std::nullopt));
    }
    if (hasId(slot))
      initial_.push_back(pool_.negate(pool_.var(liveOf(slot))));
  }
}

// ---- steps

void SlotModel::addEdge(SlotId mover, EdgeId id) {
  const Edge &edge = thread(mover).edges[id];
  SlotStep step;
  step.edge = id;
  step.moves.push_back({mover, place(mover, edge.source), place(mover, edge.target)});
  step.relation.push_back(inSlot(mover, edge.relation));
  for (Variable v : edge.modified) {
    const Variable own = local(mover, v);
    step.modified.push_back(own ? own : v);
  }
  if (const auto *fork = std::get_if<Fork>(&edge.action))
    addFork(step, *fork);
  else if (const auto *join = std::get_if<Join>(&edge.action))
    addJoin(step, *join);
  else if (const auto *signal = std::get_if<SignalCond>(&edge.action))
    addSignal(step, signal->cond);
  else if (const auto *broadcast = std::get_if<BroadcastCond>(&edge.action))
    addBroadcast(step, broadcast->cond, 0);
  else
    addStep(step);
}

void SlotModel::addStep(SlotStep step) {
  std::sort(step.modified.begin(), step.modified.end());
  step.modified.erase(std::unique(step.modified.begin(), step.modified.end()), step.modified.end());
  steps_.push_back(std::move(step));
  if (steps_.size() > maxSteps)
    throw logic::Unsupported("there are more than " + std::to_string(maxSteps) +
                             " steps of threads in slots");
}

void SlotModel::addFork(const SlotStep &step, const Fork &fork) {
  SlotStep taken = step; // the slots before are in use
  const SlotId mover = step.moves[0].slot;
  for (uint32_t number = 1; number <= counts_[fork.thread]; ++number) {
    const SlotId created = *slotOf({fork.thread, number});
    if (created == mover)
      continue; // it is in use
    for (LocationId initial : thread(created).initials) {
      SlotStep next = taken;
      next.moves.push_back({created, place(created, std::nullopt), place(created, initial)});
      create(next, fork, created);
      addStep(std::move(next));
    }
    SlotStep::Rest rest{created, {}};
    for (SlotPlace p = first_[created]; p + 1 < first_[created + 1]; ++p)
      rest.places.push_back(p);
    taken.rests.push_back(std::move(rest));
  }
  // Whatever the thread would be given: there is no slot for it.
  taken.kind = SlotStep::Kind::TooFew;
  addStep(std::move(taken));
  addArguments(step, fork);
}

/// A step of its own: where a parameter has its value, it is in range.
void SlotModel::addArguments(SlotStep step, const Fork &fork) {
  const Template &type = program_.templates[fork.thread];
  for (size_t i = 0; i < fork.arguments.size(); ++i) {
    const Term argument = inSlot(step.moves[0].slot, fork.arguments[i]);
    const Term range = logic::simplify(pool_.inSort(argument, type.locals[i].sort()));
    if (!range.isTrue())
      step.ranges.push_back(range);
  }
  step.kind = SlotStep::Kind::Arguments;
  if (!step.ranges.empty())
    addStep(std::move(step));
}

void SlotModel::create(SlotStep &step, const Fork &fork, SlotId created) const {
  const SlotId mover = step.moves[0].slot;
  const Template &type = thread(created);
  for (size_t i = 0; i < type.locals.size(); ++i) {
    const Variable own = local(created, type.locals[i]);
    step.modified.push_back(own);
    if (i >= fork.arguments.size())
      continue;
    step.relation.push_back(pool_.equal(pool_.primed(own), inSlot(mover, fork.arguments[i])));
  }
  step.relation.push_back(logic::substitute(type.initial, [&](Variable v, bool) -> Term {
    const Variable own = local(created, v);
    return own ? pool_.primed(own) : Term();
  }));
  const Variable id = idOf(created);
  step.modified.push_back(id);
  step.modified.push_back(liveOf(created));
  step.relation.push_back(pool_.primed(liveOf(created)));
  if (fork.id)
    step.relation.push_back(pool_.equal(pool_.primed(id), inSlot(mover, *fork.id)));
  else
    for (SlotId slot = 0; slot < slots_.size(); ++slot)
      if (hasId(slot))
        step.relation.push_back(pool_.implies(
            pool_.var(liveOf(slot)), pool_.distinct(pool_.var(idOf(slot)), pool_.primed(id))));
  if (fork.result) {
    const Variable own = local(mover, *fork.result);
    step.relation.push_back(pool_.equal(pool_.primed(own ? own : *fork.result), pool_.primed(id)));
  }
}

void SlotModel::addJoin(const SlotStep &step, const Join &join) {
  const SlotId mover = step.moves[0].slot;
  for (SlotId joined = 0; joined < slots_.size(); ++joined) {
    if (joined == mover || (join.thread && *join.thread != slots_[joined].thread) ||
        (join.id && !hasId(joined)))
      continue;
    SlotStep next = step;
    if (join.id) {
      next.relation.push_back(pool_.var(liveOf(joined)));
      next.relation.push_back(pool_.equal(pool_.var(idOf(joined)), inSlot(mover, *join.id)));
    }
    if (hasId(joined)) {
      next.modified.push_back(liveOf(joined));
      next.relation.push_back(pool_.negate(pool_.primed(liveOf(joined))));
    }
    const auto &locations = thread(joined).locations;
    for (LocationId location = 0; location < locations.size(); ++location)
      if (locations[location].kind == LocationKind::Final) {
        SlotStep one = next;
        one.moves.push_back({joined, place(joined, location), place(joined, std::nullopt)});
        addStep(std::move(one));
      }
  }
}

bool SlotModel::waitsOn(SlotPlace p, CondId cond) const {
  const auto location = locationAt(p);
  if (!location)
    return false;
  const auto &waiting = thread(owner_[p]).locations[*location].waiting;
  return waiting && waiting->cond == cond;
}

SlotStep::Rest SlotModel::awake(SlotId slot, CondId cond) const {
  SlotStep::Rest rest{slot, {}};
  for (SlotPlace p = first_[slot]; p < first_[slot + 1]; ++p)
    if (!waitsOn(p, cond))
      rest.places.push_back(p);
  return rest;
}

void SlotModel::addSignal(const SlotStep &step, CondId cond) {
  SlotStep unheard = step;
  for (SlotId other = 0; other < slots_.size(); ++other) {
    if (other == step.moves[0].slot)
      continue;
    bool canWait = false;
    for (SlotPlace p = first_[other]; p < first_[other + 1]; ++p)
      if (waitsOn(p, cond)) {
        SlotStep next = step;
        next.moves.push_back(
            {other, p, place(other, thread(other).locations[*locationAt(p)].waiting->wakesTo)});
        addStep(std::move(next));
        canWait = true;
      }
    if (canWait)
      unheard.rests.push_back(awake(other, cond));
  }
  addStep(std::move(unheard));
}

void SlotModel::addBroadcast(SlotStep step, CondId cond, SlotId next) {
  if (next == slots_.size())
    return addStep(std::move(step));
  if (next == step.moves[0].slot)
    return addBroadcast(std::move(step), cond, next + 1);
  bool canWait = false;
  for (SlotPlace p = first_[next]; p < first_[next + 1]; ++p)
    if (waitsOn(p, cond)) {
      SlotStep woken = step;
      woken.moves.push_back(
          {next, p, place(next, thread(next).locations[*locationAt(p)].waiting->wakesTo)});
      addBroadcast(std::move(woken), cond, next + 1);
      canWait = true;
    }
  if (canWait)
    step.rests.push_back(awake(next, cond));
  addBroadcast(std::move(step), cond, next + 1);
}

bool SlotModel::isWaking(const SlotStep &step) const {
  const Action &action = edgeOf(step).action;
  return std::holds_alternative<SignalCond>(action) ||
         std::holds_alternative<BroadcastCond>(action);
}

// ---- what may happen in parallel

bool SlotModel::relate(SlotPlace a, SlotPlace b) {
  if (together_[a][b])
    return false;
  together_[a][b] = together_[b][a] = true;
  return true;
}

/// The place, of a slot that does not move, may be taken while the step is.
bool SlotModel::allow(const SlotStep &step, SlotPlace p) const {
  for (const SlotStep::Move &move : step.moves)
    if (move.slot == owner_[p] || !together_[p][move.from])
      return false;
  for (const SlotStep::Rest &rest : step.rests)
    if (rest.slot == owner_[p] &&
        std::find(rest.places.begin(), rest.places.end(), p) == rest.places.end())
      return false;
  return true;
}

bool SlotModel::canHappen(const SlotStep &step) const {
  for (const SlotStep::Move &a : step.moves)
    for (const SlotStep::Move &b : step.moves)
      if (!together_[a.from][b.from])
        return false;
  return std::all_of(step.rests.begin(), step.rests.end(), [&](const SlotStep::Rest &rest) {
    return std::any_of(rest.places.begin(), rest.places.end(),
                       [&](SlotPlace p) { return allow(step, p); });
  });
}

std::vector<SlotPlace> SlotModel::bystanders(const SlotStep &step) const {
  std::vector<SlotPlace> result;
  for (SlotPlace p = 0; p < places_; ++p)
    if (together_[p][p] && allow(step, p))
      result.push_back(p);
  return result;
}

bool SlotModel::fire(const SlotStep &step) {
  if (step.kind != SlotStep::Kind::Taken || !canHappen(step))
    return false;
  bool changed = false;
  for (const SlotStep::Move &a : step.moves)
    for (const SlotStep::Move &b : step.moves)
      changed = relate(a.to, b.to) || changed;
  for (SlotPlace p : bystanders(step))
    for (const SlotStep::Move &move : step.moves)
      changed = relate(p, move.to) || changed;
  return changed;
}

void SlotModel::findTogether() {
  together_.assign(places_, std::vector<bool>(places_));
  for (SlotPlace a : starts_)
    for (SlotPlace b : starts_)
      if (a == b || owner_[a] != owner_[b])
        relate(a, b);
  for (bool changed = true; changed;) {
    changed = false;
    for (const SlotStep &step : steps_)
      changed = fire(step) || changed;
  }
}

} // namespace understudy::compose::proof
