// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "logic/Term.h"

#include <compare>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace understudy::logic {

/// What an array variable holds: `rest` everywhere but at the listed indices. Kept canonical, so
/// that equal arrays are equal structures: no listed element equals `rest`, and the `rest` of an
/// array of fixed size is its element sort's default value.
struct ArrayValue {
  int64_t rest = 0;
  std::map<int64_t, int64_t> elements;
  auto operator<=>(const ArrayValue &) const = default;

  int64_t at(int64_t index) const;
  ArrayValue with(int64_t index, int64_t element) const;
};

/// A concrete value: a number (booleans are 0 and 1, enums their number) or an array.
class Value {
public:
  Value() = default;
  Value(int64_t number) : number_(number) {}
  explicit Value(ArrayValue array) : array_(std::make_shared<const ArrayValue>(std::move(array))) {}

  bool isArray() const { return array_ != nullptr; }
  int64_t number() const { return number_; }
  const ArrayValue &array() const { return *array_; }

  bool operator==(const Value &other) const;
  std::strong_ordering operator<=>(const Value &other) const;

private:
  int64_t number_ = 0;
  std::shared_ptr<const ArrayValue> array_;
};

/// "true", "-3", "busy", "[1, 0, 0]", "[0: 5, otherwise 0]": as a C programmer would write it.
std::string valueText(const Value &value, Sort sort);

/// The value that variables without meaning get: 0, false, the first enumerator, the lower bound if
/// the range excludes 0; arrays are constant.
Value defaultValue(Sort sort);

/// The array of that sort whose elements are all `element`.
Value constantArray(Sort sort, int64_t element);

/// The value as a term of that sort.
Term termOf(TermPool &pool, const Value &value, Sort sort);

/// Every value of the sort in ascending order, arrays of fixed size included; none if there are
/// more than `limit`.
std::optional<std::vector<Value>> allValues(Sort sort, size_t limit);

/// Looks up a variable before (`primed == false`) or after a step.
using Environment = std::function<Value(Variable variable, bool primed)>;

/// The value of the term. Connectives evaluate from left to right and stop early, as in C. Throws
/// `Overflow` when a number leaves the 64-bit range.
/// Precondition: the environment knows every variable that is looked up.
Value evaluate(Term term, const Environment &environment);
bool holds(Term formula, const Environment &environment);

/// 64-bit arithmetic that throws `Overflow` instead of wrapping.
int64_t checkedAdd(int64_t a, int64_t b);
int64_t checkedMultiply(int64_t a, int64_t b);

} // namespace understudy::logic
