// SPDX-License-Identifier: Apache-2.0
//
// Terms as Z3 expressions. Private to logic/: no other folder may see Z3.
//
// Bool is Bool, numbers (Int, Range, Enum) are Int, arrays are Array Int of those. Division
// truncates as in C; Z3's rounds down for positive divisors.
#pragma once

#include "logic/Term.h"

#include <z3++.h>

#include <unordered_map>

namespace understudy::logic::solver {

class Translator {
public:
  explicit Translator(z3::context &context) : context_(context) {}

  /// Iterative and cached: linear in the number of distinct subterms that are new.
  z3::expr translate(Term term);
  /// A Boolean constant that occurs nowhere else.
  z3::expr freshBool();
  /// The formula with the names of our variables, for people.
  z3::expr named(z3::expr formula) const;

private:
  z3::context &context_;
  std::unordered_map<Term, z3::expr> done_;
  int symbols_ = 0;

  z3::expr compute(Term term);
  z3::expr constant(Term term);
  z3::expr constArray(Term term);
  z3::expr divide(Term term);
  z3::expr remainder(Term term);
  z3::expr_vector operandsOf(Term term);
  z3::sort sortOf(Sort sort);
  const z3::expr &at(Term term, size_t operand) { return done_.at(term.operand(operand)); }
};

} // namespace understudy::logic::solver
