// SPDX-License-Identifier: Apache-2.0
//
// Which conjuncts of an infeasible run make it infeasible?
//
// Each variable gets a new version at each step that modifies it (static single assignment), each
// conjunct becomes an assumption, and the solver names an inconsistent subset. It is made smaller
// by leaving out whole steps and then single conjuncts, as long as a count of queries lasts: what
// stays in it will be in the predicates, and fewer things in them means that they hold in more
// runs. (engine.md, sections 3 and 4.)
#include "compose/refine/InterpolateParts.h"

#include "logic/Simplify.h"
#include "logic/Substitute.h"

#include <algorithm>
#include <map>
#include <set>

namespace understudy::compose::refine {

using logic::TermPool;
using logic::solver::Satisfiability;
using logic::solver::Solver;

namespace {

constexpr size_t mostMinimisations = 200;
// A core is a convenience: where it is hard to find, the methods get the whole run.
constexpr uint64_t shareOfResources = 40;

struct Occurrence {
  size_t step = 0;
  Term conjunct; ///< as it stands in the step
  Term single;   ///< over versions
};

bool isModified(const Step &step, Variable variable) {
  return std::binary_search(step.modified.begin(), step.modified.end(), variable);
}

class Versions {
public:
  explicit Versions(TermPool &pool) : pool_(pool) {}

  Term of(Term conjunct, const Step &step) {
    return logic::substitute(conjunct, [&](Variable v, bool primed) {
      return pool_.var(version(v, number(v) + (primed && isModified(step, v) ? 1 : 0)));
    });
  }
  void advance(const Step &step) {
    for (Variable v : step.modified)
      ++numbers_[v];
  }
  size_t number(Variable variable) const {
    auto found = numbers_.find(variable);
    return found == numbers_.end() ? 0 : found->second;
  }

private:
  TermPool &pool_;
  std::unordered_map<Variable, size_t> numbers_;

  Variable version(Variable v, size_t number) {
    return pool_.variable("!" + std::to_string(number), v.fullName(), v.sort());
  }
};

/// In the order of the run. Of conjuncts that say the same, the last one stands for all.
std::vector<Occurrence> occurrences(TermPool &pool, std::span<const Step> steps) {
  std::vector<Occurrence> all;
  std::unordered_map<Term, size_t> last;
  Versions versions(pool);
  for (size_t i = 0; i < steps.size(); ++i) {
    for (const Term &conjunct : steps[i].conjuncts)
      for (const Term &part : logic::conjunctsOf(conjunct)) {
        all.push_back({i, part, versions.of(part, steps[i])});
        last[all.back().single] = all.size() - 1;
      }
    versions.advance(steps[i]);
  }
  std::vector<Occurrence> result;
  for (size_t i = 0; i < all.size(); ++i)
    if (last.at(all[i].single) == i)
      result.push_back(all[i]);
  return result;
}

class Minimiser {
public:
  Minimiser(TermPool &pool, const Effort &effort)
      : effort_(effort), solver_(pool, share(effort.solver())) {}

  /// Keeps a subset that is inconsistent, if one is found; false: the whole is consistent.
  bool reduce(std::vector<Occurrence> &kept) {
    if (!shrink(kept, kept))
      return !isConsistent_;
    for (size_t step = 0, next = 0; !kept.empty(); step = next) {
      leaveOut(kept, [&](const Occurrence &o) { return o.step == step; });
      next = followingStep(kept, step);
      if (next == step)
        break;
    }
    for (size_t i = 0; i < kept.size();) {
      Term single = kept[i].single;
      if (!leaveOut(kept, [&](const Occurrence &o) { return o.single == single; }))
        ++i;
    }
    return true;
  }

private:
  const Effort &effort_;
  Solver solver_;
  size_t queries_ = 0;
  bool isConsistent_ = false;
  bool gaveUp_ = false;

  static logic::solver::SolverLimits share(logic::solver::SolverLimits limits) {
    limits.resources /= shareOfResources;
    return limits;
  }

  static size_t followingStep(const std::vector<Occurrence> &kept, size_t step) {
    for (const Occurrence &o : kept)
      if (o.step > step)
        return o.step;
    return step;
  }

  template <typename Condition>
  bool leaveOut(std::vector<Occurrence> &kept, Condition condition) {
    std::vector<Occurrence> rest = kept;
    std::erase_if(rest, condition);
    if (rest.size() == kept.size() || queries_ >= mostMinimisations || gaveUp_)
      return false;
    ++queries_;
    return shrink(rest, kept);
  }

  /// If the candidates are inconsistent, `kept` becomes a core of them.
  bool shrink(const std::vector<Occurrence> &candidates, std::vector<Occurrence> &kept) {
    std::vector<Term> assumptions;
    for (const Occurrence &o : candidates)
      assumptions.push_back(o.single);
    solver_.limitSeconds(effort_.solver().seconds);
    Satisfiability answer = solver_.check(assumptions);
    isConsistent_ = answer == Satisfiability::Sat;
    gaveUp_ = gaveUp_ || answer == Satisfiability::Unknown || effort_.isSpent();
    if (answer != Satisfiability::Unsat)
      return false;
    std::vector<Term> core = solver_.unsatCore();
    std::set<Term> names(core.begin(), core.end());
    std::vector<Occurrence> result;
    for (const Occurrence &o : candidates)
      if (names.contains(o.single))
        result.push_back(o);
    kept = std::move(result);
    return true;
  }
};

struct Uses {
  size_t first = 0;
  size_t last = 0; ///< steps in which some conjunct mentions the version
};

std::vector<std::vector<Variable>> relevantVariables(TermPool &pool, const ReducedRun &run) {
  std::map<std::pair<Variable, size_t>, Uses> uses;
  Versions versions(pool);
  for (size_t i = 0; i < run.steps.size(); ++i) {
    for (const Term &conjunct : run.steps[i].conjuncts)
      for (const logic::VariableUse &use : logic::variablesOf(conjunct)) {
        bool isNew = use.primed && isModified(run.steps[i], use.variable);
        std::pair key{use.variable, versions.number(use.variable) + (isNew ? 1 : 0)};
        auto [found, isFirst] = uses.try_emplace(key, Uses{i, i});
        found->second.last = i;
      }
    versions.advance(run.steps[i]);
  }
  // Version v is the value at the positions first + 1 .. last: later it is no longer used, and a
  // later version is only mentioned after it was created.
  std::vector<std::vector<Variable>> relevant(run.steps.size() + 1);
  for (const auto &[key, use] : uses)
    for (size_t position = use.first + 1; position <= use.last; ++position)
      relevant[position].push_back(key.first);
  return relevant;
}

} // namespace

std::optional<ReducedRun> reduce(TermPool &pool, std::span<const Step> steps,
                                 const Effort &effort) {
  std::vector<Occurrence> kept = occurrences(pool, steps);
  if (!Minimiser(pool, effort).reduce(kept))
    return std::nullopt;
  ReducedRun run;
  for (const Step &step : steps)
    run.steps.push_back({{}, step.modified});
  for (const Occurrence &o : kept)
    run.steps[o.step].conjuncts.push_back(o.conjunct);
  run.relevant = relevantVariables(pool, run);
  return run;
}

} // namespace understudy::compose::refine
