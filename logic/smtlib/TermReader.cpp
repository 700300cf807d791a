// SPDX-License-Identifier: Apache-2.0
#include "logic/smtlib/TermReader.h"

#include "logic/SortFacts.h"

#include <algorithm>

namespace understudy::logic::smtlib {

namespace {

bool isNumber(const Term &term) { return term.sort().isNumeric(); }

} // namespace

std::optional<Term> TermReader::read(const z3::expr &expression) {
  if (auto found = done_.find(expression.id()); found != done_.end())
    return found->second;
  std::optional<Term> result = compute(expression);
  done_.emplace(expression.id(), result);
  return result;
}

std::optional<Term> TermReader::compute(const z3::expr &e) {
  if (e.is_var()) {
    unsigned index = Z3_get_index_value(e.ctx(), e);
    return index < parameters_.size() ? std::optional(pool_.var(parameters_[index])) : std::nullopt;
  }
  int64_t numeral = 0;
  if (e.is_numeral_i64(numeral) && e.is_int())
    return pool_.integer(numeral);
  if (!e.is_app() || e.is_numeral())
    return std::nullopt;
  std::vector<Term> operands;
  for (unsigned i = 0; i < e.num_args(); ++i) {
    auto operand = read(e.arg(i));
    if (!operand)
      return std::nullopt;
    operands.push_back(*operand);
  }
  return application(e, operands);
}

std::optional<Term> TermReader::application(const z3::expr &e, const std::vector<Term> &operands) {
  Z3_decl_kind kind = e.decl().decl_kind();
  switch (kind) {
  case Z3_OP_TRUE:
    return pool_.boolean(true);
  case Z3_OP_FALSE:
    return pool_.boolean(false);
  case Z3_OP_NOT:
    return pool_.negate(operands[0]);
  case Z3_OP_AND:
    return pool_.conjunction(operands);
  case Z3_OP_OR:
    return pool_.disjunction(operands);
  case Z3_OP_IMPLIES:
    return pool_.implies(operands[0], operands[1]);
  case Z3_OP_XOR:
    return operands.size() == 2 ? std::optional(pool_.distinct(operands[0], operands[1]))
                                : std::nullopt;
  case Z3_OP_ITE:
    if (isNumber(operands[1]))
      return pool_.ite(operands[0], asNumber(operands[1]), asNumber(operands[2]));
    return pool_.ite(operands[0], operands[1], operands[2]);
  case Z3_OP_EQ:
  case Z3_OP_IFF:
    return equality(operands[0], operands[1]);
  case Z3_OP_DISTINCT:
    if (operands.size() != 2)
      return std::nullopt;
    if (auto equal = equality(operands[0], operands[1]))
      return pool_.negate(*equal);
    return std::nullopt;
  case Z3_OP_LE:
  case Z3_OP_LT:
  case Z3_OP_GE:
  case Z3_OP_GT:
    return comparison(kind, operands[0], operands[1]);
  case Z3_OP_SELECT:
    return pool_.select(operands[0], asNumber(operands[1]));
  case Z3_OP_STORE:
    return pool_.store(operands[0], asNumber(operands[1]), operands[2]);
  case Z3_OP_CONST_ARRAY:
    return constantArray(operands[0]);
  default:
    return arithmetic(e, operands);
  }
}

/// Z3's arrays have no size: the sort is that of the parameters, if it is the same for all.
std::optional<Term> TermReader::constantArray(Term element) {
  std::optional<Sort> sort;
  for (Variable parameter : parameters_) {
    if (!parameter.sort().isArray())
      continue;
    if (sort && *sort != parameter.sort())
      return std::nullopt;
    sort = parameter.sort();
  }
  if (!sort || sort->element().isEnum() || sort->element().isBool() != element.sort().isBool())
    return std::nullopt;
  return pool_.constArray(*sort, element);
}

std::optional<Term> TermReader::arithmetic(const z3::expr &e, const std::vector<Term> &operands) {
  std::vector<Term> numbers;
  for (const Term &operand : operands) {
    if (!isNumber(operand))
      return std::nullopt;
    numbers.push_back(asNumber(operand));
  }
  auto divisor = [&]() -> int64_t {
    return numbers.size() == 2 && numbers[1].isConstant() ? numbers[1].value() : 0;
  };
  switch (e.decl().decl_kind()) {
  case Z3_OP_ADD:
    return pool_.sum(numbers);
  case Z3_OP_SUB: {
    std::vector<Term> summands{numbers[0]};
    for (size_t i = 1; i < numbers.size(); ++i)
      summands.push_back(pool_.multiply(-1, numbers[i]));
    return pool_.sum(summands);
  }
  case Z3_OP_UMINUS:
    return pool_.multiply(-1, numbers[0]);
  case Z3_OP_MUL:
    return product(numbers);
  case Z3_OP_IDIV:
    return divisor() > 0 ? std::optional(quotientDown(numbers[0], divisor())) : std::nullopt;
  case Z3_OP_MOD:
    if (int64_t d = divisor(); d > 0)
      return pool_.subtract(numbers[0], pool_.multiply(d, quotientDown(numbers[0], d)));
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<Term> TermReader::product(const std::vector<Term> &operands) {
  int64_t factor = 1;
  std::optional<Term> rest;
  for (const Term &operand : operands) {
    if (operand.isConstant()) {
      if (__builtin_mul_overflow(factor, operand.value(), &factor))
        return std::nullopt;
    } else if (rest) {
      return std::nullopt;
    } else {
      rest = operand;
    }
  }
  return rest ? pool_.multiply(factor, *rest) : pool_.integer(factor);
}

std::optional<Term> TermReader::comparison(Z3_decl_kind kind, Term a, Term b) {
  if (!isNumber(a) || !isNumber(b))
    return std::nullopt;
  a = asNumber(a);
  b = asNumber(b);
  switch (kind) {
  case Z3_OP_LE:
    return pool_.lessEqual(a, b);
  case Z3_OP_LT:
    return pool_.less(a, b);
  case Z3_OP_GE:
    return pool_.lessEqual(b, a);
  default:
    return pool_.less(b, a);
  }
}

std::optional<Term> TermReader::equality(Term a, Term b) {
  if (isNumber(a) && isNumber(b)) {
    if (b.sort().isEnum())
      std::swap(a, b);
    if (a.sort().isEnum() && b.isConstant() && !b.sort().isEnum()) {
      const auto values = a.sort().values();
      bool occurs = std::find(values->begin(), values->end(), b.value()) != values->end();
      return occurs ? pool_.equal(a, pool_.enumerator(a.sort(), b.value())) : pool_.boolean(false);
    }
    return a.sort() == b.sort() ? pool_.equal(a, b) : pool_.equal(asNumber(a), asNumber(b));
  }
  return a.sort() == b.sort() ? std::optional(pool_.equal(a, b)) : std::nullopt;
}

Term TermReader::quotientDown(Term a, int64_t divisor) {
  Term above = pool_.add(pool_.multiply(-1, a), pool_.integer(divisor - 1));
  return pool_.ite(pool_.lessEqual(pool_.integer(0), a), pool_.divide(a, divisor),
                   pool_.multiply(-1, pool_.divide(above, divisor)));
}

} // namespace understudy::logic::smtlib
