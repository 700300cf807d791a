// SPDX-License-Identifier: Apache-2.0
#include "specs/check/Unit.h"

#include "logic/Substitute.h"
#include "logic/Words.h"

#include <algorithm>

namespace understudy::specs::check {

using logic::Sort;
using logic::Term;
using logic::Variable;

namespace {

constexpr int64_t largestArray = 4096;
constexpr int64_t mostThreads = 1'000'000;

std::optional<Sort> resolveRange(Unit &unit, const syntax::TypeRef &type) {
  auto lower = constantInteger(unit, *type.lower);
  auto upper = constantInteger(unit, *type.upper);
  if (!lower || !upper)
    return std::nullopt;
  if (*lower > *upper) {
    std::vector<std::string> names;
    for (const auto &[bound, value] : {std::pair(&type.lower, *lower), {&type.upper, *upper}})
      if ((*bound)->kind == syntax::ExprKind::Name)
        names.push_back("'" + (*bound)->text + "' is " + std::to_string(value));
    unit.reporter.error(
        type.range,
        "the range " + std::to_string(*lower) + ".." + std::to_string(*upper) + " is empty",
        names.empty() ? "the lower bound comes first" : logic::joined(names, " and "));
    return std::nullopt;
  }
  return unit.pool().rangeSort(*lower, *upper);
}

std::optional<Sort> resolveNamed(Unit &unit, const syntax::TypeRef &type) {
  const Symbol *symbol = unit.scope.find(type.name);
  if (symbol && symbol->kind == SymbolKind::EnumType)
    return symbol->broken ? std::nullopt : std::optional(symbol->sort);
  if (symbol) {
    unit.reporter.error(type.range,
                        "expected a type, but '" + type.name + "' is " + describe(symbol->kind));
    return std::nullopt;
  }
  if (const SourceRange *later = unit.scope.announced(type.name)) {
    unit.reporter.error(type.range, "the type '" + type.name + "' is used before its declaration",
                        "it is declared on line " + std::to_string(later->begin.line) +
                            "; move the declaration up");
    return std::nullopt;
  }
  std::string hint = unit.scope.suggestion(type.name, {SymbolKind::EnumType});
  if (hint.empty())
    hint = logic::didYouMean(type.name, {"bool", "int", "mutex", "cond"});
  unit.reporter.error(type.range, "unknown type '" + type.name + "'",
                      hint.empty() ? "types are bool, int, int LO..HI and declared enums" : hint);
  return std::nullopt;
}

} // namespace

logic::solver::SolverLimits solverLimits() { return {.resources = 20'000'000, .seconds = 60}; }

Unit::Unit() {
  program.pool = std::make_shared<logic::TermPool>();
  program.initial = program.pool->boolean(true);
}

std::optional<Sort> resolveType(Unit &unit, const syntax::TypeRef &type) {
  switch (type.kind) {
  case syntax::TypeKind::Bool:
    return unit.pool().boolSort();
  case syntax::TypeKind::Int:
    return unit.pool().intSort();
  case syntax::TypeKind::Range:
    return resolveRange(unit, type);
  case syntax::TypeKind::Named:
    return resolveNamed(unit, type);
  case syntax::TypeKind::Mutex:
  case syntax::TypeKind::Cond:
  case syntax::TypeKind::Section:
    break;
  }
  unit.reporter.error(type.range,
                      std::string("a ") +
                          (type.kind == syntax::TypeKind::Mutex  ? "mutex"
                           : type.kind == syntax::TypeKind::Cond ? "cond"
                                                                 : "section") +
                          " is not a value and cannot be stored here",
                      "mutexes and conds are declared on their own and shared by all threads");
  return std::nullopt;
}

std::optional<Sort> arrayOf(Unit &unit, Sort element, const syntax::ExprPtr &size) {
  if (!size)
    return unit.pool().arraySort(element, std::nullopt);
  auto count = constantInteger(unit, *size);
  if (!count)
    return std::nullopt;
  if (*count < 1 || *count > largestArray) {
    unit.reporter.error(size->range,
                        *count < 1
                            ? "an array needs at least one element"
                            : "an array of " + std::to_string(*count) + " elements is too large",
                        "arrays have 1 to " + std::to_string(largestArray) + " elements");
    return std::nullopt;
  }
  return unit.pool().arraySort(element, count);
}

std::optional<int64_t> constantInteger(Unit &unit, const syntax::Expr &expr) {
  Checked value = unit.checker(ExprPlace::Constant).integer(expr);
  if (!value)
    return std::nullopt;
  return value.term.value();
}

Term constantValue(Unit &unit, const syntax::Expr &expr, Sort sort) {
  Sort scalar = sort.isArray() ? sort.element() : sort;
  Checked value = unit.checker(ExprPlace::Constant).assignable(expr, scalar);
  if (!value)
    return {};
  if (provablyInSort(value.term, scalar))
    return value.term;
  unit.reporter.error(expr.range, std::to_string(value.term.value()) + " is outside the range " +
                                      std::to_string(scalar.lower()) + ".." +
                                      std::to_string(scalar.upper()));
  return {};
}

Term startsAs(Unit &unit, Variable variable, Term value) {
  if (variable.sort().isArray())
    value = unit.pool().constArray(variable.sort(), value);
  return unit.pool().equal(unit.pool().var(variable), value);
}

void declareEnum(Unit &unit, const syntax::EnumDecl &declaration) {
  std::vector<logic::Enumerator> enumerators;
  std::set<int64_t> used;
  size_t errors = unit.reporter.errorCount();
  bool overflow = false;
  int64_t next = 0;
  if (declaration.enumerators.empty())
    unit.reporter.error(declaration.range, "enum '" + declaration.name.text + "' has no values");
  for (const syntax::EnumeratorDecl &e : declaration.enumerators) {
    std::optional<int64_t> value = next;
    if (e.value)
      value = constantInteger(unit, *e.value);
    else if (overflow)
      unit.reporter.error(e.name.range,
                          "the value of '" + e.name.text + "' does not fit in 64 bits");
    if (!value)
      continue;
    if (!used.insert(*value).second)
      unit.reporter.error(e.name.range,
                          "duplicate value " + std::to_string(*value) + " for '" + e.name.text +
                              "' in enum '" + declaration.name.text + "'",
                          "the values of an enum must be distinct");
    enumerators.push_back({e.name.text, *value});
    overflow = __builtin_add_overflow(*value, 1, &next);
  }
  Symbol type{
      .kind = SymbolKind::EnumType, .name = declaration.name.text, .range = declaration.name.range};
  type.broken = errors != unit.reporter.errorCount();
  if (!type.broken)
    type.sort = unit.pool().enumSort(declaration.name.text, enumerators);
  unit.scope.declare(type, unit.reporter);
  size_t at = 0;
  for (const syntax::EnumeratorDecl &e : declaration.enumerators) {
    Symbol value{.kind = SymbolKind::Constant, .name = e.name.text, .range = e.name.range};
    value.broken = type.broken;
    if (!type.broken)
      value.term = unit.pool().enumerator(type.sort, enumerators[at++].value);
    unit.scope.declare(value, unit.reporter);
  }
}

void declareMutex(Unit &unit, const syntax::Name &name) {
  Symbol symbol{.kind = SymbolKind::Mutex, .name = name.text, .range = name.range};
  symbol.index = static_cast<uint32_t>(unit.program.mutexes.size());
  symbol.variable = unit.pool().variable("", name.text, unit.pool().boolSort());
  size_t errors = unit.reporter.errorCount();
  unit.scope.declare(symbol, unit.reporter);
  if (errors != unit.reporter.errorCount())
    return;
  unit.program.mutexes.push_back({name.text, symbol.variable});
  unit.program.globals.push_back(symbol.variable);
  unit.initial.push_back(unit.pool().negate(unit.pool().var(symbol.variable)));
}

void declareCond(Unit &unit, const syntax::Name &name) {
  Symbol symbol{.kind = SymbolKind::Cond, .name = name.text, .range = name.range};
  symbol.index = static_cast<uint32_t>(unit.program.conditions.size());
  unit.scope.declare(symbol, unit.reporter);
  unit.program.conditions.push_back(name.text);
}

void declareGlobal(Unit &unit, const syntax::Name &name, std::optional<Sort> sort,
                   const syntax::ExprPtr &initial, Symbol symbol) {
  symbol.kind = SymbolKind::Variable;
  symbol.name = name.text;
  symbol.range = name.range;
  symbol.broken = !sort;
  Term value;
  if (sort && initial)
    value = constantValue(unit, *initial, *sort);
  size_t errors = unit.reporter.errorCount();
  if (sort)
    symbol.variable = unit.pool().variable("", name.text, *sort);
  unit.scope.declare(symbol, unit.reporter);
  if (!sort || errors != unit.reporter.errorCount())
    return;
  unit.program.globals.push_back(symbol.variable);
  if (value)
    unit.initial.push_back(startsAs(unit, symbol.variable, value));
}

void addInitially(Unit &unit, const syntax::InitiallyItem &item, ExprRules rules) {
  rules.place = ExprPlace::Initially;
  ExprChecker checker(unit.pool(), unit.scope, unit.reporter, std::move(rules));
  if (Checked checked = checker.condition(*item.condition))
    unit.initially.push_back(
        {definedAndTrue(checked.term), syntax::sourceText(item.range), item.condition->range});
}

void checkStart(Unit &unit) {
  // Start values alone never contradict each other, and a solver is dear.
  if (unit.initially.empty())
    return;
  logic::solver::Solver solver(unit.pool(), solverLimits());
  for (const Term &t : unit.initial)
    solver.add(t);
  for (const compose::Claim &claim : unit.initially) {
    solver.add(claim.formula);
    unit.initial.push_back(claim.formula);
    if (solver.check() != logic::solver::Satisfiability::Unsat)
      continue;
    unit.reporter.error(claim.range, "no initial state satisfies this condition",
                        "it contradicts the initial values or the conditions above");
    return;
  }
}

void addInvariant(Unit &unit, const syntax::InvariantItem &item) {
  if (Checked checked = unit.checker(ExprPlace::System).condition(*item.condition))
    unit.program.invariants.push_back({definedAndTrue(checked.term),
                                       syntax::sourceText(item.condition->range),
                                       item.condition->range});
}

const Symbol *expectKind(Unit &unit, const Scope &scope, const syntax::Name &name,
                         SymbolKind kind) {
  const Symbol *symbol = scope.find(name.text);
  std::string wanted = describe(kind).substr(describe(kind).find(' ') + 1);
  if (!symbol)
    unit.reporter.error(name.range, "unknown " + wanted + " '" + name.text + "'",
                        scope.suggestion(name.text, {kind}));
  else if (symbol->kind != kind)
    unit.reporter.error(name.range,
                        "expected " + describe(kind) + ", but '" + name.text + "' is " +
                            describe(symbol->kind),
                        scope.suggestion(name.text, {kind}));
  else if (!symbol->broken)
    return symbol;
  return nullptr;
}

void addStart(Unit &unit, const syntax::RunEntry &entry, compose::TemplateId thread) {
  std::optional<int64_t> count = entry.unbounded ? 0 : 1;
  if (entry.count)
    count = constantInteger(unit, *entry.count);
  if (!count)
    return;
  auto &starts = unit.program.starts;
  auto same = std::find_if(starts.begin(), starts.end(), [&](const compose::Start &start) {
    return start.thread == thread && start.unbounded == entry.unbounded;
  });
  int64_t before = same == starts.end() ? 0 : same->count;
  if (entry.count && (*count < 1 || *count > mostThreads - before)) {
    unit.reporter.error(entry.count->range, "cannot run " + std::to_string(*count) + " threads",
                        "the number of threads must be from 1 to " + std::to_string(mostThreads) +
                            "; '*' alone means any number");
    return;
  }
  if (same == starts.end())
    starts.push_back({thread, static_cast<uint32_t>(*count), entry.unbounded});
  else
    same->count += static_cast<uint32_t>(*count);
}

Term definedAndTrue(Term formula) {
  return formula.pool().conjunction({logic::definedness(formula), formula});
}

std::vector<Variable> asModified(const std::set<Variable> &variables) {
  return {variables.begin(), variables.end()};
}

std::set<Variable> primedIn(Term term) {
  std::set<Variable> result;
  for (const auto &[variable, primed] : logic::variablesOf(term))
    if (primed)
      result.insert(variable);
  return result;
}

Term anyValue(logic::TermPool &pool, Variable variable) {
  Term after = pool.primed(variable);
  if (!variable.sort().isArray())
    return pool.inSort(after, variable.sort());
  std::vector<Term> parts;
  logic::Sort element = variable.sort().element();
  bool bounded = element.isEnum() || element.kind() == logic::SortKind::Range;
  if (auto size = variable.sort().arraySize(); size && bounded)
    for (int64_t i = 0; i < *size; ++i)
      parts.push_back(pool.inSort(pool.select(after, pool.integer(i)), element));
  return pool.conjunction(std::move(parts));
}

} // namespace understudy::specs::check
