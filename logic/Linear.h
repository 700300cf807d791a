// SPDX-License-Identifier: Apache-2.0
//
// Sums as linear forms, and bounds that tell when rearranging them cannot overflow.
//
// The problem: `x + y + x` has a value for x = 2^62, y = -2^62, but `2 * x + y` overflows on the
// way. So a sum may be rearranged only if every number that the new order computes fits in 64 bits
// whenever the old one had a value. Two sufficient reasons are used:
//   1. the bounds of the summands and of all partial sums fit in 64 bits;
//   2. there are at most two summands, each of which fits; their sum is the old value.
#pragma once

#include "logic/Term.h"

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace understudy::logic {

__extension__ typedef __int128 Wide;

/// The values a numeric term can have; an absent bound is infinite.
struct Bounds {
  std::optional<Wide> lower;
  std::optional<Wide> upper;
};

class BoundsTable {
public:
  /// Variables lie in their sorts. Recursion ends at terms asked for before.
  Bounds of(Term term);

private:
  std::unordered_map<Term, Bounds> known_;
  Bounds compute(Term term);
};

/// Sum of factor * atom, in order of first occurrence, plus a constant.
struct LinearForm {
  std::vector<std::pair<Term, int64_t>> summands;
  int64_t constant = 0;

  bool isConstant() const { return summands.empty(); }
};

/// None if a factor or the constant leaves 64 bits.
std::optional<LinearForm> linearForm(Term term);

/// The form as a term, if computing it is harmless wherever the numeric terms in `evaluated` have
/// values.
std::optional<Term> rearranged(TermPool &pool, const LinearForm &form, BoundsTable &bounds,
                               std::span<const Term> evaluated);

/// The same, where moreover the form's value is known to fit in 64 bits.
std::optional<Term> rearrangedSum(TermPool &pool, const LinearForm &form, BoundsTable &bounds,
                                  std::span<const Term> evaluated);

/// Removes from both forms what they have in common, so that `a R b` stays the same for every
/// comparison R. True if something was removed.
bool cancelCommon(LinearForm &a, LinearForm &b);

} // namespace understudy::logic
