// SPDX-License-Identifier: Apache-2.0
#include "compose/counting/AffineHull.h"

#include <algorithm>
#include <limits>

namespace understudy::compose::counting {

namespace {

using Integer = boost::multiprecision::cpp_int;

std::optional<int64_t> narrow(const Integer &number) {
  if (number < std::numeric_limits<int64_t>::min() || number > std::numeric_limits<int64_t>::max())
    return std::nullopt;
  return static_cast<int64_t>(number);
}

} // namespace

bool AffineHull::add(const std::vector<int64_t> &point) {
  if (isEmpty()) {
    origin_ = point;
    return true;
  }
  std::vector<Rational> direction(dimension_);
  for (size_t i = 0; i < dimension_; ++i)
    direction[i] = Rational(Integer(point[i]) - Integer(origin_[i]));
  for (const Row &row : rows_)
    if (const Rational factor = direction[row.pivot]; factor != 0)
      for (size_t i = 0; i < dimension_; ++i)
        if (row.entries[i] != 0)
          direction[i] -= factor * row.entries[i];
  auto nonzero = std::find_if(direction.begin(), direction.end(),
                              [](const Rational &entry) { return entry != 0; });
  if (nonzero == direction.end())
    return false;
  auto pivot = static_cast<size_t>(nonzero - direction.begin());
  const Rational lead = *nonzero;
  for (Rational &entry : direction)
    if (entry != 0)
      entry /= lead;
  for (Row &row : rows_)
    if (const Rational factor = row.entries[pivot]; factor != 0)
      for (size_t i = 0; i < dimension_; ++i)
        if (direction[i] != 0)
          row.entries[i] -= factor * direction[i];
  rows_.push_back({pivot, std::move(direction)});
  return true;
}

std::optional<std::vector<AffineEquation>> AffineHull::equations() const {
  // For every coordinate c that is no pivot: x[c] - sum of row[c] * x[pivot of row] is constant.
  std::vector<bool> isPivot(dimension_, false);
  for (const Row &row : rows_)
    isPivot[row.pivot] = true;
  std::vector<AffineEquation> result;
  for (size_t c = 0; c < dimension_; ++c) {
    if (isPivot[c])
      continue;
    Integer scale = 1;
    for (const Row &row : rows_)
      scale = boost::multiprecision::lcm(scale, boost::multiprecision::denominator(row.entries[c]));
    std::vector<std::pair<size_t, Integer>> wide{{c, scale}};
    for (const Row &row : rows_)
      if (row.entries[c] != 0)
        wide.emplace_back(row.pivot,
                          boost::multiprecision::numerator(Rational(row.entries[c] * -scale)));
    std::sort(wide.begin(), wide.end());
    AffineEquation equation;
    Integer constant = 0;
    for (const auto &[coordinate, factor] : wide) {
      auto narrowed = narrow(factor);
      if (!narrowed)
        return std::nullopt;
      equation.summands.emplace_back(coordinate, *narrowed);
      constant += factor * origin_[coordinate];
    }
    auto narrowed = narrow(constant);
    if (!narrowed)
      return std::nullopt;
    equation.constant = *narrowed;
    result.push_back(std::move(equation));
  }
  return result;
}

} // namespace understudy::compose::counting
