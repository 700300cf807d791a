// SPDX-License-Identifier: Apache-2.0
#include "compose/empire/GhostStates.h"

#include "logic/Error.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

namespace understudy::compose::empire {

using petri::PlaceKind;
using petri::PlaceMeaning;
using proof::OwickiGries;
using proof::Slot;

bool isSlotPlace(const PlaceMeaning &place) {
  return place.kind == PlaceKind::Location || place.kind == PlaceKind::NotInUse ||
         place.kind == PlaceKind::Start;
}

namespace {

Slot slotOf(const PlaceMeaning &place) { return {place.instance.thread, place.instance.number}; }

/// The net's places and transitions in the words of slots.
class Slots {
public:
  Slots(const Program &program, const petri::PetriProgram &petri)
      : program_(program), petri_(petri) {}

  GhostStates begin(const std::vector<Term> &predicates) const {
    GhostStates result;
    result.predicates = predicates;
    for (TemplateId id = 0; id < program_.templates.size(); ++id) {
      result.slots.push_back(static_cast<uint32_t>(petri_.locals[id].size()));
      const bool forked = std::any_of(petri_.places.begin(), petri_.places.end(), [&](auto &place) {
        return place.instance.thread == id &&
               (place.kind == PlaceKind::InUse || place.kind == PlaceKind::NotInUse);
      });
      for (uint32_t number = 1; !forked && number <= result.slots.back(); ++number)
        result.always.insert({Slot{id, number}, std::nullopt});
    }
    return result;
  }

  std::vector<Slot> all() const {
    std::vector<Slot> result;
    for (TemplateId id = 0; id < program_.templates.size(); ++id)
      for (uint32_t number = 1; number <= petri_.locals[id].size(); ++number)
        result.push_back({id, number});
    return result;
  }

  /// None: it is no place of a slot, or a thread that has not chosen where it begins.
  std::optional<SlotLocation> locationOf(PlaceId id) const {
    const PlaceMeaning &place = petri_.places[id];
    if (place.kind == PlaceKind::Location)
      return SlotLocation{slotOf(place), place.index};
    if (place.kind == PlaceKind::NotInUse)
      return SlotLocation{slotOf(place), std::nullopt};
    return std::nullopt;
  }

  std::optional<GhostStates::Step> stepOf(TransitionId id) const {
    const petri::TransitionMeaning &meaning = petri_.transitions[id];
    if (meaning.kind != petri::TransitionKind::Edge)
      return std::nullopt;
    GhostStates::Step step{{meaning.mover.thread, meaning.mover.number}, meaning.edge, {}, {}};
    const Action &action = program_.edge(meaning.mover.thread, meaning.edge).action;
    for (const petri::Instance &other : meaning.others) {
      LocationId location = meaning.location;
      if (!std::holds_alternative<Fork>(action))
        for (PlaceId place : petri_.net.transitions[id].pre)
          if (petri_.places[place].kind == PlaceKind::Location &&
              petri_.places[place].instance == other)
            location = petri_.places[place].index;
      step.others.push_back({{other.thread, other.number}, location});
    }
    std::sort(step.others.begin(), step.others.end());
    return step;
  }

  /// A transition that has no step must not change the state.
  void
  addSteps(GhostStates &into,
           const std::map<TransitionId, std::vector<std::pair<uint32_t, uint32_t>>> &edges) const {
    for (const auto &[transition, pairs] : edges) {
      auto step = stepOf(transition);
      if (!step) {
        for (const auto &[from, to] : pairs)
          if (from != to)
            throw logic::Unsupported("a thread chooses where it begins, and a ghost would have to "
                                     "know");
        continue;
      }
      step->edges = pairs;
      into.steps.push_back(std::move(*step));
    }
  }

  std::string nameOf(Slot slot) const {
    const std::string &name = program_.templates[slot.thread].name;
    return petri_.locals[slot.thread].size() > 1 ? name + "_" + std::to_string(slot.number) : name;
  }

private:
  const Program &program_;
  const petri::PetriProgram &petri_;
};

GhostStates statesOf(const Program &program, const petri::PetriProgram &petri, const Empire &empire,
                     const Focus &focus, const std::vector<Term> &predicates) {
  const Slots slots(program, petri);
  GhostStates result = slots.begin(predicates);
  std::map<TransitionId, std::vector<std::pair<uint32_t, uint32_t>>> edges;
  for (uint32_t q = 0; q < empire.states.size(); ++q) {
    const Empire::State &state = empire.states[q];
    for (size_t r = 0; r < state.territory.size(); ++r)
      for (PlaceId place : state.territory[r])
        if (auto at = slots.locationOf(place))
          result.at[*at][q].insert(focus[q][r]);
    for (const auto &[transition, next] : state.next)
      if (next)
        edges[transition].emplace_back(q, *next);
  }
  slots.addSteps(result, edges);
  return result;
}

} // namespace

GhostStates imperial(const Program &program, const petri::PetriProgram &petri, const Empire &empire,
                     const Focus &focus, const std::vector<Term> &predicates) {
  GhostStates result = statesOf(program, petri, empire, focus, predicates);
  result.ghosts = {"state"};
  for (uint32_t q = 0; q < empire.states.size(); ++q)
    result.values.push_back({q});
  return result;
}

GhostStates phases(const Program &program, const petri::PetriProgram &petri, const Empire &empire,
                   const Focus &focus, const std::vector<Term> &predicates) {
  const Slots slots(program, petri);
  GhostStates result = statesOf(program, petri, empire, focus, predicates);
  const std::vector<Slot> all = slots.all();
  std::vector<std::map<Region, uint32_t>> numbers(all.size());
  std::map<std::vector<uint32_t>, uint32_t> seen;
  std::vector<uint32_t> rest;
  for (const Empire::State &state : empire.states) {
    std::vector<uint32_t> values(all.size());
    for (size_t s = 0; s < all.size(); ++s) {
      Region own; // empty: a thread of the start that was joined
      for (const Region &region : state.territory)
        if (isSlotPlace(petri.places[region.front()]) &&
            slotOf(petri.places[region.front()]) == all[s])
          own = region;
      values[s] =
          numbers[s].try_emplace(own, static_cast<uint32_t>(numbers[s].size())).first->second;
    }
    rest.push_back(seen[values]++);
    result.values.push_back(std::move(values));
  }
  for (Slot slot : all)
    result.ghosts.push_back("phase_" + slots.nameOf(slot));
  result.ghosts.emplace_back("state");
  for (size_t q = 0; q < rest.size(); ++q)
    result.values[q].push_back(rest[q]);
  return result;
}

GhostStates naive(const Program &program, const petri::PetriProgram &petri,
                  const Configurations &configurations) {
  const Slots slots(program, petri);
  GhostStates result = slots.begin(configurations.predicates);
  const std::vector<Slot> all = slots.all();
  for (Slot slot : all)
    result.ghosts.push_back("at_" + slots.nameOf(slot));
  std::map<std::vector<PlaceId>, uint32_t> states;
  std::map<TransitionId, std::set<std::pair<uint32_t, uint32_t>>> edges;
  std::vector<uint32_t> stateOf;
  for (const auto &configuration : configurations.all) {
    auto [entry, isNew] =
        states.try_emplace(configuration.marking, static_cast<uint32_t>(states.size()));
    stateOf.push_back(entry->second);
    if (isNew)
      result.values.emplace_back(all.size(), 0);
    for (PlaceId place : configuration.marking) {
      if (petri.places[place].kind == PlaceKind::Start)
        throw logic::Unsupported("a thread chooses where it begins, and a ghost would have to "
                                 "know");
      if (auto at = slots.locationOf(place)) {
        result.at[*at][entry->second].insert(configuration.law);
        const auto s =
            static_cast<size_t>(std::find(all.begin(), all.end(), at->first) - all.begin());
        result.values[entry->second][s] = at->second ? *at->second + 1 : 0;
      }
    }
  }
  for (uint32_t c = 0; c < configurations.all.size(); ++c)
    for (const auto &[transition, next] : configurations.all[c].next)
      if (next)
        edges[transition].emplace(stateOf[c], stateOf[*next]);
  std::map<TransitionId, std::vector<std::pair<uint32_t, uint32_t>>> lists;
  for (const auto &[transition, pairs] : edges)
    lists[transition].assign(pairs.begin(), pairs.end());
  slots.addSteps(result, lists);
  return result;
}

std::set<uint32_t> valuesOf(const GhostStates &states, size_t ghost) {
  std::set<uint32_t> result;
  for (const auto &values : states.values)
    result.insert(values[ghost]);
  return result;
}

GhostStates merged(const GhostStates &states, size_t ghost, uint32_t keep, uint32_t drop) {
  GhostStates result = states;
  auto unite = [&](size_t g, uint32_t a, uint32_t b) {
    for (auto &values : result.values)
      if (values[g] == std::max(a, b))
        values[g] = std::min(a, b);
  };
  unite(ghost, keep, drop);
  for (bool changed = true; changed;) {
    changed = false;
    for (const GhostStates::Step &step : result.steps) {
      std::map<std::vector<uint32_t>, uint32_t> targets;
      for (const auto &[from, to] : step.edges) {
        auto [entry, isNew] = targets.try_emplace(result.values[from], to);
        const auto &first = result.values[entry->second];
        for (size_t g = 0; !isNew && !changed && g < first.size(); ++g)
          if (first[g] != result.values[to][g]) {
            unite(g, first[g], result.values[to][g]);
            changed = true;
          }
        if (changed)
          break;
      }
      if (changed)
        break;
    }
  }
  return result;
}

size_t sizeOf(const OwickiGries &annotation) {
  size_t result = annotation.ghosts.size();
  auto add = [&](Term term) {
    std::unordered_set<Term> seen;
    std::vector<Term> open{term};
    while (!open.empty()) {
      const Term next = open.back();
      open.pop_back();
      if (seen.insert(next).second)
        open.insert(open.end(), next.operands().begin(), next.operands().end());
    }
    result += seen.size();
  };
  for (const OwickiGries::At &at : annotation.assertions)
    if (!at.formula.isTrue())
      add(at.formula);
  for (const OwickiGries::Update &update : annotation.updates)
    for (const auto &[ghost, value] : update.assign)
      add(value);
  return result;
}

} // namespace understudy::compose::empire
