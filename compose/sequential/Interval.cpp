// SPDX-License-Identifier: Apache-2.0
#include "compose/sequential/Interval.h"

namespace understudy::compose::sequential {

namespace {

Wide cutOff(Wide value) { return std::clamp(value, -Interval::infinity, Interval::infinity); }

/// Bounds at infinity stay there.
Wide scaled(Wide bound, Wide factor) {
  if (factor == 0 || bound == 0)
    return 0;
  if (bound >= Interval::infinity || bound <= -Interval::infinity)
    return (bound > 0) == (factor > 0) ? Interval::infinity : -Interval::infinity;
  Wide result = 0;
  if (__builtin_mul_overflow(bound, factor, &result))
    return (bound > 0) == (factor > 0) ? Interval::infinity : -Interval::infinity;
  return cutOff(result);
}

bool isInfinite(Wide bound) { return bound >= Interval::infinity || bound <= -Interval::infinity; }

} // namespace

Interval Interval::of(logic::Sort sort) {
  switch (sort.kind()) {
  case logic::SortKind::Bool:
    return {0, 1};
  case logic::SortKind::Range:
    return {sort.lower(), sort.upper()};
  case logic::SortKind::Enum: {
    const auto values = sort.values();
    return {values->front(), values->back()};
  }
  case logic::SortKind::Int:
  case logic::SortKind::Array:
    break;
  }
  return {};
}

Interval Interval::plus(const Interval &other) const {
  return {hasLower() && other.hasLower() ? cutOff(lower + other.lower) : -infinity,
          hasUpper() && other.hasUpper() ? cutOff(upper + other.upper) : infinity};
}

Interval Interval::times(Wide factor) const {
  Wide a = scaled(lower, factor);
  Wide b = scaled(upper, factor);
  return {std::min(a, b), std::max(a, b)};
}

Interval Interval::dividedBy(Wide divisor) const {
  return {isInfinite(lower) ? lower : lower / divisor, isInfinite(upper) ? upper : upper / divisor};
}

Interval Interval::remainderBy(Wide divisor) const {
  if (lower > -divisor && upper < divisor)
    return *this;
  return {lower >= 0 ? 0 : std::max(lower, 1 - divisor),
          upper <= 0 ? 0 : std::min(upper, divisor - 1)};
}

} // namespace understudy::compose::sequential
