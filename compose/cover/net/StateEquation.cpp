// SPDX-License-Identifier: Apache-2.0
//
// The problem: in large safe nets a search visits too much, and yet the reason for safety is often
// simple arithmetic ("these three counts always add up to one"). The idea: whatever the order in
// which transitions fire, the end is the start plus the sum of their effects. If this equation has
// no solution that covers the target, the target is uncoverable. If it has one, look for a trap
// that the solution empties although it was occupied; no run does that, so the solution is
// excluded, and the solver is asked again (Esparza and Melzer; Petrinizer).
//
// The largest trap among the states that a solution leaves empty is unique: strike out what breaks
// the condition until nothing does. So no solver is needed to find it.
//
// Transfers are covered by more freedom: any number of threads may take a passive move of a
// transition that fires. This is sound, and weak where the proof needs that *all* threads move.
#include "compose/cover/net/StateEquation.h"

#include "compose/cover/Configurations.h"
#include "logic/solver/Solver.h"

#include <algorithm>
#include <map>

namespace understudy::compose::cover::net {

namespace {

using logic::Term;
using NetPlace = uint32_t; ///< a local state, or `localStates` + a shared state

class Equation {
public:
  Equation(const CoverProblem &problem, const std::vector<bool> &useful,
           const StateEquationLimits &limits)
      : problem_(problem), limits_(limits) {
    for (uint32_t t = 0; t < problem.net.transitions.size(); ++t)
      if (useful.empty() || useful[t])
        used_.push_back(t);
  }

  std::optional<StateEquationProof> prove() {
    size_t cases = problem_.net.starts.size() * problem_.targets.size();
    if (used_.size() > limits_.mostTransitions || cases > limits_.mostQueries)
      return std::nullopt;
    for (const StartSet &start : problem_.net.starts)
      for (const Configuration &target : problem_.targets)
        if (!excludes(start, target))
          return std::nullopt;
    StateEquationProof proof;
    proof.transitions = used_;
    for (const auto &trap : traps_)
      proof.traps.push_back(split(trap));
    return proof;
  }

private:
  const CoverProblem &problem_;
  const StateEquationLimits &limits_;
  std::vector<uint32_t> used_;
  std::vector<std::vector<NetPlace>> traps_;
  size_t queries_ = 0;

  NetPlace place(SharedState shared) const { return problem_.net.localStates + shared; }

  /// One start and one target: terms for the counts at the start and in the end.
  struct Case {
    logic::TermPool pool;
    logic::solver::Solver solver;
    std::map<NetPlace, std::vector<Term>> first, last;
    std::map<NetPlace, int64_t> firstConstant; ///< what the start has in any case
    std::vector<logic::Variable> variables;
    /// How a unit of a variable changes the end (and the start) of a place.
    struct Effect {
      size_t variable;
      NetPlace place;
      int64_t factor;
      bool atStart;
    };
    std::vector<Effect> effects;
    explicit Case(uint64_t resources) : solver(pool, {resources, 0}) {}
  };

  static size_t addVariable(Case &c, const std::string &name) {
    c.variables.push_back(c.pool.variable("", name, c.pool.intSort()));
    c.solver.add(c.pool.greaterEqual(c.pool.var(c.variables.back()), c.pool.integer(0)));
    return c.variables.size() - 1;
  }
  static Term termOf(Case &c, size_t variable) { return c.pool.var(c.variables[variable]); }
  static void addEffect(Case &c, size_t variable, NetPlace place, int64_t factor) {
    if (factor == 0)
      return;
    c.effects.push_back({variable, place, factor, false});
    c.last[place].push_back(c.pool.multiply(factor, termOf(c, variable)));
  }

  void addStart(Case &c, const StartSet &start) const {
    c.firstConstant[place(start.shared)] = 1;
    for (const Group &group : start.threads)
      c.firstConstant[group.local] += group.count;
    for (auto [at, count] : c.firstConstant) {
      c.first[at].push_back(c.pool.integer(count));
      c.last[at].push_back(c.pool.integer(count));
    }
    for (LocalState local : start.anyNumber) {
      size_t extra = addVariable(c, "e" + std::to_string(local));
      c.first[local].push_back(termOf(c, extra));
      c.effects.push_back({extra, local, 1, true});
      addEffect(c, extra, local, 1);
    }
  }

  void addTransition(Case &c, uint32_t number) const {
    const Transition &t = problem_.net.transitions[number];
    size_t fires = addVariable(c, "x" + std::to_string(number));
    std::map<NetPlace, int64_t> effect;
    for (const Group &group : t.consumes)
      effect[group.local] -= group.count;
    for (const Group &group : t.produces)
      effect[group.local] += group.count;
    effect[place(t.from)] -= 1;
    effect[place(t.to)] += 1;
    for (auto [at, change] : effect)
      addEffect(c, fires, at, change);
    for (const auto *moves : {&t.transfers, &t.signals})
      for (size_t i = 0; i < moves->size(); ++i) {
        size_t moved = addVariable(c, "y" + std::to_string(number) + "m" + std::to_string(i));
        addEffect(c, moved, (*moves)[i].from, -1);
        addEffect(c, moved, (*moves)[i].to, 1);
        Term none = c.pool.equal(termOf(c, moved), c.pool.integer(0));
        c.solver.add(moves == &t.signals
                         ? c.pool.lessEqual(termOf(c, moved), termOf(c, fires))
                         : c.pool.implies(c.pool.equal(termOf(c, fires), c.pool.integer(0)), none));
      }
  }

  void addEnd(Case &c, const Configuration &target) const {
    for (const auto &[at, terms] : c.last) {
      int64_t least = at == place(target.shared) ? 1 : 0;
      if (at < problem_.net.localStates)
        least = countOf(target.threads, at);
      c.solver.add(c.pool.greaterEqual(c.pool.sum(terms), c.pool.integer(least)));
    }
    std::vector<NetPlace> wanted{place(target.shared)};
    for (const Group &group : target.threads)
      wanted.push_back(group.local);
    for (NetPlace at : wanted)
      if (!c.last.contains(at)) // nothing ever gets there
        c.solver.add(c.pool.boolean(false));
  }

  void addTrap(Case &c, const std::vector<NetPlace> &trap) const {
    std::vector<Term> first, last;
    for (NetPlace at : trap) {
      if (auto found = c.first.find(at); found != c.first.end())
        first.insert(first.end(), found->second.begin(), found->second.end());
      if (auto found = c.last.find(at); found != c.last.end())
        last.insert(last.end(), found->second.begin(), found->second.end());
    }
    Term one = c.pool.integer(1);
    c.solver.add(c.pool.implies(c.pool.greaterEqual(c.pool.sum(first), one),
                                c.pool.greaterEqual(c.pool.sum(last), one)));
  }

  bool excludes(const StartSet &start, const Configuration &target) {
    Case c(limits_.resources);
    addStart(c, start);
    for (uint32_t number : used_)
      addTransition(c, number);
    addEnd(c, target);
    for (const auto &trap : traps_)
      addTrap(c, trap);
    while (++queries_ <= limits_.mostQueries) {
      auto found = c.solver.check();
      if (found != logic::solver::Satisfiability::Sat)
        return found == logic::solver::Satisfiability::Unsat;
      auto trap = trapAgainst(c);
      if (!trap)
        return false;
      addTrap(c, *trap);
      traps_.push_back(std::move(*trap));
    }
    return false;
  }

  /// A trap that the solver's solution empties, if there is one.
  std::optional<std::vector<NetPlace>> trapAgainst(const Case &c) const {
    std::map<NetPlace, int64_t> first = c.firstConstant, last = c.firstConstant;
    logic::solver::Model model = c.solver.model();
    for (const Case::Effect &effect : c.effects) {
      auto value = model.valueOf(c.variables[effect.variable], false);
      constexpr int64_t huge = int64_t{1} << 28; // the sums below must not overflow
      if (!value || value->number() > huge)
        return std::nullopt;
      (effect.atStart ? first : last)[effect.place] += effect.factor * value->number();
    }
    std::vector<bool> inside(problem_.net.localStates + problem_.net.sharedStates, true);
    for (auto [at, count] : last)
      inside[at] = count == 0;
    shrinkToTrap(inside);
    std::vector<NetPlace> trap;
    bool occupied = false;
    for (NetPlace at = 0; at < inside.size(); ++at)
      if (inside[at]) {
        trap.push_back(at);
        auto found = first.find(at);
        occupied |= found != first.end() && found->second > 0;
      }
    return occupied ? std::optional(std::move(trap)) : std::nullopt;
  }

  void shrinkToTrap(std::vector<bool> &inside) const {
    for (bool changed = true; changed;) {
      changed = false;
      auto strike = [&](NetPlace at) {
        changed |= inside[at];
        inside[at] = false;
      };
      for (uint32_t number : used_) {
        const Transition &t = problem_.net.transitions[number];
        bool returns = inside[place(t.to)] ||
                       std::any_of(t.produces.begin(), t.produces.end(),
                                   [&](const Group &group) { return inside[group.local]; });
        if (!returns) {
          strike(place(t.from));
          for (const Group &group : t.consumes)
            strike(group.local);
        }
        for (const auto *moves : {&t.transfers, &t.signals})
          for (const Move &move : *moves)
            if (!inside[move.to])
              strike(move.from);
      }
    }
  }

  Trap split(const std::vector<NetPlace> &places) const {
    Trap trap;
    for (NetPlace at : places)
      if (at < problem_.net.localStates)
        trap.locals.push_back(at);
      else
        trap.shared.push_back(at - problem_.net.localStates);
    return trap;
  }
};

} // namespace

std::optional<StateEquationProof> proveByStateEquation(const CoverProblem &problem,
                                                       const std::vector<bool> &useful,
                                                       const StateEquationLimits &limits) {
  return Equation(problem, useful, limits).prove();
}

} // namespace understudy::compose::cover::net
