// SPDX-License-Identifier: Apache-2.0
#include "logic/Value.h"

#include "logic/Error.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

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

Term termOf(TermPool &pool, const Value &value, Sort sort) {
  if (!value.isArray())
    return pool.constant(sort, value.number());
  const ArrayValue &array = value.array();
  Term result = pool.constArray(sort, pool.constant(sort.element(), array.rest));
  for (const auto &[index, element] : array.elements)
    result = pool.store(result, pool.integer(index), pool.constant(sort.element(), element));
  return result;
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

namespace {

/// One evaluation. Terms are graphs: after `patience` visits, results are remembered, so that
/// shared subterms do not cost exponential time and small terms no table.
class Evaluation {
public:
  explicit Evaluation(const Environment &environment) : environment_(environment) {}

  Value of(Term term) {
    if (term.operands().empty())
      return compute(term);
    if (++visits_ <= patience)
      return compute(term);
    if (auto found = done_.find(term); found != done_.end())
      return found->second;
    Value result = compute(term);
    done_.emplace(term, result);
    return result;
  }

private:
  static constexpr size_t patience = 500;
  const Environment &environment_;
  std::unordered_map<Term, Value> done_;
  size_t visits_ = 0;

  int64_t number(Term term, size_t operand) { return of(term.operand(operand)).number(); }
  bool holds(Term term) { return of(term).number() != 0; }
  Value compute(Term term);
  int64_t total(Term sum);
};

int64_t Evaluation::total(Term sum) {
  int64_t result = 0;
  for (size_t i = 0; i < sum.operands().size(); ++i)
    result = checkedAdd(result, number(sum, i));
  return result;
}

Value Evaluation::compute(Term term) {
  auto truth = [](bool value) { return Value(value ? 1 : 0); };
  auto holdsHere = [this](const Term &t) { return holds(t); };
  auto operands = term.operands();
  switch (term.op()) {
  case Op::Constant:
    return term.value();
  case Op::Variable:
    return environment_(term.variable(), term.primed());
  case Op::Not:
    return truth(!holds(operands[0]));
  case Op::And:
    return truth(std::all_of(operands.begin(), operands.end(), holdsHere));
  case Op::Or:
    return truth(std::any_of(operands.begin(), operands.end(), holdsHere));
  case Op::Implies:
    return truth(!holds(operands[0]) || holds(operands[1]));
  case Op::Ite:
    return of(operands[holds(operands[0]) ? 1 : 2]);
  case Op::Equal:
    return truth(of(operands[0]) == of(operands[1]));
  case Op::Less:
    return truth(number(term, 0) < number(term, 1));
  case Op::LessEqual:
    return truth(number(term, 0) <= number(term, 1));
  case Op::Add:
    return total(term);
  case Op::Multiply:
    return checkedMultiply(term.value(), number(term, 0));
  case Op::Divide:
    return number(term, 0) / term.value();
  case Op::Remainder:
    return number(term, 0) % term.value();
  case Op::Select: {
    Value array = of(operands[0]);
    return array.array().at(number(term, 1));
  }
  case Op::Store: {
    Value array = of(operands[0]);
    int64_t index = number(term, 1);
    return Value(array.array().with(index, number(term, 2)));
  }
  case Op::ConstArray:
    return constantArray(term.sort(), number(term, 0));
  }
  throw std::logic_error("unknown operation");
}

} // namespace

Value evaluate(Term term, const Environment &environment) {
  return Evaluation(environment).of(term);
}

bool holds(Term formula, const Environment &environment) {
  return evaluate(formula, environment).number() != 0;
}

} // namespace understudy::logic
