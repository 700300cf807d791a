// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "logic/Term.h"

#include <memory>

namespace understudy::logic {

/// A simpler term of the same meaning: constants folded, connectives flattened and freed
/// of repetitions, sums collected, reads of known array elements resolved.
///
/// For every state in which each variable lies in its sort: if `evaluate(term)` has a value, so
/// has `evaluate(simplify(term))`, and it is the same; an overflow or an early stop of a connective
/// in `term` may vanish, none appears. As formulas over mathematical integers the two are
/// equivalent. Near-linear in the number of distinct subterms.
Term simplify(Term term);

/// The same for many terms that share subterms: every distinct subterm is looked at once.
class Simplifier {
public:
  Simplifier();
  ~Simplifier();
  Simplifier(Simplifier &&) noexcept;
  Simplifier &operator=(Simplifier &&) noexcept;

  /// Precondition: all terms are of one pool.
  Term operator()(Term term);

private:
  class Rules;
  std::unique_ptr<Rules> rules_;
};

} // namespace understudy::logic
