// SPDX-License-Identifier: Apache-2.0
//
// The obligations of Definitions 3.1 and 3.2 of the paper on ghosts and empires, over what is
// reachable: the initial condition implies the first law of every component; {law} t {post(law, t)}
// for every component, law and transition that meet; no bad place is marked unless some component
// is false. A component is read from the data alone, and each triple is asked for when it is met;
// what meets is found by walking through all markings, and through the unfolding where those are
// too many. Transitions into places that are bad only for the other specification are left out: the
// first step of an execution that goes wrong or finds too few instances is preceded by none of
// them, so a proof of each specification (or one of both) covers all executions.
#include "compose/refine/ProofCheck.h"

#include "compose/petri/Explorer.h"
#include "compose/petri/Unfolder.h"
#include "logic/Substitute.h"
#include "logic/solver/Solver.h"

#include <algorithm>
#include <memory>
#include <set>

namespace understudy::compose::refine {

namespace {

using logic::solver::Satisfiability;
using petri::PlaceId;
using petri::TransitionId;

/// Law and relation imply the claim after the step.
class Triples {
public:
  Triples(logic::TermPool &pool, Budget &budget, uint64_t resources)
      : pool_(pool), budget_(budget), solver_(pool, budget.limits(resources)) {}

  bool hold(const std::vector<Term> &law, const petri::Label &label,
            const std::vector<Term> &claim) {
    std::vector<Term> open;
    for (const Term &conjunct : claim)
      if (!keeps(law, label, conjunct))
        open.push_back(logic::substitute(conjunct, [&](Variable v, bool) {
          return changes(label, v) ? pool_.primed(v) : Term();
        }));
    if (open.empty())
      return true;
    solver_.push();
    for (const auto *formulas : {&law, &label.conjuncts})
      for (const Term &formula : *formulas)
        solver_.add(formula);
    solver_.add(pool_.negate(pool_.conjunction(open)));
    const Satisfiability found = budget_.check(solver_);
    solver_.pop();
    return found == Satisfiability::Unsat;
  }

private:
  logic::TermPool &pool_;
  Budget &budget_;
  logic::solver::Solver solver_;

  static bool changes(const petri::Label &label, Variable v) {
    return std::find(label.modified.begin(), label.modified.end(), v) != label.modified.end();
  }
  /// A conjunct of the law that the step cannot change needs no solver.
  static bool keeps(const std::vector<Term> &law, const petri::Label &label, Term conjunct) {
    const auto uses = logic::variablesOf(conjunct);
    return std::find(law.begin(), law.end(), conjunct) != law.end() &&
           std::none_of(uses.begin(), uses.end(),
                        [&](const auto &use) { return changes(label, use.variable); });
  }
};

/// A component as the data has it. A triple that does not hold is a defect, and ends the walk.
class Component : public petri::Observer {
public:
  Component(const DomainComponent &data, const petri::PetriProgram &petri,
            const std::vector<TransitionId> &origin, Triples &triples, std::string &defect)
      : data_(data), petri_(petri), origin_(origin), triples_(triples), defect_(defect) {
    for (const auto &[question, after] : data.post)
      moving_.insert(question.second);
    for (const auto &law : data.laws)
      for (const Term &conjunct : law)
        for (const logic::VariableUse &use : logic::variablesOf(conjunct))
          variables_.insert(use.variable);
  }

  State initial() override { return 0; }
  /// It has no entry, and changes nothing that a law speaks of.
  bool ignores(TransitionId transition) override {
    const TransitionId id = origin_[transition];
    const auto &modified = petri_.transitions[id].label.modified;
    return !moving_.contains(id) && std::none_of(modified.begin(), modified.end(), [&](Variable v) {
      return variables_.contains(v);
    });
  }

  std::optional<State> next(State state, TransitionId transition) override {
    const TransitionId id = origin_[transition];
    auto entry = data_.post.find({state, id});
    const std::optional<State> after =
        entry == data_.post.end() ? std::optional(state) : entry->second;
    if (!defect_.empty() || checked_.contains({state, id}))
      return after;
    if (state >= data_.laws.size() || (after && *after >= data_.laws.size()) ||
        !triples_.hold(data_.laws[state], petri_.transitions[id].label, claim(after)))
      defect_ = after ? "a law does not hold after a transition"
                      : "a transition said to be impossible is possible";
    checked_.insert({state, id});
    return after;
  }

private:
  const DomainComponent &data_;
  const petri::PetriProgram &petri_;
  const std::vector<TransitionId> &origin_;
  Triples &triples_;
  std::string &defect_;
  std::set<TransitionId> moving_; ///< have an entry
  std::set<Variable> variables_;  ///< of all laws
  std::set<std::pair<State, TransitionId>> checked_;

  std::vector<Term> claim(std::optional<State> after) const {
    return after ? data_.laws[*after] : std::vector{petri_.pool->boolean(false)};
  }
};

/// Can a bad place be marked beside the observers? A text says why this is not known.
std::string reaches(const petri::SpecifiedNet &net, const std::vector<petri::Observer *> &observers,
                    const std::function<bool()> &stop, const ProofCheckOptions &options) {
  petri::ExplorerOptions explorer;
  explorer.maxStates = options.maxStates;
  explorer.stop = stop;
  const petri::ExplorerResult found = petri::explore(net.net, net.bad, observers, explorer);
  if (found.run)
    return "a bad place is marked";
  if (found.reason.empty() || stop())
    return found.reason;
  petri::UnfoldingLimits limits;
  limits.isStopped = stop;
  petri::Unfolder unfolder(net.net, observers, limits);
  switch (unfolder.find(
      [&](PlaceId place) { return std::binary_search(net.bad.begin(), net.bad.end(), place); })) {
  case petri::Unfolder::Result::Found:
    return "a bad place is marked";
  case petri::Unfolder::Result::Limit:
    return found.reason;
  case petri::Unfolder::Result::Complete:
    break;
  }
  return "";
}

} // namespace

std::optional<std::string> defectOf(const InvariantDomain &domain, const Program &program,
                                    const petri::PetriProgram &petri, Budget &budget,
                                    const ProofCheckOptions &options) {
  if (domain.limit != petri.limit)
    return "the proof is about another net";
  const petri::SpecifiedNet net = petri::specified(petri, program, domain.specification);
  if (net.bad.empty())
    return std::nullopt;
  Triples triples(*petri.pool, budget, options.resources);
  for (const DomainComponent &component : domain.components)
    if (component.laws.empty() || !triples.hold({}, {petri.initial, {}}, component.laws[0]))
      return "the start does not imply a component's first law";
  std::string defect;
  std::vector<std::unique_ptr<Component>> components;
  std::vector<petri::Observer *> observers;
  for (const DomainComponent &component : domain.components) {
    components.push_back(
        std::make_unique<Component>(component, petri, net.origin, triples, defect));
    observers.push_back(components.back().get());
  }
  const std::string reached =
      reaches(net, observers, [&] { return !defect.empty() || budget.exhausted(); }, options);
  if (defect.empty())
    defect = reached;
  return defect.empty() ? std::nullopt : std::optional(defect);
}

} // namespace understudy::compose::refine
