// SPDX-License-Identifier: Apache-2.0
//
// What names stand for. One name space for the items of a file; a thread's locals lie in an inner
// scope that may not shadow the outer one.
#pragma once

#include "logic/Term.h"
#include "specs/syntax/Reporter.h"
#include "specs/syntax/Syntax.h"

#include <map>
#include <string>
#include <vector>

namespace understudy::specs::check {

using logic::SourceRange;

enum class SymbolKind : uint8_t {
  Variable,
  Constant,
  Definition,
  EnumType,
  Mutex,
  Cond,
  Thread,
  Section,
  Object,
};

struct Symbol {
  SymbolKind kind = SymbolKind::Variable;
  std::string name;
  SourceRange range;
  bool broken = false;        ///< its declaration was reported, its uses need not be
  logic::Variable variable{}; ///< Variable; Mutex: the `locked` flag
  bool local = false;         ///< Variable: belongs to a thread
  bool ghost = false;         ///< Variable
  logic::Term term{};         ///< Constant, Definition
  logic::Sort sort{};         ///< EnumType
  uint32_t index = 0;         ///< Mutex, Cond, Thread, Section: number in the program or file

  // Definition: what its expansion costs, and whether it asks for the state of a mutex.
  uint32_t depth = 1;
  uint64_t size = 1;
  uint32_t selects = 0;
  bool lockState = false;
  /// Definition with parameters: expanded at each use, where the sorts of the arguments are known.
  const syntax::DefineDecl *macro = nullptr;
  bool parameter = false; ///< Definition: stands for an argument
};

/// "a variable", "a mutex".
std::string describe(SymbolKind kind);

class Scope {
public:
  explicit Scope(const Scope *outer = nullptr) : outer_(outer) {}

  const Symbol *find(const std::string &name) const;
  /// Reports a name that is taken, here or outside, and then changes nothing.
  void declare(Symbol symbol, syntax::Reporter &reporter);
  /// A name that is declared somewhere in the file: using it too early gets a better message.
  void announce(const syntax::Name &name);
  /// Where the name is declared later, if it was announced.
  const SourceRange *announced(const std::string &name) const;

  /// The scope of the file.
  const Scope &root() const { return outer_ ? outer_->root() : *this; }

  /// "did you mean 'pendingIO'?" with the nearest visible name of those kinds, or "".
  std::string suggestion(const std::string &name, const std::vector<SymbolKind> &kinds) const;

private:
  const Scope *outer_;
  std::map<std::string, Symbol> symbols_;
  std::map<std::string, SourceRange> announced_;
};

} // namespace understudy::specs::check
