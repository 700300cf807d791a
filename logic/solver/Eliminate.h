// SPDX-License-Identifier: Apache-2.0
//
// Quantifier elimination: the third door to Z3, with the same rules as `Solver`. What comes out is
// a claim of a complicated engine; callers check what they build from it.
#pragma once

#include "logic/solver/Solver.h"

#include <memory>
#include <optional>
#include <span>

namespace understudy::logic::solver {

/// Z3's tactics know no resource limit: what is given to them is bounded by size instead, and
/// `seconds` stops what takes long all the same.
struct EliminationLimits {
  size_t maxTerms = 2'000; ///< distinct subterms, of the formula and of the result
  size_t maxBound = 24;    ///< bound variables
  double seconds = 2;      ///< 0: no limit
  std::stop_token stop = {};
};

class Eliminator {
public:
  explicit Eliminator(TermPool &pool, EliminationLimits limits = {});
  ~Eliminator();
  Eliminator(const Eliminator &) = delete;
  Eliminator &operator=(const Eliminator &) = delete;

  /// A formula R over the other variables with R <=> exists bound. formula, where all variables
  /// range over their sorts. None if Z3 fails, leaves a quantifier or meets a limit.
  /// Precondition: the formula has no primes.
  std::optional<Term> exists(std::span<const Variable> bound, Term formula);
  /// The same for: for all bound. formula.
  std::optional<Term> forAll(std::span<const Variable> bound, Term formula);

  void limitSeconds(double seconds);

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

} // namespace understudy::logic::solver
