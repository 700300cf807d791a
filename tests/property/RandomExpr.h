// SPDX-License-Identifier: Apache-2.0
//
// Random expressions as text, for the generators of both languages.
#pragma once

#include "Support.h"

#include <optional>
#include <string>
#include <vector>

namespace understudy::tests {

enum class Kind { Bool, Range, Int, Enum };

/// A variable that expressions may name. An `Int` has no range in the language; `lower` and
/// `upper` say where the generator keeps it, so that state spaces stay finite.
struct Var {
  std::string name;
  Kind kind = Kind::Bool;
  int64_t lower = 0;
  int64_t upper = 1;
  std::optional<int64_t> arraySize;
  bool ghost = false;
  std::string guard; ///< the mutex of `guarded by`
  std::string type() const;
};

/// Does the generator avoid what goes wrong, such as values out of range?
enum class Care { Careful, Careless };

class RandomExpr {
public:
  RandomExpr(Random &random, Care care) : random_(random), care_(care) {}

  std::vector<Var> scope; ///< what may be named
  std::vector<std::string> enumerators;

  std::string boolean(size_t depth);
  /// A claim that holds often: a disjunction, or a range that is nearly all there is.
  std::string weakClaim();
  std::string integer(size_t depth);
  /// An expression that can be assigned to the variable (to an element, for an array).
  std::string valueFor(const Var &variable);
  std::string constantFor(const Var &variable);
  std::string indexFor(const Var &array);
  /// The variable, or an element of it.
  std::string use(const Var &variable);

private:
  std::vector<Var> ofKind(Kind kind, Kind other) const;
  std::string comparison(size_t depth);
  std::string number(int64_t lower, int64_t upper);
  std::string inRange(int64_t lower, int64_t upper);
  std::string enumValue();

  Random &random_;
  Care care_;
};

} // namespace understudy::tests
