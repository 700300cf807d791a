// SPDX-License-Identifier: Apache-2.0
#include "compose/refine/SetAside.h"

#include "compose/refine/HoareTriples.h"

#include <algorithm>
#include <set>

namespace understudy::compose::refine {

namespace {

/// What a transition has to do with others.
struct Footprint {
  std::set<petri::PlaceId> places;
  std::set<Variable> changed;
  std::set<Variable> used; ///< those changed included
};

Footprint footprint(const petri::PetriProgram &petri, const petri::SpecifiedNet &net,
                    petri::TransitionId id) {
  Footprint result;
  const petri::NetTransition &transition = net.net.transitions[id];
  result.places.insert(transition.pre.begin(), transition.pre.end());
  result.places.insert(transition.post.begin(), transition.post.end());
  const petri::Label &label = petri.transitions[net.origin[id]].label;
  result.changed.insert(label.modified.begin(), label.modified.end());
  result.used = result.changed;
  for (const Term &conjunct : label.conjuncts)
    for (Variable v : variablesIn(conjunct))
      result.used.insert(v);
  return result;
}

template <typename Element>
bool overlap(const std::set<Element> &a, const std::set<Element> &b) {
  return std::any_of(a.begin(), a.end(), [&](const Element &e) { return b.contains(e); });
}

bool dependent(const Footprint &a, const Footprint &b) {
  return overlap(a.places, b.places) || overlap(a.changed, b.used) || overlap(a.used, b.changed);
}

} // namespace

SetAside::SetAside(const petri::PetriProgram &petri, const petri::SpecifiedNet &net, petri::Run run)
    : run_(std::move(run)), needed_(run_.size()) {
  std::vector<Footprint> steps;
  for (petri::TransitionId id : run_) {
    steps.push_back(footprint(petri, net, id));
    for (size_t before = 0; before + 1 < steps.size(); ++before)
      if (dependent(steps[before], steps.back()))
        needed_[steps.size() - 1].push_back(before);
  }
  for (petri::TransitionId id = 0; id < net.net.transitions.size(); ++id) {
    const Footprint own = footprint(petri, net, id);
    ignored_.push_back(std::none_of(steps.begin(), steps.end(),
                                    [&](const Footprint &step) { return dependent(own, step); }));
  }
  idOf(Made(run_.size()));
}

SetAside::State SetAside::idOf(const Made &made) {
  auto [entry, isNew] = ids_.try_emplace(made, static_cast<State>(states_.size()));
  if (isNew)
    states_.push_back(made);
  return entry->second;
}

std::optional<SetAside::State> SetAside::next(State state, petri::TransitionId transition) {
  Made made = states_.at(state);
  if (ignored_[transition] || made.empty())
    return state;
  size_t step = 0;
  while (step < run_.size() && (made[step] || run_[step] != transition))
    ++step;
  if (step == run_.size() || !std::all_of(needed_[step].begin(), needed_[step].end(),
                                          [&](size_t before) { return made[before]; }))
    return idOf({});
  made[step] = true;
  if (std::find(made.begin(), made.end(), false) == made.end())
    return std::nullopt;
  return idOf(made);
}

} // namespace understudy::compose::refine
