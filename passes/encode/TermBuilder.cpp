// SPDX-License-Identifier: Apache-2.0
#include "passes/encode/TermBuilder.h"

#include "logic/Error.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>

namespace understudy::passes::encode {

using logic::Op;

namespace {

constexpr int64_t least = std::numeric_limits<int64_t>::min();
constexpr int64_t greatest = std::numeric_limits<int64_t>::max();
/// How far a comparison with a constant looks into nested choices.
constexpr int maxDepth = 6;
/// Sums of this length are multiplied summand by summand.
constexpr size_t maxDistributed = 4;

bool fits(Wide value) { return least <= value && value <= greatest; }
int64_t clamped(Wide value) {
  return static_cast<int64_t>(std::clamp<Wide>(value, least, greatest));
}

bool isComplement(Term a, Term b) {
  return (a.op() == Op::Not && a.operand(0) == b) || (b.op() == Op::Not && b.operand(0) == a) ||
         (a.op() == Op::Less && b.op() == Op::LessEqual && a.operand(0) == b.operand(1) &&
          a.operand(1) == b.operand(0)) ||
         (b.op() == Op::Less && a.op() == Op::LessEqual && b.operand(0) == a.operand(1) &&
          b.operand(1) == a.operand(0));
}

bool isNumber(Term t) { return t.isConstant() && t.sort().isInteger(); }

} // namespace

Term TermBuilder::integer(Wide value) {
  if (fits(value))
    return pool_.integer(static_cast<int64_t>(value));
  constexpr int64_t unit = int64_t{1} << 62;
  Wide high = value >> 62;
  if (!fits(high))
    throw logic::Unsupported("a number of more than 124 bits is not supported");
  Wide low = value - high * unit;
  Term term = pool_.multiply(unit, pool_.integer(static_cast<int64_t>(high)));
  return low == 0 ? term : pool_.sum({term, pool_.integer(static_cast<int64_t>(low))});
}

Term TermBuilder::negate(Term a) {
  switch (a.op()) {
  case Op::Constant:
    return boolean(a.value() == 0);
  case Op::Not:
    return a.operand(0);
  case Op::Less:
    return pool_.lessEqual(a.operand(1), a.operand(0));
  case Op::LessEqual:
    return pool_.less(a.operand(1), a.operand(0));
  default:
    return pool_.negate(a);
  }
}

/// The operands of both, each once: the pool flattens, and what is merged again and again (as
/// around a cycle of silent moves) would double every time.
std::vector<Term> TermBuilder::united(Term a, Term b, logic::Op op) {
  std::vector<Term> parts;
  std::unordered_set<Term> seen;
  auto take = [&](Term part) {
    if (seen.insert(part).second)
      parts.push_back(part);
  };
  for (Term side : {a, b}) {
    if (side.op() != op)
      take(side);
    else
      for (Term part : side.operands())
        take(part);
  }
  return parts;
}

Term TermBuilder::both(Term a, Term b) {
  if (a.isFalse() || b.isFalse() || isComplement(a, b))
    return boolean(false);
  if (a.isTrue() || a == b)
    return b;
  return b.isTrue() ? a : pool_.conjunction(united(a, b, Op::And));
}

Term TermBuilder::either(Term a, Term b) {
  if (a.isTrue() || b.isTrue() || isComplement(a, b))
    return boolean(true);
  if (a.isFalse() || a == b)
    return b;
  return b.isFalse() ? a : pool_.disjunction(united(a, b, Op::Or));
}

Term TermBuilder::ite(Term condition, Term yes, Term no) {
  if (condition.isConstant())
    return condition.value() != 0 ? yes : no;
  if (condition.op() == Op::Not)
    return ite(condition.operand(0), no, yes);
  if (yes.op() == Op::Ite && yes.operand(0) == condition)
    yes = yes.operand(1);
  if (no.op() == Op::Ite && no.operand(0) == condition)
    no = no.operand(2);
  if (yes == no)
    return yes;
  if (!yes.sort().isBool())
    return pool_.ite(condition, yes, no);
  if (yes.isConstant() || yes == condition)
    return yes.isFalse() ? both(negate(condition), no) : either(condition, no);
  if (no.isConstant() || no == condition)
    return no.isTrue() ? either(negate(condition), yes) : both(condition, yes);
  return isComplement(yes, no) ? equal(condition, yes) : pool_.ite(condition, yes, no);
}

Term TermBuilder::conclude(Relation relation, Term a, int64_t constant) {
  switch (relation) {
  case Relation::Equal:
    return pool_.equal(a, pool_.integer(constant));
  case Relation::Less:
    return pool_.less(a, pool_.integer(constant));
  case Relation::Greater:
    return pool_.less(pool_.integer(constant), a);
  }
  throw std::logic_error("unknown relation");
}

/// Goes through choices with a constant branch and sums with a constant.
Term TermBuilder::compare(Relation relation, Term a, int64_t constant, int depth) {
  if (isNumber(a)) {
    int64_t v = a.value();
    return boolean(relation == Relation::Equal  ? v == constant
                   : relation == Relation::Less ? v < constant
                                                : v > constant);
  }
  if (depth < maxDepth && a.op() == Op::Ite && (isNumber(a.operand(1)) || isNumber(a.operand(2))))
    return ite(a.operand(0), compare(relation, a.operand(1), constant, depth + 1),
               compare(relation, a.operand(2), constant, depth + 1));
  if (a.op() == Op::Add && isNumber(a.operands().back())) {
    Wide rest = Wide{constant} - a.operands().back().value();
    if (fits(rest)) {
      auto operands = a.operands().first(a.operands().size() - 1);
      Term shorter = pool_.sum({operands.begin(), operands.end()});
      return compare(relation, shorter, static_cast<int64_t>(rest), depth);
    }
  }
  return conclude(relation, a, constant);
}

Term TermBuilder::equal(Term a, Term b) {
  if (a == b)
    return boolean(true);
  if (a.isConstant() && b.isConstant())
    return boolean(a.value() == b.value());
  if (a.isConstant())
    std::swap(a, b);
  if (isNumber(b))
    return compare(Relation::Equal, a, b.value(), 0);
  if (!a.sort().isBool())
    return pool_.equal(a, b);
  if (b.isConstant())
    return b.isTrue() ? a : negate(a);
  return isComplement(a, b) ? boolean(false) : pool_.equal(a, b);
}

Term TermBuilder::less(Term a, Term b) {
  if (a == b)
    return boolean(false);
  if (isNumber(b))
    return compare(Relation::Less, a, b.value(), 0);
  if (isNumber(a))
    return compare(Relation::Greater, b, a.value(), 0);
  return pool_.less(a, b);
}

Term TermBuilder::atMost(Term a, Wide bound) {
  int64_t near = clamped(bound);
  return lessEqual(add(a, near - bound), pool_.integer(near));
}

Term TermBuilder::atLeast(Term a, Wide bound) {
  int64_t near = clamped(bound);
  return lessEqual(pool_.integer(near), add(a, near - bound));
}

/// Like summands are collected: otherwise repeated doubling would grow without bound.
Term TermBuilder::add(Term a, Term b) {
  std::vector<std::pair<Term, Wide>> summands;
  std::unordered_map<Term, size_t> positions;
  Wide constant = 0;
  for (Term t : {a, b})
    for (Term part : t.op() == Op::Add ? t.operands() : std::span<const Term>(&t, 1)) {
      if (isNumber(part)) {
        constant += part.value();
        continue;
      }
      bool scaled = part.op() == Op::Multiply;
      Term atom = scaled ? part.operand(0) : part;
      auto [known, isNew] = positions.emplace(atom, summands.size());
      if (isNew)
        summands.emplace_back(atom, 0);
      summands[known->second].second += scaled ? part.value() : 1;
    }
  std::vector<Term> operands;
  for (const auto &[atom, factor] : summands)
    if (factor != 0)
      operands.push_back(multiply(factor, atom));
  while (constant != 0 || operands.empty()) {
    int64_t piece = clamped(constant);
    operands.push_back(pool_.integer(piece));
    constant -= piece;
  }
  return pool_.sum(std::move(operands));
}

Term TermBuilder::add(Term a, Wide constant) {
  if (constant == 0)
    return a;
  // A sum of two or three numbers can be evaluated where it matters; a product cannot.
  if (constant / 4 >= least && constant / 4 <= greatest) {
    while (constant != 0) {
      int64_t piece = clamped(constant);
      a = add(a, pool_.integer(piece));
      constant -= piece;
    }
    return a;
  }
  return add(a, integer(constant));
}

Term TermBuilder::multiply(Wide factor, Term a) {
  if (factor == 0)
    return pool_.integer(0);
  if (factor == 1)
    return a;
  if (isNumber(a) || a.op() == Op::Multiply) {
    Wide product = 0;
    if (!__builtin_mul_overflow(factor, Wide{a.value()}, &product) && fits(product))
      return isNumber(a) ? pool_.integer(static_cast<int64_t>(product))
                         : multiply(product, a.operand(0));
  }
  if (a.op() == Op::Ite && isNumber(a.operand(1)) && isNumber(a.operand(2)))
    return ite(a.operand(0), multiply(factor, a.operand(1)), multiply(factor, a.operand(2)));
  if (a.op() == Op::Add && a.operands().size() <= maxDistributed) {
    Term total = pool_.integer(0);
    for (Term part : a.operands())
      total = add(total, multiply(factor, part));
    return total;
  }
  if (fits(factor))
    return pool_.multiply(static_cast<int64_t>(factor), a);
  Wide high = factor >> 62;
  Wide low = factor - high * (Wide{1} << 62);
  if (!fits(high))
    throw logic::Unsupported("a number of more than 124 bits is not supported");
  Term rest = low == 0 ? pool_.integer(0) : pool_.multiply(static_cast<int64_t>(low), a);
  return pool_.sum(
      {pool_.multiply(static_cast<int64_t>(high), pool_.multiply(int64_t{1} << 62, a)), rest});
}

Term TermBuilder::divide(Term a, Wide divisor) {
  if (divisor == 1)
    return a;
  if (!fits(divisor)) {
    constexpr Wide half = Wide{1} << 32;
    return divide(divide(a, half), divisor / half);
  }
  if (isNumber(a))
    return pool_.integer(a.value() / static_cast<int64_t>(divisor));
  return pool_.divide(a, static_cast<int64_t>(divisor));
}

Term TermBuilder::remainder(Term a, Wide divisor) {
  if (divisor == 1)
    return pool_.integer(0);
  if (!fits(divisor))
    return add(a, multiply(-divisor, divide(a, divisor)));
  if (isNumber(a))
    return pool_.integer(a.value() % static_cast<int64_t>(divisor));
  return pool_.remainder(a, static_cast<int64_t>(divisor));
}

} // namespace understudy::passes::encode
