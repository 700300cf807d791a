// SPDX-License-Identifier: Apache-2.0
#include "logic/Substitute.h"

#include <unordered_map>

namespace understudy::logic {

namespace {

class Substituter {
public:
  explicit Substituter(const Substitution &substitution) : substitution_(substitution) {}

  Term apply(Term term) {
    if (auto found = done_.find(term); found != done_.end())
      return found->second;
    Term result = compute(term);
    done_.emplace(term, result);
    return result;
  }

private:
  const Substitution &substitution_;
  std::unordered_map<Term, Term> done_;

  Term compute(Term term) {
    if (term.op() == Op::Variable) {
      Term image = substitution_(term.variable(), term.primed());
      return image ? image : term;
    }
    if (term.operands().empty())
      return term;
    std::vector<Term> operands;
    for (const Term &t : term.operands())
      operands.push_back(apply(t));
    return term.pool().rebuild(term, std::move(operands));
  }
};

/// definedness(a && b) = definedness(a) && (a => definedness(b)), and so on.
Term definednessOfChain(Term term, size_t from) {
  TermPool &pool = term.pool();
  Term here = definedness(term.operand(from));
  if (from + 1 == term.operands().size())
    return here;
  Term rest = definednessOfChain(term, from + 1);
  if (rest.isTrue())
    return here;
  Term reached = term.op() == Op::And ? pool.negate(term.operand(from)) : term.operand(from);
  return pool.conjunction({here, pool.disjunction({reached, rest})});
}

Term indexInRange(Term array, Term index) {
  TermPool &pool = array.pool();
  auto size = array.sort().arraySize();
  if (!size || (index.isConstant() && 0 <= index.value() && index.value() < *size))
    return pool.boolean(true);
  return pool.conjunction(
      {pool.lessEqual(pool.integer(0), index), pool.less(index, pool.integer(*size))});
}

} // namespace

Term substitute(Term term, const Substitution &substitution) {
  return Substituter(substitution).apply(term);
}

Term prime(Term term) {
  return substitute(term, [&](Variable v, bool) { return term.pool().primed(v); });
}

Term definedness(Term term) {
  TermPool &pool = term.pool();
  switch (term.op()) {
  case Op::And:
  case Op::Or:
    return definednessOfChain(term, 0);
  case Op::Implies: {
    Term right = definedness(term.operand(1));
    Term left = definedness(term.operand(0));
    return right.isTrue() ? left : pool.conjunction({left, pool.implies(term.operand(0), right)});
  }
  case Op::Ite: {
    Term yes = definedness(term.operand(1));
    Term no = definedness(term.operand(2));
    std::vector<Term> parts{definedness(term.operand(0))};
    if (!yes.isTrue())
      parts.push_back(pool.implies(term.operand(0), yes));
    if (!no.isTrue())
      parts.push_back(pool.disjunction({term.operand(0), no}));
    return pool.conjunction(std::move(parts));
  }
  default: {
    std::vector<Term> parts;
    for (const Term &t : term.operands())
      parts.push_back(definedness(t));
    if (term.op() == Op::Select || term.op() == Op::Store)
      parts.push_back(indexInRange(term.operand(0), term.operand(1)));
    return pool.conjunction(std::move(parts));
  }
  }
}

} // namespace understudy::logic
