// SPDX-License-Identifier: Apache-2.0
//
// Formulas over intervals: what a term's value can be when its variables lie in given intervals,
// and what follows for the intervals when a formula is assumed (HC4-style propagation; Benhamou et
// al., Revising hull and box consistency, 1999). Beside the intervals it is known which numbers are
// equal. Everything errs towards more states.
#pragma once

#include "compose/sequential/Flow.h"
#include "compose/sequential/Interval.h"

#include <unordered_map>
#include <vector>

namespace understudy::compose::sequential {

/// The variables before and after a step.
class AbstractStep {
public:
  explicit AbstractStep(const Flow &flow);

  std::vector<Interval> before; ///< by variable
  std::vector<Interval> after;

  void set(VariableIndex v, bool primed, const Interval &value);

  /// Numbers before and after the step, in one row: v, or the number of variables + v if primed.
  using Slot = uint32_t;
  Slot slotOf(VariableIndex v, bool primed) const;
  /// False: they cannot be equal.
  bool equate(Slot a, Slot b);
  bool areEqual(Slot a, Slot b) const { return roots_[a] == roots_[b]; }

  /// Every value that the term can have lies in the result.
  Interval evaluate(Term term);
  /// Narrows the intervals to where the formula can have the truth value. False: nowhere.
  bool assume(Term formula, bool truth);
  /// Assumes all of them, again while that changes something, a few times.
  bool propagate(const std::vector<Conjunct> &conjuncts);

private:
  const Flow *flow_;
  // Values of terms without and with primes, forgotten when an interval that they may depend on
  // changes.
  std::unordered_map<Term, Interval> known_;
  std::unordered_map<Term, Interval> knownPrimed_;
  std::vector<Slot> roots_;  ///< equal numbers have one root
  std::vector<bool> shared_; ///< by root: it has several slots
  bool changed_ = false;

  struct Sum {
    std::vector<std::pair<Term, Wide>> summands;
    Wide constant = 0;
  };

  Interval &at(Slot slot);
  Slot slotOf(Term variable) const;
  bool equateFrom(Term formula);
  Term decided(Term term);
  Interval difference(Term a, Term b);
  Sum sumOf(Term a, Term b);
  bool narrow(Term variable, const Interval &to);
  Interval compute(Term term);
  Interval connective(Term term, bool conjunction);
  Interval comparison(Term term);
  uint64_t depth_ = 0;  ///< of nested assumptions
  uint64_t effort_ = 0; ///< assumptions since the outermost one

  bool conclude(Term formula, bool truth);
  bool assumeJunction(Term formula, bool conjunction, bool truth);
  bool assumeEqual(Term a, Term b, bool truth);
  bool assumeDistinct(Term a, const Interval &b);
  bool assumeAtMost(Term a, Term b, Wide slack);
  void collect(Term term, Wide factor, Sum &sum);
};

} // namespace understudy::compose::sequential
