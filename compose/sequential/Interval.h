// SPDX-License-Identifier: Apache-2.0
//
// Intervals of mathematical integers. Truth values are 0 and 1, so a formula's is one of [0, 0],
// [1, 1] and [0, 1].
#pragma once

#include "logic/Linear.h"
#include "logic/Term.h"

#include <algorithm>

namespace understudy::compose::sequential {

using logic::Wide;

struct Interval {
  // Further out than any bound that arises from 64-bit numbers; sums are cut off there.
  static constexpr Wide infinity = Wide(1) << 100;

  Wide lower = -infinity;
  Wide upper = infinity;

  static Interval point(Wide value) { return {value, value}; }
  /// All values of the sort; of arrays: everything.
  static Interval of(logic::Sort sort);

  bool isEmpty() const { return lower > upper; }
  bool isPoint() const { return lower == upper; }
  bool hasLower() const { return lower > -infinity; }
  bool hasUpper() const { return upper < infinity; }
  bool contains(const Interval &other) const {
    return lower <= other.lower && other.upper <= upper;
  }
  bool operator==(const Interval &) const = default;

  Interval meet(const Interval &other) const {
    return {std::max(lower, other.lower), std::min(upper, other.upper)};
  }
  Interval hull(const Interval &other) const {
    return {std::min(lower, other.lower), std::max(upper, other.upper)};
  }
  Interval plus(const Interval &other) const;
  Interval times(Wide factor) const;
  Interval dividedBy(Wide divisor) const;   ///< truncating; divisor > 0
  Interval remainderBy(Wide divisor) const; ///< sign of the dividend; divisor > 0
};

} // namespace understudy::compose::sequential
