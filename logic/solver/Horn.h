// SPDX-License-Identifier: Apache-2.0
//
// Constrained Horn clauses, decided by Z3's fixedpoint engine (Spacer): the second door to Z3, with
// the same rules as `Solver`. What comes out is a claim of a complicated engine: callers re-check
// solutions with `Solver` and derivations by following them.
#pragma once

#include "logic/solver/Solver.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace understudy::logic::solver {

using PredicateId = uint32_t;

/// A predicate applied to terms.
struct HornAtom {
  PredicateId predicate = 0;
  std::vector<Term> arguments;
};

/// A predicate applied to values.
struct HornFact {
  PredicateId predicate = 0;
  std::vector<Value> arguments;
};

/// Variables of clauses range over their sorts, as in `Solver`.
class HornSolver {
public:
  explicit HornSolver(TermPool &pool, SolverLimits limits = {});
  ~HornSolver();
  HornSolver(const HornSolver &) = delete;
  HornSolver &operator=(const HornSolver &) = delete;

  /// A new predicate over the parameters, which name its arguments in `solution`.
  PredicateId declare(std::vector<Variable> parameters);

  /// premise && constraints ==> conclusion, for all values of the variables.
  void add(const std::optional<HornAtom> &premise, const std::vector<Term> &constraints,
           const HornAtom &conclusion);

  /// Sat: some fact about the predicate follows from the clauses. Unsat: none does.
  Satisfiability query(PredicateId predicate);

  /// After Unsat: what the predicate may be so that all clauses hold, over its parameters. None if
  /// Z3's answer has a form without counterpart in our terms.
  std::optional<Term> solution(PredicateId predicate) const;

  /// After Sat: facts that follow from one another, each from the one before, ending with the
  /// predicate asked for. None if a number leaves 64 bits or the proof has another form.
  std::optional<std::vector<HornFact>> derivation() const;

  /// After Unknown.
  std::string reasonUnknown() const;

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

} // namespace understudy::logic::solver
