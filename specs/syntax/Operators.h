// SPDX-License-Identifier: Apache-2.0
//
// From the flat lists that the expression grammar reads to trees, by precedence. Free of Spirit.
#pragma once

#include "specs/syntax/ParseState.h"

#include <memory>
#include <vector>

namespace understudy::specs::syntax {

/// An expression under construction.
struct Built {
  std::shared_ptr<Expr> expr;
  TokenIt first = nullptr; ///< with parentheses
  TokenIt last = nullptr;  ///< one behind
  uint32_t depth = 0;
};

struct StepInner {
  Built first;
  Built second;
};

struct Operand {
  std::vector<TokenIt> prefixes;
  Built value;
};

/// An operator with what follows it. `?` has its middle part inside, `in` its two bounds.
struct Step {
  TokenIt token = nullptr;
  Built operand; ///< none after `in`
  std::unique_ptr<StepInner> inner;
};

struct Flat {
  Built first;
  std::vector<Step> steps;
};

struct Bracketed {
  Flat flat;
  TokenIt first = nullptr;
  TokenIt last = nullptr;
};

/// `held(m)`, `free(m)`, `havoc x`, `#T`.
struct WordUse {
  TokenIt word = nullptr;
  TokenIt name = nullptr;
  TokenIt last = nullptr;
};

/// `parent(p, q)`
struct RelationUse {
  TokenIt word = nullptr;
  TokenIt first = nullptr;
  TokenIt second = nullptr;
  TokenIt last = nullptr;
};

bool isArithmetic(Tok token);

Built makeLiteral(ParseState &state, TokenIt token);
/// A name with its prime and, if there is one, its index or its arguments.
struct NameUse {
  TokenIt name = nullptr;
  TokenIt last = nullptr;
  bool primed = false;
  Built index;
  std::vector<Built> arguments;
};

Built makeName(ParseState &state, NameUse use);
Built makeWord(ParseState &state, const WordUse &use);
Built makeRelated(ParseState &state, const RelationUse &use);
Built applyPrefixes(ParseState &state, Operand operand);
Built resolve(ParseState &state, Flat flat);

} // namespace understudy::specs::syntax
