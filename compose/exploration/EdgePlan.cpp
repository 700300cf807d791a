// SPDX-License-Identifier: Apache-2.0
//
// Planning an edge. Greedy: whatever can be checked is checked at once; an unknown with an equation
// over known things is assigned; else a disjunction, implication or conditional that mentions an
// unknown of infinite sort is split into alternatives; else the finite unknown with the fewest
// values is enumerated; else the alternative is stuck, which matters only if its checks pass.
//
// Correctness: an alternative's conjuncts are either used as an equation (exactly what the
// assignment makes true) or checked once all their unknowns have values, and the alternatives of a
// split are together equivalent to the formula.
#include "compose/exploration/EdgePlan.h"

#include "compose/Solutions.h"
#include "logic/Error.h"

#include <algorithm>
#include <set>

namespace understudy::compose::exploration {

using logic::Op;
using logic::Sort;
using logic::Term;
using logic::TermPool;
using logic::VariableUse;

class EdgePlan::Builder {
public:
  Builder(const SlotOf &slotOf, std::vector<Alternative> &out) : slotOf_(slotOf), out_(out) {}

  void build(std::vector<Term> conjuncts, std::set<VariableUse> open, Alternative actions) {
    for (;;) {
      checkWhatCanBe(conjuncts, open, actions);
      if (open.empty()) {
        out_.push_back(std::move(actions));
        return;
      }
      if (assignOne(conjuncts, open, actions))
        continue;
      if (hasInfinite(open) && split(conjuncts, open, actions))
        return;
      if (enumerateOne(open, actions))
        continue;
      Action stuck;
      stuck.kind = Action::Kind::Stuck;
      stuck.open = openText(open.begin()->variable);
      actions.push_back(std::move(stuck));
      out_.push_back(std::move(actions));
      return;
    }
  }

private:
  static constexpr size_t maxAlternatives = 1024;
  static constexpr size_t maxEnumerated = 1u << 16;
  const SlotOf &slotOf_;
  std::vector<Alternative> &out_;

  static bool known(Term term, const std::set<VariableUse> &open) {
    for (const VariableUse &use : logic::variablesOf(term))
      if (open.contains(use))
        return false;
    return true;
  }

  void checkWhatCanBe(std::vector<Term> &conjuncts, const std::set<VariableUse> &open,
                      Alternative &actions) const {
    std::erase_if(conjuncts, [&](const Term &t) {
      if (!known(t, open))
        return false;
      if (!t.isTrue()) {
        Action check;
        check.code = Code(t, slotOf_);
        actions.push_back(std::move(check));
      }
      return true;
    });
  }

  /// `t` as an equation for an open unknown: the unknown and its value.
  static std::optional<std::pair<VariableUse, Term>> equation(Term t,
                                                              const std::set<VariableUse> &open) {
    auto openVariable = [&](Term side) {
      return side.op() == Op::Variable && open.contains({side.variable(), side.primed()});
    };
    TermPool &pool = t.pool();
    if (openVariable(t))
      return std::pair{VariableUse{t.variable(), t.primed()}, pool.boolean(true)};
    if (t.op() == Op::Not && openVariable(t.operand(0)))
      return std::pair{VariableUse{t.operand(0).variable(), t.operand(0).primed()},
                       pool.boolean(false)};
    if (t.op() != Op::Equal)
      return std::nullopt;
    for (size_t side : {0u, 1u})
      if (openVariable(t.operand(side)) && known(t.operand(1 - side), open))
        return std::pair{VariableUse{t.operand(side).variable(), t.operand(side).primed()},
                         t.operand(1 - side)};
    return std::nullopt;
  }

  bool assignOne(std::vector<Term> &conjuncts, std::set<VariableUse> &open,
                 Alternative &actions) const {
    for (size_t i = 0; i < conjuncts.size(); ++i)
      if (auto found = equation(conjuncts[i], open)) {
        Action assign;
        assign.kind = Action::Kind::Assign;
        assign.code = Code(found->second, slotOf_);
        assign.slot = slotOf_(found->first.variable, found->first.primed);
        assign.sort = found->first.variable.sort();
        actions.push_back(std::move(assign));
        open.erase(found->first);
        conjuncts.erase(conjuncts.begin() + static_cast<std::ptrdiff_t>(i));
        return true;
      }
    return false;
  }

  static bool isInfinite(const VariableUse &use) {
    return !logic::allValues(use.variable.sort(), maxEnumerated);
  }

  static bool hasInfinite(const std::set<VariableUse> &open) {
    return std::any_of(open.begin(), open.end(), isInfinite);
  }

  /// The cases of a formula that is not a literal; empty if it has none.
  static std::vector<Term> cases(Term t) {
    TermPool &pool = t.pool();
    switch (t.op()) {
    case Op::Or:
      return {t.operands().begin(), t.operands().end()};
    case Op::Implies:
      return {pool.negate(t.operand(0)), t.operand(1)};
    case Op::Ite:
      return {pool.conjunction({t.operand(0), t.operand(1)}),
              pool.conjunction({pool.negate(t.operand(0)), t.operand(2)})};
    case Op::Equal:
      return equationCases(t);
    case Op::Not:
      return negatedCases(t.operand(0));
    default:
      return {};
    }
  }

  /// x == (c ? a : b) with the unknowns in a or b, or b == c between formulas.
  static std::vector<Term> equationCases(Term t) {
    TermPool &pool = t.pool();
    for (size_t side : {0u, 1u}) {
      Term chosen = t.operand(side);
      Term other = t.operand(1 - side);
      if (chosen.op() == Op::Ite)
        return {pool.conjunction({chosen.operand(0), pool.equal(other, chosen.operand(1))}),
                pool.conjunction(
                    {pool.negate(chosen.operand(0)), pool.equal(other, chosen.operand(2))})};
    }
    if (!t.operand(0).sort().isBool())
      return {};
    return {pool.conjunction({t.operand(0), t.operand(1)}),
            pool.conjunction({pool.negate(t.operand(0)), pool.negate(t.operand(1))})};
  }

  static std::vector<Term> negatedCases(Term t) {
    TermPool &pool = t.pool();
    std::vector<Term> negated;
    switch (t.op()) {
    case Op::Not:
      return {t.operand(0)};
    case Op::And:
      for (const Term &operand : t.operands())
        negated.push_back(pool.negate(operand));
      return negated;
    case Op::Or:
      for (const Term &operand : t.operands())
        negated.push_back(pool.negate(operand));
      return {pool.conjunction(std::move(negated))};
    case Op::Implies:
      return {pool.conjunction({t.operand(0), pool.negate(t.operand(1))})};
    case Op::Ite:
      return {pool.conjunction({t.operand(0), pool.negate(t.operand(1))}),
              pool.conjunction({pool.negate(t.operand(0)), pool.negate(t.operand(2))})};
    default:
      return {};
    }
  }

  /// Splits a conjunct that mentions an infinite unknown. The alternatives are built recursively.
  bool split(const std::vector<Term> &conjuncts, const std::set<VariableUse> &open,
             const Alternative &actions) {
    for (size_t i = 0; i < conjuncts.size(); ++i) {
      auto uses = logic::variablesOf(conjuncts[i]);
      bool relevant = std::any_of(uses.begin(), uses.end(), [&](const VariableUse &use) {
        return open.contains(use) && isInfinite(use);
      });
      if (!relevant)
        continue;
      std::vector<Term> branches = cases(conjuncts[i]);
      if (branches.empty() || out_.size() + branches.size() > maxAlternatives)
        continue;
      for (const Term &branch : branches) {
        std::vector<Term> rest = conjuncts;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        for (const Term &part : logic::conjunctsOf(branch))
          rest.push_back(part);
        build(std::move(rest), open, actions);
      }
      return true;
    }
    return false;
  }

  bool enumerateOne(std::set<VariableUse> &open, Alternative &actions) const {
    const VariableUse *best = nullptr;
    std::vector<logic::Value> fewest;
    for (const VariableUse &use : open)
      if (auto values = logic::allValues(use.variable.sort(), maxEnumerated);
          values && (!best || values->size() < fewest.size())) {
        best = &use;
        fewest = std::move(*values);
      }
    if (!best)
      return false;
    Action enumerate;
    enumerate.kind = Action::Kind::Enumerate;
    enumerate.slot = slotOf_(best->variable, best->primed);
    enumerate.sort = best->variable.sort();
    enumerate.values = std::move(fewest);
    actions.push_back(std::move(enumerate));
    open.erase(VariableUse(*best));
    return true;
  }
};

EdgePlan::EdgePlan(Term formula, const std::vector<VariableUse> &unknowns, const SlotOf &slotOf) {
  Builder(slotOf, alternatives_)
      .build(logic::conjunctsOf(formula), {unknowns.begin(), unknowns.end()}, {});
}

void EdgePlan::run(int64_t *slots, ArrayTable &arrays, const std::function<void()> &found) const {
  for (const Alternative &alternative : alternatives_)
    runFrom(alternative, 0, slots, arrays, found);
}

void EdgePlan::runFrom(const Alternative &alternative, size_t at, int64_t *slots,
                       ArrayTable &arrays, const std::function<void()> &found) {
  for (; at < alternative.size(); ++at) {
    const Action &action = alternative[at];
    switch (action.kind) {
    case Action::Kind::Check:
      if (action.code.run(slots, arrays) == 0)
        return;
      break;
    case Action::Kind::Assign: {
      int64_t value = action.code.run(slots, arrays);
      bool bounded = action.sort.kind() != logic::SortKind::Int && !action.sort.isBool();
      if (bounded && !inSort(arrays.fromSlot(value, action.sort), action.sort))
        return;
      slots[action.slot] = value;
      break;
    }
    case Action::Kind::Enumerate:
      for (const logic::Value &value : action.values) {
        slots[action.slot] = arrays.toSlot(value);
        runFrom(alternative, at + 1, slots, arrays, found);
      }
      return;
    case Action::Kind::Stuck:
      throw logic::Unsupported(action.open);
    }
  }
  found();
}

} // namespace understudy::compose::exploration
