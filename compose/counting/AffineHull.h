// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace understudy::compose::counting {

/// sum of factor * coordinate == constant
struct AffineEquation {
  std::vector<std::pair<size_t, int64_t>> summands;
  int64_t constant = 0;
};

/// The smallest affine space that contains some points, in exact rational arithmetic.
class AffineHull {
public:
  explicit AffineHull(size_t dimension) : dimension_(dimension) {}

  bool isEmpty() const { return origin_.empty(); }
  /// False: the point was in it.
  bool add(const std::vector<int64_t> &point);
  /// What its points satisfy, and no others. None if a factor leaves 64 bits. Precondition: not
  /// empty.
  std::optional<std::vector<AffineEquation>> equations() const;

private:
  using Rational = boost::multiprecision::cpp_rational;
  /// Directions in reduced row echelon form: a row is 1 at its pivot, where the others are 0.
  struct Row {
    size_t pivot = 0;
    std::vector<Rational> entries;
  };

  size_t dimension_;
  std::vector<int64_t> origin_;
  std::vector<Row> rows_;
};

} // namespace understudy::compose::counting
