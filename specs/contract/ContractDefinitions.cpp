// SPDX-License-Identifier: Apache-2.0
//
// Definitions with parameters. Their bodies are checked where they are used; here, their names, and
// how deep they use one another, since each use is checked inside the one around it.
#include "specs/contract/ContractThread.h"

#include <algorithm>

namespace understudy::specs::contract {

namespace {

constexpr uint32_t deepest = 100;

void checkParameters(check::Unit &unit, const syntax::DefineDecl &node) {
  std::set<std::string> seen;
  for (const syntax::Name &name : node.parameters) {
    const check::Symbol *other = unit.scope.find(name.text);
    if (!seen.insert(name.text).second)
      unit.reporter.error(name.range, "two parameters are called '" + name.text + "'",
                          "choose another name");
    else if (other)
      unit.reporter.error(name.range,
                          "parameter '" + name.text + "' has the name of " +
                              check::describe(other->kind) + " declared on line " +
                              std::to_string(other->range.begin.line),
                          "choose another name");
  }
}

/// How deep definitions with parameters are used in one another.
uint32_t nestingOf(const check::Unit &unit, const syntax::Expr &expr) {
  const check::Symbol *used =
      expr.kind == syntax::ExprKind::Apply ? unit.scope.find(expr.text) : nullptr;
  uint32_t result = used && used->macro ? used->depth : 0;
  for (const syntax::ExprPtr &operand : expr.operands)
    result = std::max(result, nestingOf(unit, *operand));
  return result;
}

} // namespace

check::Symbol withParameters(ContractContext &context, const syntax::DefineDecl &node) {
  check::Unit &unit = context.unit;
  size_t errors = unit.reporter.errorCount();
  check::Symbol symbol{
      .kind = check::SymbolKind::Definition, .name = node.name.text, .range = node.name.range};
  symbol.macro = &node;
  symbol.depth = nestingOf(unit, *node.value) + 1;
  checkParameters(unit, node);
  unit.checker(check::ExprPlace::Definition).namesKnown(*node.value, node.parameters);
  if (symbol.depth > deepest)
    unit.reporter.error(node.name.range,
                        "definitions with parameters use one another too deeply here",
                        "at most " + std::to_string(deepest) + " levels are supported");
  symbol.broken = errors != unit.reporter.errorCount();
  return symbol;
}

} // namespace understudy::specs::contract
