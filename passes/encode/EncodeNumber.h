// SPDX-License-Identifier: Apache-2.0
//
// C's integers as mathematical ones. The problem: an iN of LLVM is a residue modulo 2^N that is
// read now as signed, now as unsigned; a wrap at every operation would drown the formulas.
// The idea: a value is any term congruent to it, with an interval that bounds the term. Addition
// and multiplication work on the term alone; a reading costs nothing when the interval lies in its
// range, a choice or a remainder otherwise.
// Invariant: lower <= term <= upper, and term = value modulo 2^N.
#pragma once

#include "passes/encode/TermBuilder.h"

#include <optional>
#include <vector>

namespace understudy::passes::encode {

struct Number {
  Term term;
  Wide lower = 0;
  Wide upper = 0;

  bool isConstant() const { return lower == upper; }
  bool within(Wide low, Wide high) const { return low <= lower && upper <= high; }
};

enum class Reading : uint8_t { Signed, Unsigned };

/// The smallest and the largest value of an iN, N <= 64 (signed: N <= 124).
Wide leastOf(Reading reading, unsigned bits);
Wide greatestOf(Reading reading, unsigned bits);

enum class Comparison : uint8_t { Equal, Less, LessEqual };

/// Operations on iN, N being the last argument. What cannot be expressed throws
/// `logic::Unsupported` without a place.
class Arithmetic {
public:
  explicit Arithmetic(TermBuilder &terms) : terms_(terms) {}

  TermBuilder &terms() { return terms_; }
  Number constant(Wide value) { return {terms_.integer(value), value, value}; }
  Number ofBoolean(Term truth);

  /// The value itself: the term of the result lies in the reading's range.
  Number read(Reading reading, Number a, unsigned bits);
  /// The number between 0 and 2^bits - 1 that is congruent to the term.
  Number lowBits(Number a, unsigned bits) { return wrap(a, 0, bits); }
  Term isNonZero(Number a, unsigned bits);

  Number add(Number a, Number b, unsigned bits);
  Number subtract(Number a, Number b, unsigned bits);
  /// One factor must be constant.
  Number multiply(Number a, Number b, unsigned bits);
  /// The operation on the readings, without wrapping: the mathematical result.
  Number exactSum(Number a, Number b);
  Number exactDifference(Number a, Number b);
  Number exactProduct(Number a, Number b);

  /// The divisor must be constant and not 0.
  Number divide(Reading reading, Number a, Number divisor, unsigned bits);
  Number remainder(Reading reading, Number a, Number divisor, unsigned bits);
  /// Right shifts: the sign is kept or not, according to the reading.
  Number shiftRight(Reading reading, Number a, unsigned by, unsigned bits);

  /// With one constant operand, or if one of the numbers has few bits.
  Number bitAnd(Number a, Number b, unsigned bits);
  Number bitOr(Number a, Number b, unsigned bits);
  Number bitXor(Number a, Number b, unsigned bits);

  Number ite(Term condition, Number yes, Number no);
  Term equal(Number a, Number b, unsigned bits);
  /// Of mathematical numbers: no wrapping.
  Term exactly(Comparison comparison, Number a, Number b);
  Term isWithin(Number a, Wide low, Wide high);
  /// low <= factor * a <= high, without the product.
  Term isProductWithin(Number a, Wide factor, Wide low, Wide high);
  /// factor * a, where that is known to lie between the bounds.
  Number productWithin(Number a, Wide factor, Wide low, Wide high);

private:
  TermBuilder &terms_;

  Number shifted(Number a, Wide by);
  Number wrap(Number a, Wide low, unsigned bits);
  Number keepBits(Number a, Wide mask, unsigned bits);
  Number bitAndOfVariables(Number a, Number b, unsigned bits);
  std::optional<std::pair<Term, Term>> asBooleans(Number a, Number b);
};

} // namespace understudy::passes::encode
