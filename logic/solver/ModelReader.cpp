// SPDX-License-Identifier: Apache-2.0
#include "logic/solver/ModelReader.h"

#include <utility>
#include <vector>

namespace understudy::logic::solver {

namespace {

Z3_decl_kind kindOf(const z3::expr &e) {
  return e.is_app() ? e.decl().decl_kind() : Z3_OP_UNINTERPRETED;
}

std::optional<int64_t> truth(bool value) { return value ? 1 : 0; }

/// An array of fixed size without what the model says about other indices.
Value canonical(ArrayValue array, Sort sort) {
  auto size = sort.arraySize();
  if (!size)
    return Value(std::move(array));
  ArrayValue result{defaultValue(sort.element()).number(), {}};
  if (array.rest == result.rest) {
    for (const auto &[index, element] : array.elements)
      if (0 <= index && index < *size)
        result.elements.emplace(index, element);
    return Value(std::move(result));
  }
  for (int64_t i = 0; i < *size; ++i)
    if (int64_t element = array.at(i); element != result.rest)
      result.elements.emplace(i, element);
  return Value(std::move(result));
}

} // namespace

std::optional<Value> ModelReader::value(const z3::expr &expression, Sort sort) const {
  z3::expr evaluated = model_.eval(expression, true);
  if (sort.isArray()) {
    auto found = array(evaluated);
    return found ? std::optional<Value>(canonical(std::move(*found), sort)) : std::nullopt;
  }
  auto found = number(evaluated);
  return found ? std::optional<Value>(*found) : std::nullopt;
}

std::optional<int64_t> ModelReader::number(const z3::expr &e) const {
  int64_t numeral = 0;
  if (e.is_numeral_i64(numeral))
    return numeral;
  switch (kindOf(e)) {
  case Z3_OP_TRUE:
    return 1;
  case Z3_OP_FALSE:
    return 0;
  case Z3_OP_ITE: {
    auto condition = number(e.arg(0));
    return condition ? number(e.arg(*condition != 0 ? 1 : 2)) : std::nullopt;
  }
  case Z3_OP_SELECT: {
    auto from = array(e.arg(0));
    auto index = number(e.arg(1));
    return from && index ? std::optional(from->at(*index)) : std::nullopt;
  }
  case Z3_OP_NOT:
  case Z3_OP_AND:
  case Z3_OP_OR:
  case Z3_OP_IMPLIES:
    return connective(e);
  case Z3_OP_EQ:
  case Z3_OP_LE:
  case Z3_OP_LT:
  case Z3_OP_GE:
  case Z3_OP_GT:
    return comparison(e);
  case Z3_OP_ADD:
  case Z3_OP_MUL:
  case Z3_OP_UMINUS:
    return arithmetic(e);
  default:
    return std::nullopt;
  }
}

std::optional<int64_t> ModelReader::connective(const z3::expr &e) const {
  std::vector<bool> operands;
  for (unsigned i = 0; i < e.num_args(); ++i) {
    auto operand = number(e.arg(i));
    if (!operand)
      return std::nullopt;
    operands.push_back(*operand != 0);
  }
  switch (kindOf(e)) {
  case Z3_OP_NOT:
    return truth(!operands[0]);
  case Z3_OP_IMPLIES:
    return truth(!operands[0] || operands[1]);
  default:
    break;
  }
  bool conjunction = kindOf(e) == Z3_OP_AND;
  for (bool operand : operands)
    if (operand != conjunction)
      return truth(operand);
  return truth(conjunction);
}

std::optional<int64_t> ModelReader::comparison(const z3::expr &e) const {
  if (e.arg(0).is_array()) {
    auto a = array(e.arg(0));
    auto b = array(e.arg(1));
    return a && b ? truth(*a == *b) : std::nullopt;
  }
  auto a = number(e.arg(0));
  auto b = number(e.arg(1));
  if (!a || !b)
    return std::nullopt;
  switch (kindOf(e)) {
  case Z3_OP_EQ:
    return truth(*a == *b);
  case Z3_OP_LE:
    return truth(*a <= *b);
  case Z3_OP_LT:
    return truth(*a < *b);
  case Z3_OP_GE:
    return truth(*a >= *b);
  default:
    return truth(*a > *b);
  }
}

std::optional<int64_t> ModelReader::arithmetic(const z3::expr &e) const {
  Z3_decl_kind kind = kindOf(e);
  int64_t total = kind == Z3_OP_MUL ? 1 : 0;
  for (unsigned i = 0; i < e.num_args(); ++i) {
    auto operand = number(e.arg(i));
    if (!operand)
      return std::nullopt;
    bool overflow = kind == Z3_OP_MUL   ? __builtin_mul_overflow(total, *operand, &total)
                    : kind == Z3_OP_ADD ? __builtin_add_overflow(total, *operand, &total)
                                        : __builtin_sub_overflow(total, *operand, &total);
    if (overflow)
      return std::nullopt;
  }
  return total;
}

std::optional<ArrayValue> ModelReader::array(const z3::expr &e) const {
  z3::expr base = e;
  std::vector<std::pair<int64_t, int64_t>> stores;
  for (; kindOf(base) == Z3_OP_STORE; base = base.arg(0)) {
    auto index = number(base.arg(1));
    auto element = number(base.arg(2));
    if (!index || !element)
      return std::nullopt;
    stores.emplace_back(*index, *element);
  }
  std::optional<ArrayValue> result;
  if (kindOf(base) == Z3_OP_AS_ARRAY)
    result = function(base);
  else if (kindOf(base) == Z3_OP_CONST_ARRAY)
    if (auto rest = number(base.arg(0)))
      result = ArrayValue{*rest, {}};
  if (!result)
    return std::nullopt;
  for (auto store = stores.rbegin(); store != stores.rend(); ++store)
    result = result->with(store->first, store->second);
  return result;
}

std::optional<ArrayValue> ModelReader::function(const z3::expr &e) const {
  z3::func_decl declaration(e.ctx(), Z3_get_as_array_func_decl(e.ctx(), e));
  if (!model_.has_interp(declaration))
    return std::nullopt;
  z3::func_interp interpretation = model_.get_func_interp(declaration);
  auto rest = number(interpretation.else_value());
  if (!rest)
    return std::nullopt;
  ArrayValue result{*rest, {}};
  for (unsigned i = 0; i < interpretation.num_entries(); ++i) {
    z3::func_entry entry = interpretation.entry(i);
    auto index = number(entry.arg(0));
    auto element = number(entry.value());
    if (!index || !element)
      return std::nullopt;
    result = result.with(*index, *element);
  }
  return result;
}

} // namespace understudy::logic::solver
