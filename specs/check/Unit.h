// SPDX-License-Identifier: Apache-2.0
//
// The items that both languages share, checked and put into a `Program`.
#pragma once

#include "compose/Program.h"
#include "logic/solver/Solver.h"
#include "specs/check/CheckExpr.h"
#include "specs/check/Names.h"

#include <optional>
#include <set>

namespace understudy::specs::check {

/// One file on its way to becoming a program.
struct Unit {
  syntax::Reporter reporter;
  Scope scope;
  compose::Program program;
  std::vector<logic::Term> initial;      ///< conjuncts of the start state
  std::vector<compose::Claim> initially; ///< those that were written as conditions

  Unit();
  logic::TermPool &pool() { return *program.pool; }
  ExprChecker checker(ExprPlace place) { return {pool(), scope, reporter, {place, {}}}; }
};

/// The sort of a type that is neither mutex nor cond; reports what is wrong with it.
std::optional<logic::Sort> resolveType(Unit &unit, const syntax::TypeRef &type);
/// An array of them; `size` null: indexed by all integers.
std::optional<logic::Sort> arrayOf(Unit &unit, logic::Sort element, const syntax::ExprPtr &size);

/// A constant integer, or nothing after a report.
std::optional<int64_t> constantInteger(Unit &unit, const syntax::Expr &expr);

/// A constant start value of the sort (for arrays: of its element), or an empty term.
logic::Term constantValue(Unit &unit, const syntax::Expr &expr, logic::Sort sort);

/// `variable == value`; for arrays every element.
logic::Term startsAs(Unit &unit, logic::Variable variable, logic::Term value);

void declareEnum(Unit &unit, const syntax::EnumDecl &declaration);
void declareMutex(Unit &unit, const syntax::Name &name);
void declareCond(Unit &unit, const syntax::Name &name);
/// A global; its declaration was faulty when `sort` is empty.
void declareGlobal(Unit &unit, const syntax::Name &name, std::optional<logic::Sort> sort,
                   const syntax::ExprPtr &initial, Symbol symbol);

void addInitially(Unit &unit, const syntax::InitiallyItem &item, ExprRules rules = {});
/// Reports an `initially` that leaves no start state, as far as the solver can tell.
void checkStart(Unit &unit);
void addInvariant(Unit &unit, const syntax::InvariantItem &item);

/// What an action or a statement names; reports and returns null when it is something else.
const Symbol *expectKind(Unit &unit, const Scope &scope, const syntax::Name &name, SymbolKind kind);

/// Adds what the entry says to the threads at the start; repeated names add up.
void addStart(Unit &unit, const syntax::RunEntry &entry, compose::TemplateId thread);

/// The formula, and that evaluating it reads no array element outside its array.
logic::Term definedAndTrue(logic::Term formula);

/// Enough for what contracts ask, and an end for what they should not.
logic::solver::SolverLimits solverLimits();

/// Sorted, without duplicates.
std::vector<logic::Variable> asModified(const std::set<logic::Variable> &variables);
/// The variables that occur primed.
std::set<logic::Variable> primedIn(logic::Term term);

/// The condition that an arbitrary new value of the variable lies in its type.
logic::Term anyValue(logic::TermPool &pool, logic::Variable variable);

} // namespace understudy::specs::check
