// SPDX-License-Identifier: Apache-2.0
#include "specs/check/Names.h"

#include "logic/Words.h"

#include <algorithm>

namespace understudy::specs::check {

std::string describe(SymbolKind kind) {
  switch (kind) {
  case SymbolKind::Variable:
    return "a variable";
  case SymbolKind::Constant:
    return "a constant";
  case SymbolKind::Definition:
    return "a definition";
  case SymbolKind::EnumType:
    return "an enum";
  case SymbolKind::Mutex:
    return "a mutex";
  case SymbolKind::Cond:
    return "a condition variable";
  case SymbolKind::Thread:
    return "a thread";
  case SymbolKind::Section:
    return "a section";
  case SymbolKind::Object:
    return "an object";
  }
  return "a name";
}

const Symbol *Scope::find(const std::string &name) const {
  if (auto found = symbols_.find(name); found != symbols_.end())
    return &found->second;
  return outer_ ? outer_->find(name) : nullptr;
}

void Scope::declare(Symbol symbol, syntax::Reporter &reporter) {
  const Symbol *other = find(symbol.name);
  if (!other) {
    symbols_.emplace(symbol.name, std::move(symbol));
    return;
  }
  bool here = symbols_.contains(symbol.name);
  reporter.error(symbol.range,
                 "'" + symbol.name + "' is already declared on line " +
                     std::to_string(other->range.begin.line) + " as " + describe(other->kind),
                 here ? "choose another name"
                      : "a name in a thread may not shadow an outer one; choose another name");
}

void Scope::announce(const syntax::Name &name) { announced_.emplace(name.text, name.range); }

const SourceRange *Scope::announced(const std::string &name) const {
  if (auto found = announced_.find(name); found != announced_.end())
    return &found->second;
  return outer_ ? outer_->announced(name) : nullptr;
}

std::string Scope::suggestion(const std::string &name, const std::vector<SymbolKind> &kinds) const {
  std::vector<std::string> candidates;
  for (const Scope *scope = this; scope; scope = scope->outer_)
    for (const auto &[other, symbol] : scope->symbols_)
      if (std::find(kinds.begin(), kinds.end(), symbol.kind) != kinds.end())
        candidates.push_back(other);
  return logic::didYouMean(name, candidates);
}

} // namespace understudy::specs::check
