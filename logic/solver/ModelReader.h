// SPDX-License-Identifier: Apache-2.0
//
// Values out of Z3's models. Private to logic/: no other folder may see Z3.
//
// Z3 leaves some closed expressions in its models unevaluated, above all comparisons of arrays
// ("p is (= (store …) (store …))"), so they are evaluated here.
#pragma once

#include "logic/Value.h"

#include <z3++.h>

#include <optional>

namespace understudy::logic::solver {

class ModelReader {
public:
  explicit ModelReader(const z3::model &model) : model_(model) {}

  /// The value of the expression, which has that sort. None if some number in it leaves 64 bits, or
  /// it has a form that models do not have.
  std::optional<Value> value(const z3::expr &expression, Sort sort) const;

private:
  const z3::model &model_;

  std::optional<int64_t> number(const z3::expr &e) const;
  std::optional<int64_t> connective(const z3::expr &e) const;
  std::optional<int64_t> comparison(const z3::expr &e) const;
  std::optional<int64_t> arithmetic(const z3::expr &e) const;
  std::optional<ArrayValue> array(const z3::expr &e) const;
  std::optional<ArrayValue> function(const z3::expr &e) const;
};

} // namespace understudy::logic::solver
