// SPDX-License-Identifier: Apache-2.0
//
// The obligations of Definitions 3.1 and 3.2 of the paper on ghosts and empires, over what is
// reachable: the initial condition implies the first law of every component; {law} t {post(law, t)}
// for every component, law and transition that meet; no bad place is marked unless some component
// is false. Transitions into places that are bad only for the other specification are left out: the
// first step of an execution that goes wrong or finds too few instances is preceded by none of
// them, so a proof of each specification (or one of both) covers all executions.
#include "compose/refine/ProofCheck.h"

#include "logic/Solver.h"
#include "logic/Substitute.h"

#include <algorithm>
#include <deque>
#include <set>

namespace understudy::compose::refine {

namespace {

using logic::Satisfiability;
using petri::PlaceId;
using petri::TransitionId;

class Walk {
public:
  Walk(const InvariantDomain &domain, const Program &program, const petri::PetriProgram &petri,
       Budget &budget, const ProofCheckOptions &options)
      : domain_(domain), program_(program), petri_(petri), budget_(budget), options_(options),
        solver_(*petri.pool, {options.resources, 0}), states_(domain.components.size()) {
    using petri::Specification;
    for (TransitionId id = 0; id < petri.net.transitions.size(); ++id) {
      const auto &post = petri.net.transitions[id].post;
      if (std::none_of(post.begin(), post.end(), [&](PlaceId place) {
            return petri::isBad(petri.places[place], program, Specification::Both) &&
                   !petri::isBad(petri.places[place], program, domain.specification);
          }))
        consumers_[petri.net.transitions[id].pre.front()].push_back(id);
    }
  }

  std::optional<std::string> run() {
    if (domain_.limit != petri_.limit)
      return "the proof is about another net";
    if (std::none_of(petri_.places.begin(), petri_.places.end(), [&](const auto &place) {
          return petri::isBad(place, program_, domain_.specification);
        }))
      return std::nullopt;
    for (const DomainComponent &component : domain_.components) {
      if (component.laws.empty() || !implied(petri_.initial, {}, component.laws[0], {}))
        return "the start does not imply a component's first law";
      if (isFalse(component.laws[0]))
        return std::nullopt; // and the start does imply it: there is no execution
    }
    visit({petri_.net.initial, std::vector<uint32_t>(domain_.components.size(), 0)});
    while (!open_.empty() && defect_.empty()) {
      const Pair *pair = open_.front();
      open_.pop_front();
      expand(*pair);
      if (seen_.size() > options_.maxStates)
        defect_ = "more than " + std::to_string(options_.maxStates) + " states";
      if (budget_.exhausted())
        defect_ = "time limit";
    }
    return defect_.empty() ? std::nullopt : std::optional(defect_);
  }

private:
  using Pair = std::pair<std::vector<PlaceId>, std::vector<uint32_t>>;

  const InvariantDomain &domain_;
  const Program &program_;
  const petri::PetriProgram &petri_;
  Budget &budget_;
  const ProofCheckOptions &options_;
  logic::Solver solver_;
  std::map<PlaceId, std::vector<TransitionId>> consumers_;
  std::set<Pair> seen_;
  std::deque<const Pair *> open_;
  std::vector<std::set<std::pair<uint32_t, TransitionId>>> states_; ///< triples that hold
  std::string defect_;

  static bool isFalse(const std::vector<Term> &law) {
    return std::any_of(law.begin(), law.end(), [](const Term &t) { return t.isFalse(); });
  }

  void visit(Pair pair) {
    for (PlaceId place : pair.first)
      if (petri::isBad(petri_.places[place], program_, domain_.specification))
        defect_ = "a bad place is marked: " + petri::describe(petri_.places[place], program_);
    auto [entry, isNew] = seen_.insert(std::move(pair));
    if (isNew)
      open_.push_back(&*entry);
  }

  void expand(const Pair &pair) {
    for (PlaceId place : pair.first)
      for (TransitionId id : consumers_[place]) {
        const auto &pre = petri_.net.transitions[id].pre;
        if (std::includes(pair.first.begin(), pair.first.end(), pre.begin(), pre.end()))
          fire(pair, id);
        if (!defect_.empty())
          return;
      }
  }

  void fire(const Pair &pair, TransitionId id) {
    Pair after;
    for (size_t i = 0; i < domain_.components.size(); ++i) {
      const auto &post = domain_.components[i].post;
      auto entry = post.find({pair.second[i], id});
      const std::optional<uint32_t> next =
          entry == post.end() ? std::optional(pair.second[i]) : entry->second;
      // One false component is enough; the others need not hold.
      if (!next) {
        if (!tripleHolds(i, pair.second[i], id, next))
          defect_ = "a transition said to be impossible is possible";
        return;
      }
      after.second.push_back(*next);
    }
    for (size_t i = 0; i < domain_.components.size(); ++i)
      if (!tripleHolds(i, pair.second[i], id, after.second[i])) {
        defect_ = "a law does not hold after a transition";
        return;
      }
    const auto &transition = petri_.net.transitions[id];
    std::vector<PlaceId> kept;
    std::set_difference(pair.first.begin(), pair.first.end(), transition.pre.begin(),
                        transition.pre.end(), std::back_inserter(kept));
    std::merge(kept.begin(), kept.end(), transition.post.begin(), transition.post.end(),
               std::back_inserter(after.first));
    visit(std::move(after));
  }

  bool tripleHolds(size_t component, uint32_t state, TransitionId id,
                   std::optional<uint32_t> next) {
    if (states_[component].contains({state, id}))
      return true;
    const auto &laws = domain_.components[component].laws;
    if (state >= laws.size() || (next && *next >= laws.size()))
      return false;
    const petri::Label &label = petri_.transitions[id].label;
    const std::vector<Term> claim = next ? laws[*next] : std::vector{petri_.pool->boolean(false)};
    const bool holds = implied(laws[state], label.conjuncts, claim, label.modified);
    if (holds)
      states_[component].insert({state, id});
    return holds;
  }

  /// law and relation imply the claim after the step. A conjunct of the law that the step cannot
  /// change needs no solver.
  bool implied(const std::vector<Term> &law, const std::vector<Term> &relation,
               const std::vector<Term> &claim, const std::vector<Variable> &modified) {
    std::vector<Term> open;
    for (const Term &conjunct : claim) {
      const auto uses = logic::variablesOf(conjunct);
      const bool untouched = std::none_of(uses.begin(), uses.end(), [&](const auto &use) {
        return std::find(modified.begin(), modified.end(), use.variable) != modified.end();
      });
      if (!untouched || std::find(law.begin(), law.end(), conjunct) == law.end())
        open.push_back(logic::substitute(conjunct, [&](Variable v, bool) {
          return std::find(modified.begin(), modified.end(), v) == modified.end()
                     ? Term()
                     : petri_.pool->primed(v);
        }));
    }
    if (open.empty())
      return true;
    solver_.push();
    for (const auto *formulas : {&law, &relation})
      for (const Term &formula : *formulas)
        solver_.add(formula);
    solver_.add(petri_.pool->negate(petri_.pool->conjunction(open)));
    const Satisfiability found = budget_.check(solver_);
    solver_.pop();
    return found == Satisfiability::Unsat;
  }
};

} // namespace

std::optional<std::string> defectOf(const InvariantDomain &domain, const Program &program,
                                    const petri::PetriProgram &petri, Budget &budget,
                                    const ProofCheckOptions &options) {
  return Walk(domain, program, petri, budget, options).run();
}

} // namespace understudy::compose::refine
