// SPDX-License-Identifier: Apache-2.0
//
// The operators of expressions with two or more operands.
#include "logic/Value.h"
#include "specs/check/CheckExpr.h"

#include <algorithm>

namespace understudy::specs::check {

using logic::Op;
using logic::Sort;
using logic::Term;

Checked ExprChecker::chain(const syntax::Expr &expr) {
  const std::string &first = expr.operators.front();
  if (first == "&&" || first == "||")
    return logical(expr);
  return first == "+" || first == "-" ? sum(expr) : product(expr);
}

Checked ExprChecker::logical(const syntax::Expr &expr) {
  std::vector<Term> terms;
  Checked result;
  for (const syntax::ExprPtr &operand : expr.operands)
    if (Checked part = condition(*operand)) {
      terms.push_back(part.term);
      result.absorb(part);
    }
  if (terms.size() != expr.operands.size())
    return {};
  bool conjunction = expr.operators.front() == "&&";
  result.term =
      conjunction ? pool_.conjunction(std::move(terms)) : pool_.disjunction(std::move(terms));
  return folded(expr, result);
}

Checked ExprChecker::sum(const syntax::Expr &expr) {
  std::vector<Term> terms;
  Checked result;
  for (size_t i = 0; i < expr.operands.size(); ++i) {
    Checked part = integer(*expr.operands[i]);
    if (!part)
      continue;
    result.absorb(part);
    if (i == 0 || expr.operators[i - 1] == "+")
      terms.push_back(part.term);
    else if (part.term.isConstant() && part.term.value() != INT64_MIN)
      terms.push_back(pool_.integer(-part.term.value()));
    else
      terms.push_back(pool_.multiply(-1, part.term));
  }
  if (terms.size() != expr.operands.size())
    return {};
  result.term = pool_.sum(std::move(terms));
  return folded(expr, result);
}

Checked ExprChecker::product(const syntax::Expr &expr) {
  Checked result = integer(*expr.operands[0]);
  for (size_t i = 1; i < expr.operands.size(); ++i) {
    Checked right = integer(*expr.operands[i]);
    result = result && right ? factor(expr, i, result, right) : Checked{};
  }
  return result;
}

/// One step of a chain of `*`, `/` and `%`: left OP operand `at`.
Checked ExprChecker::factor(const syntax::Expr &expr, size_t at, Checked left, Checked right) {
  const std::string &sign = expr.operators[at - 1];
  Checked result;
  result.absorb(left);
  result.absorb(right);
  if (sign != "*") {
    std::string what = sign == "/" ? "divisor of '/'" : "right side of '%'";
    if (!right.term.isConstant() || right.term.value() <= 0)
      return fail(expr.operands[at]->range, "the " + what + " must be a positive constant");
    result.term = sign == "/" ? pool_.divide(left.term, right.term.value())
                              : pool_.remainder(left.term, right.term.value());
    return folded(expr, result);
  }
  if (!left.term.isConstant() && !right.term.isConstant())
    return fail(expr.operatorRanges.size() >= at ? expr.operatorRanges[at - 1] : expr.range,
                "'*' needs a constant on one side",
                "only linear arithmetic is supported: no products of variables");
  int64_t constant = right.term.isConstant() ? right.term.value() : left.term.value();
  Term other = right.term.isConstant() ? left.term : right.term;
  // x * 2 * 3 is 6 * x: long chains stay flat.
  int64_t together = 0;
  if (other.op() == Op::Multiply && !__builtin_mul_overflow(constant, other.value(), &together)) {
    result.term = pool_.multiply(together, other.operand(0));
    result.depth = std::max(left.depth, right.depth);
    return result;
  }
  result.term = pool_.multiply(constant, other);
  return folded(expr, result);
}

/// Both of the same class: bool, integer, or the same enum.
bool ExprChecker::sameClass(const syntax::Expr &at, const syntax::Expr &left, const Checked &a,
                            const syntax::Expr &right, const Checked &b) {
  Sort first = a.term.sort();
  Sort second = b.term.sort();
  if (first == second || (first.isInteger() && second.isInteger()))
    return true;
  std::string hint;
  const syntax::Expr *number = left.kind == syntax::ExprKind::Number ? &left : &right;
  if ((first.isBool() || second.isBool()) && number->kind == syntax::ExprKind::Number)
    hint = "a bool is 'true' or 'false', not a number";
  if ((first.isEnum() && first.enumName() == pidName) ||
      (second.isEnum() && second.enumName() == pidName))
    hint = "a thread id is compared with thread ids only, and cannot be written as a number";
  fail(at.range,
       "the two sides have different types: " + sortClass(first) + " and " + sortClass(second),
       hint);
  return false;
}

Checked ExprChecker::compare(const syntax::Expr &expr) {
  const std::string &sign = expr.operators[0];
  Checked left = check(*expr.operands[0]);
  Checked right = check(*expr.operands[1]);
  if (!left || !right || !sameClass(expr, *expr.operands[0], left, *expr.operands[1], right))
    return {};
  Checked result;
  result.absorb(left);
  result.absorb(right);
  bool equality = sign == "==" || sign == "!=";
  if (!equality && left.term.sort().isBool())
    return fail(expr.range, "'" + sign + "' cannot compare bools", "use '==' or '!='");
  if (!equality && left.term.sort().isEnum() && left.term.sort().enumName() == pidName)
    return fail(expr.range, "'" + sign + "' cannot compare thread ids",
                "use '==', '!=' or a relation such as 'elder(p, q)'");
  if (sign == "==")
    result.term = pool_.equal(left.term, right.term);
  else if (sign == "!=")
    result.term = pool_.distinct(left.term, right.term);
  else if (sign == "<")
    result.term = pool_.less(left.term, right.term);
  else if (sign == "<=")
    result.term = pool_.lessEqual(left.term, right.term);
  else if (sign == ">")
    result.term = pool_.greater(left.term, right.term);
  else
    result.term = pool_.greaterEqual(left.term, right.term);
  if (sign == "!=" && left.term.isConstant() && right.term.isConstant()) {
    result.term = pool_.boolean(left.term != right.term);
    return result;
  }
  return folded(expr, result);
}

Checked ExprChecker::membership(const syntax::Expr &expr) {
  Checked value = check(*expr.operands[0]);
  Checked lower = check(*expr.operands[1]);
  Checked upper = check(*expr.operands[2]);
  if (!value || !lower || !upper ||
      !sameClass(expr, *expr.operands[0], value, *expr.operands[1], lower) ||
      !sameClass(expr, *expr.operands[0], value, *expr.operands[2], upper))
    return {};
  if (value.term.sort().isBool())
    return fail(expr.range, "'in' cannot be applied to a bool",
                "it tests whether a number is in a range");
  Checked result;
  result.absorb(value);
  result.absorb(lower);
  result.absorb(upper);
  Term above = pool_.lessEqual(lower.term, value.term);
  Term below = pool_.lessEqual(value.term, upper.term);
  if (value.term.isConstant() && lower.term.isConstant() && upper.term.isConstant())
    result.term = pool_.boolean(lower.term.value() <= value.term.value() &&
                                value.term.value() <= upper.term.value());
  else
    result.term = pool_.conjunction({above, below});
  return result;
}

namespace {

struct Interval {
  bool known = false;
  int64_t lower = 0;
  int64_t upper = 0;
};

Interval intervalOf(Sort sort) {
  if (sort.kind() == logic::SortKind::Range)
    return {true, sort.lower(), sort.upper()};
  return {};
}

Interval intervalOf(Term term, int fuel);

Interval ofSum(Term term, int fuel) {
  Interval total{true, 0, 0};
  for (const Term &t : term.operands()) {
    Interval part = intervalOf(t, fuel);
    if (!part.known || __builtin_add_overflow(total.lower, part.lower, &total.lower) ||
        __builtin_add_overflow(total.upper, part.upper, &total.upper))
      return {};
  }
  return total;
}

Interval scaled(Interval inner, int64_t factor) {
  int64_t a = 0;
  int64_t b = 0;
  if (!inner.known || __builtin_mul_overflow(inner.lower, factor, &a) ||
      __builtin_mul_overflow(inner.upper, factor, &b))
    return {};
  return {true, std::min(a, b), std::max(a, b)};
}

Interval ofRemainder(Interval inner, int64_t divisor) {
  Interval result{true, -(divisor - 1), divisor - 1};
  if (inner.known && inner.lower >= 0)
    result = {true, 0, std::min(divisor - 1, inner.upper)};
  return result;
}

Interval intervalOf(Term term, int fuel) {
  if (fuel == 0)
    return {};
  switch (term.op()) {
  case Op::Constant:
    return {true, term.value(), term.value()};
  case Op::Variable:
  case Op::Select:
    return intervalOf(term.sort());
  case Op::Add:
    return ofSum(term, fuel - 1);
  case Op::Multiply:
    return scaled(intervalOf(term.operand(0), fuel - 1), term.value());
  case Op::Divide: {
    Interval inner = intervalOf(term.operand(0), fuel - 1);
    return {inner.known, inner.lower / term.value(), inner.upper / term.value()};
  }
  case Op::Remainder:
    return ofRemainder(intervalOf(term.operand(0), fuel - 1), term.value());
  case Op::Ite: {
    Interval yes = intervalOf(term.operand(1), fuel - 1);
    Interval no = intervalOf(term.operand(2), fuel - 1);
    return {yes.known && no.known, std::min(yes.lower, no.lower), std::max(yes.upper, no.upper)};
  }
  default:
    return {};
  }
}

} // namespace

bool provablyInSort(Term value, Sort sort) {
  // Enum terms are built from enumerators and variables only, so they cannot leave their enum.
  if (sort.kind() != logic::SortKind::Range)
    return true;
  constexpr int depthOfLook = 12;
  Interval interval = intervalOf(value, depthOfLook);
  return interval.known && sort.lower() <= interval.lower && interval.upper <= sort.upper();
}

Term complement(Term formula) {
  if (formula.isConstant())
    return formula.pool().boolean(formula.isFalse());
  return formula.op() == Op::Not ? formula.operand(0) : formula.pool().negate(formula);
}

Term foldConstant(Term term) {
  if (term.isConstant() || term.sort().isArray() || !logic::variablesOf(term).empty())
    return term;
  try {
    return term.pool().constant(term.sort(), logic::evaluate(term, {}).number());
  } catch (const logic::Overflow &) {
    return term;
  }
}

Term allOf(logic::TermPool &pool, std::vector<Term> parts) {
  Term whole = pool.conjunction(std::move(parts));
  for (const Term &t : logic::conjunctsOf(whole))
    if (t.isFalse())
      return t;
  return whole;
}

} // namespace understudy::specs::check
