// SPDX-License-Identifier: Apache-2.0
//
// Two of Z3's tactics, one after the other: `qe-light` solves equations for bound variables, `qe2`
// plays a game between models of the formula and of its negation, and projects. The first alone is
// tried first: its results look like what went in.
//
// Variables that stay are replaced by bound variables of Z3 before the result is read, since that
// is how `TermReader` knows the variables of a formula.
#include "logic/solver/Eliminate.h"

#include "logic/Simplify.h"
#include "logic/SortFacts.h"
#include "logic/smtlib/TermReader.h"
#include "logic/solver/Context.h"
#include "logic/solver/QueryLog.h"
#include "logic/solver/Translate.h"
#include "logic/solver/Watchdog.h"

#include <algorithm>
#include <unordered_set>

namespace understudy::logic::solver {

namespace {

size_t distinctSubterms(Term term, size_t limit) {
  std::unordered_set<Term> seen;
  std::vector<Term> work{term};
  while (!work.empty() && seen.size() <= limit) {
    Term t = work.back();
    work.pop_back();
    if (seen.insert(t).second)
      work.insert(work.end(), t.operands().begin(), t.operands().end());
  }
  return seen.size();
}

bool mentions(Term term, const std::vector<Variable> &variables) {
  std::vector<VariableUse> uses = variablesOf(term);
  return std::any_of(uses.begin(), uses.end(), [&](const VariableUse &use) {
    return std::binary_search(variables.begin(), variables.end(), use.variable);
  });
}

/// Z3's terms can be deep trees of shared parts: count no further than the limit.
bool isSmallAndFree(const z3::expr &e, size_t limit) {
  std::unordered_set<unsigned> seen;
  std::vector<z3::expr> work{e};
  while (!work.empty()) {
    z3::expr t = work.back();
    work.pop_back();
    if (!seen.insert(t.id()).second)
      continue;
    if (seen.size() > limit || t.is_quantifier())
      return false;
    for (unsigned i = 0; t.is_app() && i < t.num_args(); ++i)
      work.push_back(t.arg(i));
  }
  return true;
}

} // namespace

struct Eliminator::Implementation {
  TermPool &pool;
  EliminationLimits limits;
  Context context;
  z3::solver idle{context}; // as in Solver.cpp
  Translator translator{context};
  Watchdog watchdog{[this] { Z3_interrupt(context); }};

  Implementation(TermPool &terms, EliminationLimits given) : pool(terms), limits(given) {}

  z3::expr closed(const std::vector<Variable> &bound, Term formula) {
    z3::expr_vector body(context);
    body.push_back(translator.translate(formula));
    for (const Term &fact : sortFacts(formula).facts)
      if (mentions(fact, bound))
        body.push_back(translator.translate(fact));
    z3::expr_vector names(context);
    for (Variable v : bound)
      names.push_back(translator.translate(pool.var(v)));
    return z3::exists(names, z3::mk_and(body));
  }

  std::optional<Term> read(const z3::expr &result, Term formula) {
    std::vector<Variable> parameters;
    z3::expr_vector constants(context);
    z3::expr_vector indices(context);
    for (const VariableUse &use : variablesOf(formula)) {
      z3::expr constant = translator.translate(pool.var(use.variable));
      constants.push_back(constant);
      indices.push_back(
          z3::expr(context, Z3_mk_bound(context, static_cast<unsigned>(parameters.size()),
                                        constant.get_sort())));
      parameters.push_back(use.variable);
    }
    z3::expr body = result;
    return smtlib::TermReader(pool, parameters).read(body.substitute(constants, indices));
  }

  std::optional<z3::expr> apply(const z3::tactic &tactic, const z3::expr &formula) {
    z3::goal goal(context);
    goal.add(formula);
    z3::apply_result result = tactic(goal);
    z3::expr_vector alternatives(context);
    for (unsigned i = 0; i < result.size(); ++i)
      alternatives.push_back(result[static_cast<int>(i)].as_expr());
    z3::expr whole = z3::mk_or(alternatives);
    return isSmallAndFree(whole, limits.maxTerms) ? std::optional(whole) : std::nullopt;
  }

  std::optional<z3::expr> run(const z3::expr &formula) {
    try {
      z3::tactic light(context, "qe-light");
      if (auto result = apply(light, formula))
        return result;
      return apply(light & z3::tactic(context, "qe2"), formula);
    } catch (const z3::exception &) {
      return std::nullopt;
    }
  }

  /// Z3 forgets a stop that came too late when it checks something.
  void conclude(Watchdog::Outcome outcome) {
    if (!outcome.stopSent)
      return;
    try {
      idle.check();
    } catch (const z3::exception &) {
      // Only to clear the stop.
    }
  }

  std::optional<Term> exists(const std::vector<Variable> &bound, Term formula) {
    try {
      z3::expr question = closed(bound, formula);
      LoggedQuery logged(translator, [&] {
        z3::expr_vector all(context);
        all.push_back(question);
        return all;
      });
      std::stop_callback cancel(limits.stop, [this] { watchdog.interrupt(); });
      if (!watchdog.begin(limits.seconds))
        return std::nullopt;
      std::optional<z3::expr> result = run(question);
      conclude(watchdog.end());
      logged.answer(result ? "quantifiers eliminated" : "quantifiers not eliminated");
      if (!result)
        return std::nullopt;
      std::optional<Term> term = read(*result, formula);
      if (!term || mentions(*term, bound))
        return std::nullopt;
      return simplify(*term);
    } catch (const z3::exception &) {
      return std::nullopt;
    }
  }
};

Eliminator::Eliminator(TermPool &pool, EliminationLimits limits)
    : implementation_(std::make_unique<Implementation>(pool, limits)) {}
Eliminator::~Eliminator() = default;

std::optional<Term> Eliminator::exists(std::span<const Variable> bound, Term formula) {
  Implementation &self = *implementation_;
  std::vector<Variable> names(bound.begin(), bound.end());
  std::sort(names.begin(), names.end());
  std::erase_if(names, [&](Variable v) { return !mentions(formula, {v}); });
  if (names.empty())
    return simplify(formula);
  if (names.size() > self.limits.maxBound ||
      distinctSubterms(formula, self.limits.maxTerms) > self.limits.maxTerms)
    return std::nullopt;
  return self.exists(names, formula);
}

std::optional<Term> Eliminator::forAll(std::span<const Variable> bound, Term formula) {
  TermPool &pool = implementation_->pool;
  auto result = exists(bound, pool.negate(formula));
  return result ? std::optional(simplify(pool.negate(*result))) : std::nullopt;
}

void Eliminator::limitSeconds(double seconds) { implementation_->limits.seconds = seconds; }

} // namespace understudy::logic::solver
