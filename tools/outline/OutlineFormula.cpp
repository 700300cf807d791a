// SPDX-License-Identifier: Apache-2.0
#include "tools/outline/OutlineFormula.h"

#include "logic/Error.h"
#include "specs/syntax/Parse.h"

#include <algorithm>

namespace understudy::tools::outline {

using specs::check::ExprPlace;
using specs::check::Scope;
using specs::check::Symbol;
using specs::check::SymbolKind;

Piece Piece::part(size_t from, size_t length) const {
  size_t begin = std::min(from, text.size());
  size_t end = length == std::string::npos ? text.size() : std::min(text.size(), begin + length);
  auto isSpace = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (begin < end && isSpace(text[begin]))
    ++begin;
  while (end > begin && isSpace(text[end - 1]))
    --end;
  Piece result{text.substr(begin, end - begin), range};
  result.range.begin.column += static_cast<uint32_t>(begin);
  result.range.end = {range.begin.line, range.begin.column + static_cast<uint32_t>(end)};
  return result;
}

OutlineFormula::OutlineFormula(const compose::Program &program,
                               const compose::proof::SlotModel &model, const OutlineWords &words)
    : program_(program), words_(words) {
  for (const compose::Mutex &mutex : program.mutexes) {
    Symbol symbol{.kind = SymbolKind::Mutex, .name = mutex.name, .range = {}};
    symbol.variable = mutex.locked;
    outer_.declare(symbol, reporter_);
  }
  for (const compose::Template &thread : program.templates)
    outer_.declare({.kind = SymbolKind::Thread, .name = thread.name, .range = {}}, reporter_);
  declareVariables(model);
}

/// Enumerators are known from the variables that have them as values.
void OutlineFormula::declareEnum(logic::Sort sort) {
  if (sort.isArray())
    return declareEnum(sort.element());
  if (!sort.isEnum())
    return;
  for (const logic::Enumerator &value : sort.enumerators())
    if (!outer_.find(value.name)) {
      Symbol symbol{.kind = SymbolKind::Constant, .name = value.name, .range = {}};
      symbol.term = program_.pool->enumerator(sort, value.value);
      outer_.declare(symbol, reporter_);
    }
}

void OutlineFormula::declareVariables(const compose::proof::SlotModel &model) {
  scopes_.emplace("", Scope(&outer_));
  for (Slot slot : model.slots())
    scopes_.emplace(words_.scopeOf(slot), Scope(&outer_));
  for (Variable variable : model.variables()) {
    declareEnum(variable.sort());
    Symbol symbol{.name = words_.wordFor(variable, ""), .range = {}};
    symbol.variable = variable;
    if (!words_.lockedMutex(variable))
      outer_.declare(symbol, reporter_);
    if (variable.scope().empty())
      continue;
    symbol.name = words_.wordFor(variable, variable.scope());
    symbol.local = true;
    scopes_.at(variable.scope()).declare(symbol, reporter_);
  }
}

void OutlineFormula::declare(Variable ghost, const Piece &name) {
  Symbol symbol{.name = ghost.name(), .range = name.range, .ghost = true};
  symbol.variable = ghost;
  for (const auto &[scope, names] : scopes_)
    if (names.find(ghost.name()))
      return report(name.range, "'" + ghost.name() + "' is already declared",
                    "a ghost is a variable that the program does not have");
  outer_.declare(symbol, reporter_);
}

const Symbol *OutlineFormula::ghost(const Piece &name) {
  const Symbol *found = outer_.find(name.text);
  if (found && found->ghost)
    return found;
  report(name.range,
         found ? "'" + name.text + "' is not a ghost" : "unknown ghost '" + name.text + "'",
         found ? "an update assigns ghosts; the program assigns its own variables"
               : "declare it at the top, as in '// ghost int " + name.text + " = 0'");
  return nullptr;
}

void OutlineFormula::report(const logic::SourceRange &range, const std::string &message,
                            const std::string &hint) {
  reporter_.error(range, message, hint);
}

/// The piece is parsed as a file of its own; what is reported moves to where it stands.
template <typename Check>
Term OutlineFormula::read(const Piece &piece, ExprPlace place, std::optional<Slot> self,
                          const Check &check) {
  if (piece.text.size() > longest) {
    report(piece.range, "this formula is longer than " + std::to_string(longest) + " characters");
    return {};
  }
  auto move = [&](logic::Diagnostic diagnostic) {
    const uint32_t shift = piece.range.begin.column - 1;
    diagnostic.range.file = piece.range.file;
    diagnostic.range.begin = {piece.range.begin.line, diagnostic.range.begin.column + shift};
    diagnostic.range.end = {piece.range.begin.line, diagnostic.range.end.column + shift};
    report(diagnostic.range, diagnostic.message, diagnostic.hint);
  };
  try {
    const auto parsed = specs::syntax::parseFormula(
        std::make_shared<logic::SourceFile>(piece.range.file->name(), piece.text));
    specs::check::ExprRules rules{place};
    const std::string scope = self ? words_.scopeOf(*self) : "";
    if (self)
      rules.held = [&](const Symbol &mutex) {
        // A thread that never locks the mutex does not hold it.
        const Symbol *flag = scopes_.at(scope).find("held(" + mutex.name + ")");
        return flag ? program_.pool->var(flag->variable) : program_.pool->boolean(false);
      };
    specs::syntax::Reporter own;
    specs::check::ExprChecker checker(*program_.pool, scopes_.at(scope), own, std::move(rules));
    const Term result = check(checker, *parsed.tree);
    own.throwIfFailed();
    return result;
  } catch (const logic::Error &error) {
    for (const logic::Diagnostic &diagnostic : error.diagnostics())
      if (diagnostic.severity == logic::Severity::Error)
        move(diagnostic);
    return {};
  }
}

Term OutlineFormula::condition(const Piece &piece, std::optional<Slot> self) {
  return read(piece, ExprPlace::Statement, self,
              [](auto &checker, const auto &expr) { return checker.condition(expr).term; });
}

Term OutlineFormula::value(const Piece &piece, logic::Sort sort, std::optional<Slot> self) {
  return read(piece, ExprPlace::Statement, self,
              [&](auto &checker, const auto &expr) { return checker.assignable(expr, sort).term; });
}

Term OutlineFormula::constant(const Piece &piece, logic::Sort sort) {
  return read(piece, ExprPlace::Constant, std::nullopt,
              [&](auto &checker, const auto &expr) { return checker.assignable(expr, sort).term; });
}

} // namespace understudy::tools::outline
