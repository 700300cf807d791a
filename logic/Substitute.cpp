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

Term indexInRange(Term array, Term index) {
  TermPool &pool = array.pool();
  auto size = array.sort().arraySize();
  if (!size || (index.isConstant() && 0 <= index.value() && index.value() < *size))
    return pool.boolean(true);
  return pool.conjunction(
      {pool.lessEqual(pool.integer(0), index), pool.less(index, pool.integer(*size))});
}

class Definedness {
public:
  explicit Definedness(TermPool &pool) : pool_(pool) {}

  Term of(Term term) {
    if (auto found = done_.find(term); found != done_.end())
      return found->second;
    Term result = compute(term);
    done_.emplace(term, result);
    return result;
  }

private:
  TermPool &pool_;
  std::unordered_map<Term, Term> done_;

  Term compute(Term term) {
    switch (term.op()) {
    case Op::And:
    case Op::Or:
      return ofChain(term);
    case Op::Implies: {
      Term right = of(term.operand(1));
      Term left = of(term.operand(0));
      return right.isTrue() ? left
                            : pool_.conjunction({left, pool_.implies(term.operand(0), right)});
    }
    case Op::Ite: {
      Term yes = of(term.operand(1));
      Term no = of(term.operand(2));
      std::vector<Term> parts{of(term.operand(0))};
      if (!yes.isTrue())
        parts.push_back(pool_.implies(term.operand(0), yes));
      if (!no.isTrue())
        parts.push_back(pool_.disjunction({term.operand(0), no}));
      return pool_.conjunction(std::move(parts));
    }
    default: {
      std::vector<Term> parts;
      for (const Term &t : term.operands())
        parts.push_back(of(t));
      if (term.op() == Op::Select || term.op() == Op::Store)
        parts.push_back(indexInRange(term.operand(0), term.operand(1)));
      return pool_.conjunction(std::move(parts));
    }
    }
  }

  /// definedness(a && b) = definedness(a) && (!a || definedness(b)), and so on. Operands before
  /// which nothing can go wrong only lengthen the disjunction: a chain may have a million of them.
  Term ofChain(Term term) {
    Term rest = pool_.boolean(true);
    std::vector<Term> stops; // any of these ends the evaluation before `rest`; last one first
    auto guarded = [&] {
      std::vector<Term> cases(stops.rbegin(), stops.rend());
      cases.push_back(rest);
      stops.clear();
      return rest.isTrue() ? rest : pool_.disjunction(std::move(cases));
    };
    for (size_t i = term.operands().size(); i-- > 0;) {
      Term operand = term.operand(i);
      Term here = of(operand);
      if (!rest.isTrue())
        stops.push_back(term.op() == Op::And ? pool_.negate(operand) : operand);
      if (!here.isTrue())
        rest = pool_.conjunction({here, guarded()});
    }
    return guarded();
  }
};

} // namespace

Term substitute(Term term, const Substitution &substitution) {
  return Substituter(substitution).apply(term);
}

Term prime(Term term) {
  return substitute(term, [&](Variable v, bool) { return term.pool().primed(v); });
}

Term definedness(Term term) { return Definedness(term.pool()).of(term); }

} // namespace understudy::logic
