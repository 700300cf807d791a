// SPDX-License-Identifier: Apache-2.0
//
// What the literal semantics needs to know of a program, and its configurations.
#pragma once

#include "specs/syntax/Syntax.h"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace understudy::tests::literal {

using specs::syntax::Expr;
using specs::syntax::Statement;

/// The values of a type; none: all integers.
struct Type {
  std::optional<std::vector<int64_t>> values;
  bool contains(int64_t value) const;
};

struct Variable {
  std::string name;
  Type type;
  const Expr *initial = nullptr;
};

struct Template {
  std::string name;
  size_t parameters = 0; ///< the first of `locals`
  std::vector<Variable> locals;
  std::vector<const Statement *> body;
};

struct Model {
  std::vector<Variable> globals;
  std::map<std::string, int64_t> enumerators;
  std::map<std::string, Type> enums;
  std::vector<Template> templates;
  std::map<const Statement *, std::set<std::string>> labels;
  std::map<std::string, uint32_t> run;
  std::vector<const Expr *> initially;
  std::vector<const Expr *> invariants;
  std::vector<const specs::syntax::NeverItem *> exclusions;

  std::optional<size_t> templateNamed(const std::string &name) const;
};

/// Throws `logic::Unsupported` for programs outside the subset.
Model modelOf(const specs::syntax::ConcFile &file, uint32_t starred);

/// The statements of a block, without declarations and labels.
std::vector<const Statement *> statementsOf(const specs::syntax::Block &block);

enum class Mode : uint8_t { Running, Waiting, Woken };

/// A local configuration ⟨X, template, id, s⟩: X is `rest`, next statement last; Ω is the empty
/// one. A thread in `wait` is Waiting, then Woken until it has its mutex again.
struct Thread {
  size_t thread = 0;
  std::optional<int64_t> id;
  std::vector<const Statement *> rest;
  std::vector<int64_t> locals;
  std::set<std::string> held;
  Mode mode = Mode::Running;
  std::string cond;
  std::string mutex; ///< to be taken again after the wait; may be empty
  auto operator<=>(const Thread &) const = default;

  bool ended() const { return rest.empty() && mode == Mode::Running; }
};

/// A thread about to move, the others (a multiset), and the globals.
struct Moment {
  std::vector<int64_t> globals;
  std::vector<Thread> others;
  Thread self;
};

/// The value of the expression; booleans are 0 and 1.
int64_t valueOf(const Model &model, const Expr &expression, const Moment &moment);

} // namespace understudy::tests::literal
