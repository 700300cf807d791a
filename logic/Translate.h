// SPDX-License-Identifier: Apache-2.0
//
// Terms as Z3 expressions. Private to logic/: included by Solver.cpp only, since it shows Z3.
//
// Bool is Bool, numbers (Int, Range, Enum) are Int, arrays are Array Int of those. Division
// truncates as in C; Z3's rounds down for positive divisors.
#pragma once

#include "logic/Term.h"
#include "logic/Value.h"

#include <z3++.h>

#include <map>
#include <optional>
#include <unordered_map>

namespace understudy::logic {

class Translator {
public:
  explicit Translator(z3::context &context) : context_(context) {}

  /// Iterative and cached: linear in the number of distinct subterms that are new.
  z3::expr translate(Term term);
  /// A Boolean constant that occurs nowhere else.
  z3::expr freshBool();

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

/// The value of an evaluated expression of the sort; none if it does not fit in 64 bits or has
/// another form.
std::optional<Value> valueOf(const z3::model &model, const z3::expr &evaluated, Sort sort);

} // namespace understudy::logic
