// SPDX-License-Identifier: Apache-2.0
#include "logic/Value.h"

#include "logic/Error.h"

#include <algorithm>
#include <stdexcept>

namespace understudy::logic {

int64_t ArrayValue::at(int64_t index) const {
  auto found = elements.find(index);
  return found == elements.end() ? rest : found->second;
}

ArrayValue ArrayValue::with(int64_t index, int64_t element) const {
  ArrayValue result = *this;
  if (element == rest)
    result.elements.erase(index);
  else
    result.elements[index] = element;
  return result;
}

bool Value::operator==(const Value &other) const { return (*this <=> other) == 0; }

std::strong_ordering Value::operator<=>(const Value &other) const {
  if (isArray() != other.isArray())
    return isArray() ? std::strong_ordering::greater : std::strong_ordering::less;
  return isArray() ? *array_ <=> *other.array_ : number_ <=> other.number_;
}

namespace {

std::string numberText(int64_t number, Sort sort) {
  if (sort.isBool())
    return number != 0 ? "true" : "false";
  if (sort.isEnum())
    for (const Enumerator &e : sort.enumerators())
      if (e.value == number)
        return e.name;
  return std::to_string(number);
}

} // namespace

std::string valueText(const Value &value, Sort sort) {
  if (!value.isArray())
    return numberText(value.number(), sort);
  Sort element = sort.element();
  const ArrayValue &array = value.array();
  std::string result = "[";
  if (auto size = sort.arraySize(); size && *size <= 64) {
    for (int64_t i = 0; i < *size; ++i)
      result += (i ? ", " : "") + numberText(array.at(i), element);
    return result + "]";
  }
  for (const auto &[index, number] : array.elements)
    result += std::to_string(index) + ": " + numberText(number, element) + ", ";
  return result + "otherwise " + numberText(array.rest, element) + "]";
}

Value constantArray(Sort sort, int64_t element) {
  auto size = sort.arraySize();
  if (!size)
    return Value(ArrayValue{element, {}});
  ArrayValue result{defaultValue(sort.element()).number(), {}};
  for (int64_t i = 0; i < *size && element != result.rest; ++i)
    result.elements[i] = element;
  return Value(std::move(result));
}

std::optional<std::vector<Value>> allValues(Sort sort, size_t limit) {
  auto scalars = (sort.isArray() ? sort.element() : sort).values(limit);
  if (!scalars || scalars->size() > limit)
    return std::nullopt;
  if (!sort.isArray())
    return std::vector<Value>(scalars->begin(), scalars->end());
  auto size = sort.arraySize();
  if (!size)
    return std::nullopt;
  std::vector<ArrayValue> arrays{ArrayValue{defaultValue(sort.element()).number(), {}}};
  for (int64_t i = 0; i < *size; ++i) {
    if (arrays.size() * scalars->size() > limit)
      return std::nullopt;
    std::vector<ArrayValue> longer;
    for (const ArrayValue &array : arrays)
      for (int64_t element : *scalars)
        longer.push_back(array.with(i, element));
    arrays = std::move(longer);
  }
  std::vector<Value> result;
  for (ArrayValue &array : arrays)
    result.emplace_back(std::move(array));
  std::sort(result.begin(), result.end());
  return result;
}

Value defaultValue(Sort sort) {
  switch (sort.kind()) {
  case SortKind::Bool:
  case SortKind::Int:
    return 0;
  case SortKind::Range:
    return sort.lower() <= 0 && 0 <= sort.upper() ? 0 : sort.lower();
  case SortKind::Enum:
    return sort.enumerators().front().value;
  case SortKind::Array:
    return Value(ArrayValue{defaultValue(sort.element()).number(), {}});
  }
  throw std::logic_error("unknown sort");
}

int64_t checkedAdd(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result))
    throw Overflow();
  return result;
}

int64_t checkedMultiply(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result))
    throw Overflow();
  return result;
}

Value evaluate(Term term, const Environment &environment) {
  auto number = [&](size_t i) { return evaluate(term.operand(i), environment).number(); };
  switch (term.op()) {
  case Op::Constant:
    return term.value();
  case Op::Variable:
    return environment(term.variable(), term.primed());
  case Op::Not:
    return number(0) == 0 ? 1 : 0;
  case Op::And:
    return std::all_of(term.operands().begin(), term.operands().end(),
                       [&](const Term &t) { return holds(t, environment); })
               ? 1
               : 0;
  case Op::Or:
    return std::any_of(term.operands().begin(), term.operands().end(),
                       [&](const Term &t) { return holds(t, environment); })
               ? 1
               : 0;
  case Op::Implies:
    return number(0) == 0 || number(1) != 0 ? 1 : 0;
  case Op::Ite:
    return evaluate(term.operand(number(0) != 0 ? 1 : 2), environment);
  case Op::Equal:
    return evaluate(term.operand(0), environment) == evaluate(term.operand(1), environment) ? 1 : 0;
  case Op::Less:
    return number(0) < number(1) ? 1 : 0;
  case Op::LessEqual:
    return number(0) <= number(1) ? 1 : 0;
  case Op::Add: {
    int64_t total = 0;
    for (size_t i = 0; i < term.operands().size(); ++i)
      total = checkedAdd(total, number(i));
    return total;
  }
  case Op::Multiply:
    return checkedMultiply(term.value(), number(0));
  case Op::Divide:
    return number(0) / term.value();
  case Op::Remainder:
    return number(0) % term.value();
  case Op::Select: {
    Value array = evaluate(term.operand(0), environment);
    return array.array().at(number(1));
  }
  case Op::Store: {
    Value array = evaluate(term.operand(0), environment);
    return Value(array.array().with(number(1), number(2)));
  }
  case Op::ConstArray:
    return constantArray(term.sort(), number(0));
  }
  throw std::logic_error("unknown operation");
}

bool holds(Term formula, const Environment &environment) {
  return evaluate(formula, environment).number() != 0;
}

} // namespace understudy::logic
