// SPDX-License-Identifier: Apache-2.0
//
// Uses of definitions with parameters. Parameters have no types: the body is checked at each use,
// with the arguments in their place, and what is wrong is reported there.
#include "specs/check/CheckExpr.h"

#include <algorithm>

namespace understudy::specs::check {

std::string argumentCount(size_t count) {
  return std::to_string(count) + (count == 1 ? " argument" : " arguments");
}

uint64_t sizeOf(const syntax::Expr &expr) {
  uint64_t result = 1;
  for (const syntax::ExprPtr &operand : expr.operands)
    result += sizeOf(*operand);
  return result;
}

namespace {

bool containsPrime(const syntax::Expr &expr) {
  return expr.primed || std::any_of(expr.operands.begin(), expr.operands.end(),
                                    [](const auto &operand) { return containsPrime(*operand); });
}

} // namespace

bool ExprChecker::namesKnown(const syntax::Expr &expr,
                             const std::vector<syntax::Name> &parameters) {
  bool names = expr.kind == syntax::ExprKind::Name || expr.kind == syntax::ExprKind::Index ||
               expr.kind == syntax::ExprKind::Apply;
  bool isParameter = std::any_of(parameters.begin(), parameters.end(),
                                 [&](const syntax::Name &name) { return name.text == expr.text; });
  bool known = !names || isParameter || resolve(expr) != nullptr;
  for (const syntax::ExprPtr &operand : expr.operands)
    known = namesKnown(*operand, parameters) && known;
  return known;
}

Checked ExprChecker::application(const syntax::Expr &expr) {
  const Symbol *symbol = resolve(expr);
  std::vector<Checked> arguments;
  for (const syntax::ExprPtr &operand : expr.operands)
    if (Checked argument = check(*operand))
      arguments.push_back(std::move(argument));
  if (!symbol)
    return {};
  std::string quoted = "'" + symbol->name + "'";
  if (symbol->kind != SymbolKind::Definition || !symbol->macro)
    return fail(expr.range, quoted + " is " + describe(symbol->kind) + " and takes no arguments",
                symbol->kind == SymbolKind::Definition ? "drop the parentheses" : "");
  if (rules_.place == ExprPlace::Constant)
    return fail(expr.range, "expected a constant, but " + quoted + " is a definition",
                "declare it with 'const'");
  size_t wanted = symbol->macro->parameters.size();
  if (expr.operands.size() != wanted)
    return fail(expr.range, quoted + " needs " + argumentCount(wanted) + ", found " +
                                std::to_string(expr.operands.size()));
  if (arguments.size() != wanted || !primeAllowed(expr))
    return {};
  return expansion(expr, *symbol, arguments);
}

Checked ExprChecker::expansion(const syntax::Expr &use, const Symbol &symbol,
                               const std::vector<Checked> &arguments) {
  uint64_t size = sizeOf(*symbol.macro->value);
  if (!rules_.expansions)
    rules_.expansions = std::make_shared<uint64_t>(0);
  *rules_.expansions += size;
  if (*rules_.expansions > largestExpansion)
    return fail(use.range, "this expression is too large once definitions are expanded",
                "at most " + std::to_string(largestExpansion) + " operations are supported");
  syntax::Reporter reporter;
  Scope scope(&scope_.root());
  for (size_t i = 0; i < arguments.size(); ++i) {
    const syntax::Name &name = symbol.macro->parameters[i];
    Symbol argument{.kind = SymbolKind::Definition, .name = name.text, .range = name.range};
    argument.parameter = true;
    argument.term = arguments[i].term;
    argument.depth = arguments[i].depth;
    argument.size = arguments[i].expanded;
    argument.selects = arguments[i].selects;
    argument.lockState = arguments[i].lockState;
    scope.declare(argument, reporter);
  }
  ExprRules rules{.place = ExprPlace::Definition, .expansions = rules_.expansions};
  rules.primeVariables = use.primed || rules_.primeVariables;
  if (rules.primeVariables && containsPrime(*symbol.macro->value))
    return fail(use.range,
                "the definition '" + symbol.name + "' contains primes and cannot be primed again");
  Checked result = ExprChecker(pool_, scope, reporter, rules).check(*symbol.macro->value);
  if (const logic::Diagnostic *error = reporter.firstError())
    return fail(use.range, error->message,
                "in the definition of '" + symbol.name + "', line " +
                    std::to_string(error->range.begin.line));
  std::string quoted = "'" + symbol.name + "'";
  bool primes = rules_.place == ExprPlace::Edge || rules_.place == ExprPlace::Rely ||
                rules_.place == ExprPlace::Definition;
  if (result.term.hasPrimes() && !primes)
    return fail(use.range,
                "the definition " + quoted +
                    " contains primes, which are not allowed "
                    "here",
                "primes belong to edges, relies and definitions");
  if (result.lockState && rules_.place == ExprPlace::Rely)
    return fail(use.range, "the definition " + quoted +
                               " asks whether a mutex is free, which is not allowed in a rely");
  result.expanded += size;
  return result;
}

Checked ExprChecker::threadCount(const syntax::Expr &expr) {
  const Symbol *symbol = scope_.find(expr.text);
  if (!symbol)
    return fail(expr.textRange, "unknown thread '" + expr.text + "'",
                scope_.suggestion(expr.text, {SymbolKind::Thread}));
  if (symbol->kind != SymbolKind::Thread)
    return fail(expr.textRange,
                "expected a thread, but '" + expr.text + "' is " + describe(symbol->kind),
                scope_.suggestion(expr.text, {SymbolKind::Thread}));
  if (!rules_.count)
    return fail(expr.range, "'#" + expr.text + "' may only stand in 'initially'",
                "it is the number of " + expr.text + " threads that run at the start");
  return {pool_.integer(rules_.count(*symbol, expr.range))};
}

} // namespace understudy::specs::check
