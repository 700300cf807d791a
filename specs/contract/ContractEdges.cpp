// SPDX-License-Identifier: Apache-2.0
#include "specs/contract/ContractEdges.h"

#include "logic/Substitute.h"
#include "specs/check/CheckExpr.h"
#include "specs/check/Unit.h"

#include <algorithm>

namespace understudy::specs::contract {

using logic::Op;
using logic::Sort;
using logic::Term;
using logic::TermPool;
using logic::Variable;

namespace {

/// x' or a'[i]: what an update changes.
std::optional<Update> asTarget(Term term) {
  if (term.op() == Op::Variable && term.primed())
    return Update{term.variable(), {}, {}};
  if (term.op() == Op::Select && term.operand(0).op() == Op::Variable && term.operand(0).primed())
    return Update{term.operand(0).variable(), term.operand(1), {}};
  return std::nullopt;
}

std::vector<Term> indicesOf(Term term, Variable array) {
  std::vector<Term> result;
  std::set<Term> seen;
  std::vector<Term> work{term};
  while (!work.empty()) {
    Term t = work.back();
    work.pop_back();
    if (!t.hasPrimes() || !seen.insert(t).second)
      continue;
    if (auto target = asTarget(t); target && t.op() == Op::Select && target->target == array)
      result.push_back(target->index);
    work.insert(work.end(), t.operands().begin(), t.operands().end());
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

class Relation {
public:
  Relation(TermPool &pool, const std::vector<Term> &conjuncts, const std::set<Variable> &havocs,
           const std::function<bool(Variable)> &isGhost)
      : pool_(pool), conjuncts_(conjuncts), havocs_(havocs), isGhost_(isGhost) {}

  EdgeRelation build() {
    Term total = pool_.conjunction(conjuncts_);
    EdgeRelation result;
    result.modified = check::primedIn(total);
    result.undefined = check::complement(logic::definedness(total));
    result.ghostOutOfRange = ghostFailure();
    result.modified.insert(havocs_.begin(), havocs_.end());
    parts_.push_back(logic::definedness(total));
    std::vector<Term> rest = conjuncts_;
    for (Variable v : result.modified)
      if (v.sort().isArray() && !havocs_.contains(v))
        changeArray(v, rest);
    parts_.insert(parts_.end(), rest.begin(), rest.end());
    parts_.insert(parts_.end(), frames_.begin(), frames_.end());
    for (Variable v : result.modified)
      keepRange(v);
    result.relation = check::allOf(pool_, std::move(parts_));
    return result;
  }

private:
  TermPool &pool_;
  const std::vector<Term> &conjuncts_;
  const std::set<Variable> &havocs_;
  const std::function<bool(Variable)> &isGhost_;
  std::vector<Term> parts_;
  std::vector<Term> frames_;

  /// Replaces the conjuncts a'[e] == v by a' == a[e := v] if that is all they say of a; otherwise
  /// leaves them and adds that the elements they do not name keep their values.
  void changeArray(Variable array, std::vector<Term> &rest) {
    std::vector<Update> updates;
    std::vector<Term> others;
    for (const Term &conjunct : rest) {
      auto update = asUpdate(conjunct);
      if (update && update->target == array)
        updates.push_back(*update);
      else
        others.push_back(conjunct);
    }
    if (check::primedIn(pool_.conjunction(others)).contains(array)) {
      keepOtherElements(array, pool_.conjunction(rest));
      return;
    }
    rest = std::move(others);
    Term value = pool_.var(array);
    for (size_t i = 0; i < updates.size(); ++i) {
      value = pool_.store(value, updates[i].index, updates[i].value);
      for (size_t j = 0; j < i; ++j)
        agree(updates[j], updates[i]);
      if (!check::provablyInSort(updates[i].value, array.sort().element()))
        frames_.push_back(pool_.inSort(updates[i].value, array.sort().element()));
    }
    frames_.insert(frames_.begin(), pool_.equal(pool_.primed(array), value));
  }

  /// Two updates of one element give it the same value.
  void agree(const Update &a, const Update &b) {
    bool apart = a.index.isConstant() && b.index.isConstant() && a.index != b.index;
    if (!apart && a.value != b.value)
      frames_.push_back(
          pool_.implies(pool_.equal(a.index, b.index), pool_.equal(a.value, b.value)));
  }

  void keepOtherElements(Variable array, Term formula) {
    std::vector<Term> indices = indicesOf(formula, array);
    Sort element = array.sort().element();
    for (int64_t k = 0; k < array.sort().arraySize().value_or(0); ++k) {
      Term position = pool_.integer(k);
      Term after = pool_.select(pool_.primed(array), position);
      bool named = std::find(indices.begin(), indices.end(), position) != indices.end();
      std::vector<Term> cases;
      for (const Term &index : indices)
        if (!index.isConstant())
          cases.push_back(pool_.equal(index, position));
      cases.push_back(pool_.equal(after, pool_.select(pool_.var(array), position)));
      if (!named)
        frames_.push_back(pool_.disjunction(std::move(cases)));
      if (named || indices.size() > 0)
        frames_.push_back(pool_.inSort(after, element));
    }
  }

  void keepRange(Variable variable) {
    Sort sort = variable.sort();
    if (sort.isArray()) {
      if (havocs_.contains(variable))
        parts_.push_back(check::anyValue(pool_, variable));
      return;
    }
    for (const Term &conjunct : conjuncts_)
      if (auto update = asUpdate(conjunct); update && update->target == variable) {
        if (check::provablyInSort(update->value, sort))
          return;
        if (isGhost_(variable)) {
          parts_.push_back(pool_.inSort(update->value, sort));
          return;
        }
      }
    parts_.push_back(pool_.inSort(pool_.primed(variable), sort));
  }

  Term ghostFailure() {
    std::vector<Term> outside;
    std::vector<Term> enabled{logic::definedness(pool_.conjunction(conjuncts_))};
    for (const Term &conjunct : conjuncts_) {
      auto update = asUpdate(conjunct);
      if (!update || !isGhost_(update->target)) {
        enabled.push_back(conjunct);
        continue;
      }
      Sort sort = update->target.sort();
      if (sort.isArray())
        sort = sort.element();
      if (!check::provablyInSort(update->value, sort))
        outside.push_back(check::complement(pool_.inSort(update->value, sort)));
    }
    if (outside.empty())
      return pool_.boolean(false);
    enabled.push_back(pool_.disjunction(std::move(outside)));
    return check::allOf(pool_, std::move(enabled));
  }
};

enum class Polarity { Positive, Negative };

Polarity opposite(Polarity p) {
  return p == Polarity::Positive ? Polarity::Negative : Polarity::Positive;
}

using Variables = std::set<Variable>;

Variables common(const Variables &a, const Variables &b) {
  Variables result;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                        std::inserter(result, result.end()));
  return result;
}

Variables constrained(Term term, Polarity polarity);

/// `all`: every operand holds (their sets add up); otherwise some operand does.
Variables ofOperands(Term term, Polarity polarity) {
  bool all = (term.op() == Op::And) == (polarity == Polarity::Positive);
  Variables result = constrained(term.operand(0), polarity);
  for (const Term &t : term.operands().subspan(1)) {
    Variables next = constrained(t, polarity);
    if (all)
      result.merge(next);
    else
      result = common(result, next);
  }
  return result;
}

Variables constrained(Term term, Polarity polarity) {
  if (!term.hasPrimes())
    return {};
  switch (term.op()) {
  case Op::Not:
    return constrained(term.operand(0), opposite(polarity));
  case Op::And:
  case Op::Or:
    return ofOperands(term, polarity);
  case Op::Implies: {
    Variables left = constrained(term.operand(0), opposite(polarity));
    Variables right = constrained(term.operand(1), polarity);
    if (polarity == Polarity::Positive)
      return common(left, right);
    left.merge(right);
    return left;
  }
  case Op::Ite: {
    Variables yes = constrained(term.operand(0), Polarity::Positive);
    Variables no = constrained(term.operand(0), Polarity::Negative);
    yes.merge(constrained(term.operand(1), polarity));
    no.merge(constrained(term.operand(2), polarity));
    return common(yes, no);
  }
  default:
    return check::primedIn(term);
  }
}

} // namespace

std::optional<Update> asUpdate(Term conjunct) {
  TermPool &pool = conjunct.pool();
  if (conjunct.op() == Op::Equal) {
    for (size_t side : {0u, 1u}) {
      auto update = asTarget(conjunct.operand(side));
      if (!update || conjunct.operand(1 - side).hasPrimes())
        continue;
      update->value = conjunct.operand(1 - side);
      return update;
    }
    return std::nullopt;
  }
  bool negated = conjunct.op() == Op::Not;
  auto update = asTarget(negated ? conjunct.operand(0) : conjunct);
  if (update)
    update->value = pool.boolean(!negated);
  return update;
}

EdgeRelation relate(TermPool &pool, const std::vector<Term> &conjuncts,
                    const std::set<Variable> &havocs,
                    const std::function<bool(Variable)> &isGhost) {
  return Relation(pool, conjuncts, havocs, isGhost).build();
}

std::set<Variable> constrainedAfter(Term formula) {
  return constrained(formula, Polarity::Positive);
}

} // namespace understudy::specs::contract
