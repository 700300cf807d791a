// SPDX-License-Identifier: Apache-2.0
#include "specs/check/CheckExpr.h"

#include "logic/Substitute.h"
#include "logic/Value.h"

#include <algorithm>

namespace understudy::specs::check {

using logic::Op;
using logic::Sort;
using logic::Term;

namespace {

// Limits that keep every later pass over a term within its stack and its memory. Without
// definitions the parser's own limits suffice.
constexpr uint32_t deepest = 2000;
constexpr uint32_t mostSelects = 1000;

bool allowsPrimes(ExprPlace place) {
  return place == ExprPlace::Edge || place == ExprPlace::Rely || place == ExprPlace::Definition;
}

std::string placeText(ExprPlace place) {
  switch (place) {
  case ExprPlace::Constant:
    return "a constant";
  case ExprPlace::Edge:
    return "an edge";
  case ExprPlace::Rely:
    return "a rely";
  case ExprPlace::Definition:
    return "a definition";
  case ExprPlace::Assertion:
    return "an assertion";
  case ExprPlace::System:
  case ExprPlace::Initially:
    return "an invariant or an initial condition";
  case ExprPlace::ThreadId:
    return "a thread id";
  case ExprPlace::Statement:
    return "a CONC program";
  case ExprPlace::Net:
    return "a net";
  }
  return "this place";
}

bool indexHasPrimes(Term term) {
  std::vector<Term> work{term};
  while (!work.empty()) {
    Term t = work.back();
    work.pop_back();
    if (!t.hasPrimes())
      continue;
    if (t.op() == Op::Select && t.operand(1).hasPrimes())
      return true;
    work.insert(work.end(), t.operands().begin(), t.operands().end());
  }
  return false;
}

std::vector<SymbolKind> valueKinds() {
  return {SymbolKind::Variable, SymbolKind::Constant, SymbolKind::Definition};
}

} // namespace

void Checked::absorb(const Checked &operand) {
  depth = std::max(depth, operand.depth + 1);
  expanded += operand.expanded;
  selects = std::min(selects + operand.selects, mostSelects + 1);
  lockState = lockState || operand.lockState;
}

std::string sortClass(Sort sort) {
  if (sort.isBool())
    return "bool";
  if (sort.isArray())
    return "an array";
  if (sort.isEnum() && sort.enumName() == pidName)
    return "a thread id";
  return sort.isEnum() ? "enum '" + sort.enumName() + "'" : "an integer";
}

Checked ExprChecker::fail(const SourceRange &range, const std::string &message,
                          const std::string &hint) {
  reporter_.error(range, message, hint);
  return {};
}

Checked ExprChecker::check(const syntax::Expr &expr) {
  Checked result = dispatch(expr);
  if (!result)
    return result;
  if (result.depth > deepest)
    return fail(expr.range, "this expression is nested too deeply once definitions are expanded",
                "at most " + std::to_string(deepest) + " levels are supported");
  if (result.expanded > largestExpansion)
    return fail(expr.range, "this expression is too large once definitions are expanded",
                "at most " + std::to_string(largestExpansion) + " operations are supported");
  if (result.selects > mostSelects)
    return fail(expr.range, "this expression reads too many array elements",
                "at most " + std::to_string(mostSelects) + " are supported");
  return result;
}

Checked ExprChecker::condition(const syntax::Expr &expr) {
  Checked result = check(expr);
  if (result && !result.term.sort().isBool())
    return fail(expr.range, "expected a condition, but this is " + sortClass(result.term.sort()),
                result.term.sort().isInteger() ? "compare it, as in '!= 0'" : "");
  return result;
}

Checked ExprChecker::integer(const syntax::Expr &expr) {
  Checked result = check(expr);
  if (result && !result.term.sort().isInteger())
    return fail(expr.range, "expected an integer, but this is " + sortClass(result.term.sort()),
                !result.term.sort().isEnum()               ? ""
                : result.term.sort().enumName() == pidName ? "thread ids have no arithmetic"
                                                           : "enum values have no arithmetic");
  return result;
}

Checked ExprChecker::assignable(const syntax::Expr &expr, Sort sort) {
  Checked result = check(expr);
  if (!result)
    return result;
  Sort given = result.term.sort();
  if (given == sort || (given.isInteger() && sort.isInteger()))
    return result;
  return fail(expr.range,
              "expected a value of type '" + sort.text() + "', but this is " + sortClass(given),
              sort.isBool() && given.isInteger() ? "a bool is 'true' or 'false'" : "");
}

Checked ExprChecker::dispatch(const syntax::Expr &expr) {
  switch (expr.kind) {
  case syntax::ExprKind::Number:
    return {pool_.integer(expr.number)};
  case syntax::ExprKind::Boolean:
    return {pool_.boolean(expr.number != 0)};
  case syntax::ExprKind::Name:
    return name(expr);
  case syntax::ExprKind::Index:
    return index(expr);
  case syntax::ExprKind::Apply:
    return application(expr);
  case syntax::ExprKind::Count:
    return threadCount(expr);
  case syntax::ExprKind::Unary:
    return unary(expr);
  case syntax::ExprKind::Chain:
    return chain(expr);
  case syntax::ExprKind::Compare:
    return compare(expr);
  case syntax::ExprKind::In:
    return membership(expr);
  case syntax::ExprKind::Implies:
    return implication(expr);
  case syntax::ExprKind::Conditional:
    return conditional(expr);
  case syntax::ExprKind::Held:
  case syntax::ExprKind::Free:
    return lockFlag(expr);
  case syntax::ExprKind::Related:
    if (!rules_.related)
      return fail(expr.range, "'" + expr.text + "' relates threads and is not allowed here",
                  "relations belong to the condition after 'when'");
    return {rules_.related(expr)};
  case syntax::ExprKind::Havoc:
    if (rules_.place == ExprPlace::Edge)
      return fail(expr.range, "'havoc' is only allowed at the top level of an edge's condition",
                  "combine it with the rest by '&&', not inside '||', '=>' or '!'");
    return fail(expr.range, "'havoc' is not allowed in " + placeText(rules_.place),
                "it belongs in the condition of an edge");
  }
  return {};
}

/// The symbol that the expression names, or null with a report.
const Symbol *ExprChecker::resolve(const syntax::Expr &expr) {
  const Symbol *symbol = scope_.find(expr.text);
  if (symbol)
    return symbol->broken ? nullptr : symbol;
  const SourceRange *declared = scope_.announced(expr.text);
  std::string quoted = "'" + expr.text + "'";
  if (!declared)
    reporter_.error(expr.textRange, "unknown name " + quoted,
                    scope_.suggestion(expr.text, valueKinds()));
  else if (declared->begin < expr.textRange.begin && rules_.place == ExprPlace::Constant)
    reporter_.error(expr.textRange, "expected a constant, but " + quoted + " is a definition",
                    "declare it with 'const'");
  else if (declared->begin.line == expr.textRange.begin.line)
    reporter_.error(expr.textRange, quoted + " is used in its own declaration");
  else
    reporter_.error(expr.textRange, quoted + " is used before its declaration",
                    "it is declared on line " + std::to_string(declared->begin.line) +
                        "; move the declaration up");
  return nullptr;
}

bool ExprChecker::primeAllowed(const syntax::Expr &expr) {
  if (!expr.primed || allowsPrimes(rules_.place))
    return true;
  reporter_.error(expr.range, "a prime is not allowed in " + placeText(rules_.place),
                  rules_.place == ExprPlace::Statement
                      ? "use an assignment: 'x := e'"
                      : "primes are allowed in edges, relies and definitions");
  return false;
}

Checked ExprChecker::name(const syntax::Expr &expr) {
  const Symbol *symbol = resolve(expr);
  return symbol ? symbolValue(expr, *symbol) : Checked{};
}

Checked ExprChecker::symbolValue(const syntax::Expr &expr, const Symbol &symbol) {
  switch (symbol.kind) {
  case SymbolKind::Variable:
    if (symbol.variable.sort().isArray())
      return fail(expr.range, "'" + symbol.name + "' is an array and needs an index",
                  "write '" + symbol.name + (expr.primed ? "'" : "") +
                      "[0]' for its first element");
    return variable(expr, symbol);
  case SymbolKind::Constant:
    if (expr.primed)
      return fail(expr.range, "'" + symbol.name + "' is a constant and cannot be primed",
                  "drop the prime");
    return {symbol.term};
  case SymbolKind::Definition:
    return definition(expr, symbol);
  case SymbolKind::Mutex:
    return fail(expr.range, "'" + symbol.name + "' is a mutex, not a value",
                "use 'held(" + symbol.name + ")' or 'free(" + symbol.name + ")'");
  case SymbolKind::EnumType:
    return fail(expr.range, "'" + symbol.name + "' is an enum, not a value",
                "use one of its values");
  case SymbolKind::Cond:
  case SymbolKind::Thread:
  case SymbolKind::Section:
  case SymbolKind::Object:
    break;
  }
  return fail(expr.range, "'" + symbol.name + "' is " + describe(symbol.kind) + ", not a value",
              scope_.suggestion(expr.text, valueKinds()));
}

Checked ExprChecker::variable(const syntax::Expr &expr, const Symbol &symbol) {
  if (rules_.place == ExprPlace::Constant)
    return fail(expr.range, "expected a constant, but '" + symbol.name + "' is a variable",
                "only numbers, enum values and constants may be used here");
  if (rules_.place == ExprPlace::Rely && symbol.local)
    return fail(expr.range, "local '" + symbol.name + "' is not allowed in a rely",
                "a rely is about shared variables, which other threads can change");
  if (!primeAllowed(expr))
    return {};
  if (expr.primed && rules_.primeVariables)
    return fail(expr.range, "a definition that contains primes cannot be primed again");
  bool primed = expr.primed || rules_.primeVariables;
  return {primed ? pool_.primed(symbol.variable) : pool_.var(symbol.variable)};
}

Checked ExprChecker::definition(const syntax::Expr &expr, const Symbol &symbol) {
  std::string quoted = "'" + symbol.name + "'";
  if (symbol.macro)
    return fail(expr.range, quoted + " needs " + argumentCount(symbol.macro->parameters.size()),
                "write '" + symbol.name + "(…)'");
  bool twoState = symbol.term.hasPrimes();
  bool primed = expr.primed || (rules_.primeVariables && !symbol.parameter);
  if (rules_.place == ExprPlace::Constant)
    return fail(expr.range, "expected a constant, but " + quoted + " is a definition",
                "declare it with 'const'");
  if (twoState && primed)
    return fail(expr.range,
                "the definition " + quoted + " contains primes and cannot be primed again");
  if (twoState && !allowsPrimes(rules_.place))
    return fail(expr.range, "the definition " + quoted +
                                " contains primes, which are not allowed in " +
                                placeText(rules_.place));
  if (symbol.lockState && rules_.place == ExprPlace::Rely)
    return fail(expr.range, "the definition " + quoted +
                                " tests whether a mutex is free, which is not allowed in a rely");
  if (!primeAllowed(expr))
    return {};
  Checked result{symbol.term, symbol.depth, symbol.size, symbol.selects, symbol.lockState};
  if (!primed)
    return result;
  if (symbol.lockState)
    return fail(expr.range,
                "the definition " + quoted + " tests whether a mutex is free and cannot be primed");
  result.term = logic::prime(symbol.term);
  if (indexHasPrimes(result.term))
    return fail(expr.range,
                "the definition " + quoted +
                    " indexes an array with a variable and cannot be primed",
                "primes are not allowed in an index");
  return result;
}

Checked ExprChecker::index(const syntax::Expr &expr) {
  const Symbol *symbol = resolve(expr);
  ExprChecker inner(pool_, scope_, reporter_, rules_);
  Checked position = inner.integer(*expr.operands[0]);
  if (!symbol)
    return {};
  if (symbol->kind != SymbolKind::Variable || !symbol->variable.sort().isArray())
    return fail(expr.textRange, "'" + symbol->name + "' is not an array", "drop the index");
  Checked array = variable(expr, *symbol);
  if (!array || !position)
    return {};
  if (position.term.hasPrimes())
    return fail(expr.operands[0]->range, "primes are not allowed in an index",
                "the index is evaluated before the step");
  auto size = symbol->variable.sort().arraySize();
  if (size && position.term.isConstant() &&
      (position.term.value() < 0 || position.term.value() >= *size))
    return fail(expr.operands[0]->range,
                "index " + std::to_string(position.term.value()) + " is out of bounds for array '" +
                    symbol->name + "'",
                "valid indices are 0 to " + std::to_string(*size - 1));
  Checked result{pool_.select(array.term, position.term)};
  result.absorb(position);
  result.selects += 1;
  return result;
}

Checked ExprChecker::lockFlag(const syntax::Expr &expr) {
  bool asksFree = expr.kind == syntax::ExprKind::Free;
  std::string form = (asksFree ? "free(" : "held(") + expr.text + ")";
  const Symbol *symbol = scope_.find(expr.text);
  if (symbol && symbol->broken)
    return {};
  if (!symbol)
    return fail(expr.textRange, "unknown mutex '" + expr.text + "'",
                scope_.suggestion(expr.text, {SymbolKind::Mutex}));
  if (symbol->kind != SymbolKind::Mutex)
    return fail(expr.textRange,
                "expected a mutex, but '" + expr.text + "' is " + describe(symbol->kind),
                scope_.suggestion(expr.text, {SymbolKind::Mutex}));
  if (rules_.place == ExprPlace::Rely || rules_.place == ExprPlace::Constant)
    return fail(expr.range, "'" + form + "' is not allowed in " + placeText(rules_.place));
  Checked result;
  if (!asksFree && !rules_.held)
    return fail(expr.range, "'" + form + "' is only allowed inside a thread",
                "it means that this thread holds the mutex; 'free(" + expr.text +
                    ")' means that no thread does");
  result.term = asksFree ? pool_.negate(pool_.var(symbol->variable)) : rules_.held(*symbol);
  result.lockState = true;
  return result;
}

Checked ExprChecker::unary(const syntax::Expr &expr) {
  const syntax::Expr &operand = *expr.operands[0];
  bool negation = expr.operators[0] == "!";
  Checked inner = negation ? condition(operand) : integer(operand);
  if (!inner)
    return {};
  Checked result{negation ? pool_.negate(inner.term) : pool_.multiply(-1, inner.term)};
  result.absorb(inner);
  return folded(expr, result);
}

Checked ExprChecker::implication(const syntax::Expr &expr) {
  // a => b => c is (a && b) => c: flat, however many there are.
  std::vector<Term> terms;
  Checked result;
  for (const syntax::ExprPtr &operand : expr.operands)
    if (Checked part = condition(*operand)) {
      terms.push_back(part.term);
      result.absorb(part);
    }
  if (terms.size() != expr.operands.size())
    return {};
  Term conclusion = terms.back();
  terms.pop_back();
  result.term = pool_.implies(pool_.conjunction(std::move(terms)), conclusion);
  return folded(expr, result);
}

Checked ExprChecker::conditional(const syntax::Expr &expr) {
  Checked test = condition(*expr.operands[0]);
  Checked yes = check(*expr.operands[1]);
  Checked no = check(*expr.operands[2]);
  if (!test || !yes || !no || !sameClass(expr, *expr.operands[1], yes, *expr.operands[2], no))
    return {};
  Checked result{pool_.ite(test.term, yes.term, no.term)};
  result.absorb(test);
  result.absorb(yes);
  result.absorb(no);
  return folded(expr, result);
}

/// Evaluates an operation on constants.
Checked ExprChecker::folded(const syntax::Expr &expr, Checked checked) {
  auto operands = checked.term.operands();
  bool constant =
      std::all_of(operands.begin(), operands.end(), [](const Term &t) { return t.isConstant(); });
  if (operands.empty() || !constant || checked.term.op() == Op::ConstArray)
    return checked;
  try {
    int64_t value = logic::evaluate(checked.term, {}).number();
    checked.term = pool_.constant(checked.term.sort(), value);
    return checked;
  } catch (const logic::Overflow &) {
    return fail(expr.range, "this constant does not fit in 64 bits",
                "numbers range from -9223372036854775808 to 9223372036854775807");
  }
}

} // namespace understudy::specs::check
