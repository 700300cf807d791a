// SPDX-License-Identifier: Apache-2.0
//
// Terms with cheap local folding. Relations of code can share thousands of nodes, so everything
// here looks at a bounded number of them; `logic::simplify` is the thorough one.
#pragma once

#include "logic/Linear.h"
#include "logic/Term.h"

namespace understudy::passes::encode {

using logic::Term;
using logic::Wide;

class TermBuilder {
public:
  explicit TermBuilder(logic::TermPool &pool) : pool_(pool) {}

  logic::TermPool &pool() const { return pool_; }
  Term boolean(bool value) { return pool_.boolean(value); }
  /// Built from several constants beyond 64 bits. Precondition: |value| <= 2^124.
  Term integer(Wide value);

  Term negate(Term a);
  Term both(Term a, Term b);
  Term either(Term a, Term b);
  Term ite(Term condition, Term yes, Term no);
  Term equal(Term a, Term b);
  Term less(Term a, Term b);
  Term lessEqual(Term a, Term b) { return negate(less(b, a)); }
  /// Comparisons with any bound; evaluating them overflows for no `a` of 64 bits that is on the
  /// bound's side of 0.
  Term atMost(Term a, Wide bound);
  Term atLeast(Term a, Wide bound);

  Term add(Term a, Term b);
  Term add(Term a, Wide constant);
  Term multiply(Wide factor, Term a);
  /// Truncating. Precondition: 0 < divisor; a power of two beyond 2^62.
  Term divide(Term a, Wide divisor);
  Term remainder(Term a, Wide divisor);

private:
  static std::vector<Term> united(Term a, Term b, logic::Op op);
  logic::TermPool &pool_;

  enum class Relation : uint8_t { Equal, Less, Greater }; ///< of the term to the constant
  Term compare(Relation relation, Term a, int64_t constant, int depth);
  Term conclude(Relation relation, Term a, int64_t constant);
};

} // namespace understudy::passes::encode
