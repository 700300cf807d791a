// SPDX-License-Identifier: Apache-2.0
#include "logic/smtlib/Readable.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace understudy::logic::smtlib {

namespace {

bool contains(const std::vector<Term> &terms, Term wanted) {
  return std::find(terms.begin(), terms.end(), wanted) != terms.end();
}

/// x <= 0 && x >= 0 is x == 0; and x <= 0 goes without saying where x == 0 is said.
Term conjunction(TermPool &pool, const std::vector<Term> &parts) {
  std::vector<Term> result;
  const auto add = [&](Term term) {
    if (!contains(result, term))
      result.push_back(term);
  };
  for (const Term &part : parts) {
    if (part.op() != Op::LessEqual) {
      add(part);
      continue;
    }
    const Term a = part.operand(0), b = part.operand(1);
    if (contains(parts, pool.equal(a, b)) || contains(parts, pool.equal(b, a)))
      continue;
    if (!contains(parts, pool.lessEqual(b, a)))
      add(part);
    else
      add(a.isConstant() ? pool.equal(b, a) : pool.equal(a, b));
  }
  return pool.conjunction(std::move(result));
}

/// What all cases say comes first.
Term disjunction(TermPool &pool, const std::vector<Term> &cases) {
  std::vector<std::vector<Term>> parts;
  for (const Term &one : cases)
    parts.push_back(conjunctsOf(one));
  std::vector<Term> common;
  for (const Term &part : parts.front())
    if (std::all_of(parts.begin(), parts.end(),
                    [&](const auto &other) { return contains(other, part); }))
      common.push_back(part);
  std::vector<Term> rests;
  for (auto &one : parts) {
    std::erase_if(one, [&](Term part) { return contains(common, part); });
    const Term rest = pool.conjunction(std::move(one));
    if (rest.isTrue())
      return conjunction(pool, common);
    if (!contains(rests, rest))
      rests.push_back(rest);
  }
  common.push_back(pool.disjunction(std::move(rests)));
  return conjunction(pool, common);
}

std::vector<Term> readableOperands(Term formula) {
  std::vector<Term> result;
  for (const Term &operand : formula.operands())
    for (const Term &part :
         formula.op() == Op::And ? conjunctsOf(readable(operand)) : std::vector{readable(operand)})
      result.push_back(part);
  return result;
}

/// The addends of a sum, those below zero apart and without their sign.
struct Addends {
  std::vector<Term> plus, minus;

  void add(Term term, bool negative) {
    TermPool &pool = term.pool();
    if (term.op() == Op::Add) {
      for (const Term &operand : term.operands())
        add(operand, negative);
      return;
    }
    constexpr int64_t least = std::numeric_limits<int64_t>::min();
    const bool hasFactor = term.isConstant() || term.op() == Op::Multiply;
    if (hasFactor && term.value() < 0 && term.value() != least) {
      term = term.isConstant()    ? pool.integer(-term.value())
             : term.value() == -1 ? term.operand(0)
                                  : pool.multiply(-term.value(), term.operand(0));
      negative = !negative;
    }
    if (!term.isConstant() || term.value() != 0)
      (negative ? minus : plus).push_back(term);
  }
};

/// a + b - c == 0 is c == a + b, and (b ? 1 : 0) == 1 is b.
Term equation(Term formula) {
  TermPool &pool = formula.pool();
  const Term a = formula.operand(0), b = formula.operand(1);
  if (a.op() == Op::Ite && b.isConstant() && a.operand(1).isConstant() &&
      a.operand(2).isConstant()) {
    const bool yes = a.operand(1) == b, no = a.operand(2) == b;
    if (yes == no)
      return pool.boolean(yes);
    return readable(yes ? a.operand(0) : pool.negate(a.operand(0)));
  }
  if (a.op() != Op::Add && b.op() != Op::Add)
    return formula;
  Addends addends;
  addends.add(a, false);
  addends.add(b, true);
  if (addends.minus.size() > addends.plus.size())
    std::swap(addends.plus, addends.minus);
  const auto sum = [&](std::vector<Term> &terms) {
    return terms.empty() ? pool.integer(0) : pool.sum(terms);
  };
  return addends.plus.size() > addends.minus.size()
             ? pool.equal(sum(addends.minus), sum(addends.plus))
             : pool.equal(sum(addends.plus), sum(addends.minus));
}

} // namespace

Term readable(Term formula) {
  TermPool &pool = formula.pool();
  switch (formula.op()) {
  case Op::And:
    return conjunction(pool, readableOperands(formula));
  case Op::Or:
    return disjunction(pool, readableOperands(formula));
  case Op::Not: {
    const Term inner = formula.operand(0);
    if (inner.op() == Op::Not)
      return readable(inner.operand(0));
    if (inner.op() != Op::And && inner.op() != Op::Or)
      return formula;
    std::vector<Term> negated;
    for (const Term &operand : inner.operands())
      negated.push_back(pool.negate(operand));
    return readable(inner.op() == Op::And ? pool.disjunction(std::move(negated))
                                          : pool.conjunction(std::move(negated)));
  }
  case Op::Equal:
    return equation(formula);
  default:
    return formula;
  }
}

} // namespace understudy::logic::smtlib
