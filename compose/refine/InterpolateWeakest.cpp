// SPDX-License-Identifier: Apache-2.0
//
// Weakest preconditions: I_i = for all modified variables' new values, T_i implies I_{i+1}.
//
// An equation x' = e is substituted, which keeps predicates in the words of the program and works
// for arrays, too. A disjunction is treated case by case, since its cases are mostly equations.
// Only what then still speaks of new values is left to quantifier elimination. Variables that the
// run has not constrained before the position are eliminated as well: the predicate has to hold for
// all their values. (engine.md, section 4.1.)
//
// A substituted x' = e forgets that x' lies in its sort. That is tried first, since programs
// mostly check ranges themselves; if it does not lead to `true` at the start, ranges are assumed.
#include "compose/refine/InterpolateParts.h"

#include "logic/Simplify.h"
#include "logic/Substitute.h"

#include <algorithm>

namespace understudy::compose::refine {

using logic::Op;
using logic::TermPool;

namespace {

constexpr size_t mostCases = 64; ///< of one step

enum class Ranges : uint8_t { Forgotten, Assumed };

struct Definition {
  Variable variable;
  Term value;
};

bool mentionsPrimed(Term term, Variable variable) {
  std::vector<logic::VariableUse> uses = logic::variablesOf(term);
  return std::binary_search(uses.begin(), uses.end(), logic::VariableUse{variable, true});
}

/// x' = e with e free of x', in one of its forms.
std::optional<Definition> definitionIn(Term conjunct) {
  TermPool &pool = conjunct.pool();
  auto isPrimed = [](const Term &t) { return t.op() == Op::Variable && t.primed(); };
  if (isPrimed(conjunct))
    return Definition{conjunct.variable(), pool.boolean(true)};
  if (conjunct.op() == Op::Not && isPrimed(conjunct.operand(0)))
    return Definition{conjunct.operand(0).variable(), pool.boolean(false)};
  if (conjunct.op() != Op::Equal)
    return std::nullopt;
  for (size_t side : {size_t{0}, size_t{1}}) {
    Term name = conjunct.operand(side);
    Term value = conjunct.operand(1 - side);
    if (isPrimed(name) && !mentionsPrimed(value, name.variable()))
      return Definition{name.variable(), value};
  }
  return std::nullopt;
}

/// The cases of a formula that is a choice; empty if it is none.
std::vector<Term> casesOf(Term formula) {
  TermPool &pool = formula.pool();
  if (formula.op() == Op::Or)
    return {formula.operands().begin(), formula.operands().end()};
  if (formula.op() == Op::Implies)
    return {pool.negate(formula.operand(0)), formula.operand(1)};
  if (formula.op() == Op::Ite)
    return {pool.conjunction({formula.operand(0), formula.operand(1)}),
            pool.conjunction({pool.negate(formula.operand(0)), formula.operand(2)})};
  return {};
}

class Precondition {
public:
  Precondition(TermPool &pool, Ranges ranges, logic::solver::Eliminator &eliminator)
      : pool_(pool), ranges_(ranges), eliminator_(eliminator) {}

  /// For all new values: the conjuncts imply `after`, which speaks of new values by primes.
  std::optional<Term> of(std::vector<Term> conjuncts, Term after) {
    substituteDefinitions(conjuncts, after);
    Term goal = pool_.implies(pool_.conjunction(conjuncts), after);
    if (!goal.hasPrimes())
      return logic::simplify(goal);
    for (size_t i = 0; i < conjuncts.size(); ++i) {
      std::vector<Term> cases =
          conjuncts[i].hasPrimes() ? casesOf(conjuncts[i]) : std::vector<Term>();
      if (cases.empty() || cases_ + cases.size() > mostCases)
        continue;
      cases_ += cases.size();
      return ofCases(conjuncts, i, cases, after);
    }
    return eliminated(goal);
  }

private:
  TermPool &pool_;
  Ranges ranges_;
  logic::solver::Eliminator &eliminator_;
  size_t cases_ = 0;

  void substituteDefinitions(std::vector<Term> &conjuncts, Term &after) {
    for (size_t i = 0; i < conjuncts.size();) {
      auto definition = definitionIn(conjuncts[i]);
      if (!definition) {
        ++i;
        continue;
      }
      auto apply = [&](Variable v, bool primed) {
        return primed && v == definition->variable ? definition->value : Term();
      };
      conjuncts.erase(conjuncts.begin() + static_cast<std::ptrdiff_t>(i));
      if (ranges_ == Ranges::Assumed)
        conjuncts.push_back(pool_.inSort(definition->value, definition->variable.sort()));
      std::vector<Term> rest;
      for (const Term &conjunct : conjuncts)
        for (const Term &part :
             logic::conjunctsOf(logic::simplify(logic::substitute(conjunct, apply))))
          rest.push_back(part);
      conjuncts = std::move(rest);
      after = logic::simplify(logic::substitute(after, apply));
      i = 0;
    }
  }

  std::optional<Term> ofCases(const std::vector<Term> &conjuncts, size_t split,
                              const std::vector<Term> &cases, Term after) {
    std::vector<Term> all;
    for (const Term &choice : cases) {
      std::vector<Term> here = conjuncts;
      here.erase(here.begin() + static_cast<std::ptrdiff_t>(split));
      for (const Term &part : logic::conjunctsOf(logic::simplify(choice)))
        here.push_back(part);
      auto result = of(std::move(here), after);
      if (!result)
        return std::nullopt;
      all.push_back(*result);
    }
    return logic::simplify(pool_.conjunction(all));
  }

  std::optional<Term> eliminated(Term goal) {
    std::vector<Variable> bound;
    for (const logic::VariableUse &use : logic::variablesOf(goal))
      if (use.primed)
        bound.push_back(standIn(pool_, use.variable));
    Term open = logic::substitute(goal, [&](Variable v, bool primed) {
      return primed ? pool_.var(standIn(pool_, v)) : Term();
    });
    return eliminator_.forAll(bound, open);
  }
};

/// Without the variables that are not in the list, if they can be eliminated.
Term restricted(Term predicate, const std::vector<Variable> &relevant,
                logic::solver::Eliminator &eliminator) {
  std::vector<Variable> others;
  for (const logic::VariableUse &use : logic::variablesOf(predicate))
    if (!std::binary_search(relevant.begin(), relevant.end(), use.variable))
      others.push_back(use.variable);
  if (others.empty())
    return predicate;
  return eliminator.forAll(others, predicate).value_or(predicate);
}

std::optional<Sequence> attempt(TermPool &pool, const ReducedRun &run, Ranges ranges,
                                const Effort &effort) {
  logic::solver::Eliminator eliminator(pool, effort.elimination());
  Sequence sequence(run.steps.size() + 1);
  Term predicate = pool.boolean(false);
  sequence.back() = {predicate};
  for (size_t i = run.steps.size(); i-- > 0;) {
    if (effort.isSpent())
      return std::nullopt;
    const Step &step = run.steps[i];
    auto before =
        Precondition(pool, ranges, eliminator).of(step.conjuncts, afterStep(predicate, step));
    if (!before)
      return std::nullopt;
    predicate = restricted(*before, run.relevant[i], eliminator);
    sequence[i] = conjunctList(pool, {predicate});
  }
  if (logic::solver::isValid(predicate, effort.solver()) != true)
    return std::nullopt;
  sequence.front().clear();
  return sequence;
}

} // namespace

std::optional<Sequence> weakestPreconditions(TermPool &pool, const ReducedRun &run,
                                             const Effort &effort) {
  if (auto sequence = attempt(pool, run, Ranges::Forgotten, effort))
    return sequence;
  return attempt(pool, run, Ranges::Assumed, effort);
}

} // namespace understudy::compose::refine
