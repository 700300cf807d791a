// SPDX-License-Identifier: Apache-2.0
#include "compose/tnet/Matcher.h"

#include <algorithm>
#include <set>

namespace understudy::compose::tnet {

Matcher::Matcher(const Pattern &pattern, const std::vector<Variable> &extra) {
  auto give = [this](Variable variable) {
    slots_.emplace(variable, static_cast<uint32_t>(slots_.size()));
  };
  for (Variable variable : pattern.pids)
    give(variable);
  for (Variable variable : pattern.data)
    give(variable);
  for (const Asked &asked : pattern.asked)
    give(asked.answer);
  for (Variable variable : extra)
    give(variable);
  values_.assign(slots_.size(), 0);
  plan(pattern);
}

exploration::Code Matcher::compiled(Term term) const {
  return {term, [this](Variable variable, bool) { return slots_.at(variable); }};
}

void Matcher::plan(const Pattern &pattern) {
  std::set<Variable> bound;
  std::vector<std::pair<uint32_t, uint32_t>> open; // fields that are expressions
  std::vector<Term> guards = logic::conjunctsOf(pattern.guard);
  std::vector<Asked> asked = pattern.asked;
  auto known = [&](Term term) {
    auto uses = logic::variablesOf(term);
    return std::all_of(uses.begin(), uses.end(),
                       [&](const logic::VariableUse &use) { return bound.contains(use.variable); });
  };
  auto askable = [&](ArcPlan *arc) {
    auto &codes = arc ? arc->guards : groundGuards_;
    std::erase_if(guards, [&](Term guard) {
      if (!known(guard))
        return false;
      codes.push_back(compiled(guard));
      return true;
    });
  };
  askable(nullptr);
  for (uint32_t a = 0; a < pattern.takes.size(); ++a) {
    const Arc &arc = pattern.takes[a];
    ArcPlan made{arc.place, {}, {}, {}, {}};
    for (uint32_t f = 0; f < arc.fields.size(); ++f) {
      const Term field = arc.fields[f];
      if (field.op() != logic::Op::Variable) {
        made.fields.push_back({});
        open.emplace_back(a, f);
        continue;
      }
      bool isNew = bound.insert(field.variable()).second;
      made.fields.push_back({isNew ? Use::Bind : Use::Compare, slots_.at(field.variable())});
    }
    std::erase_if(open, [&](const auto &at) {
      const Term field = pattern.takes[at.first].fields[at.second];
      if (!known(field))
        return false;
      made.checks.push_back({at.first, at.second, compiled(field)});
      return true;
    });
    std::erase_if(asked, [&](const Asked &one) {
      if (!bound.contains(one.first) || !bound.contains(one.second))
        return false;
      made.asked.push_back(
          {one.relation, slots_.at(one.first), slots_.at(one.second), slots_.at(one.answer)});
      bound.insert(one.answer);
      return true;
    });
    askable(&made);
    arcs_.push_back(std::move(made));
  }
}

void Matcher::run(const State &state, Budget &budget, const Found &found) {
  if (!hold(groundGuards_))
    return;
  taken_.clear();
  used_.assign(state.tokens().size(), false);
  take(state, 0, budget, found);
}

bool Matcher::hold(const std::vector<exploration::Code> &guards) {
  try {
    return std::all_of(guards.begin(), guards.end(), [this](const exploration::Code &guard) {
      return guard.run(values_.data(), arrays_) != 0;
    });
  } catch (const logic::Overflow &) {
    ++leftOut_;
    return false;
  }
}

bool Matcher::accepts(const State &state, const ArcPlan &plan) {
  try {
    for (const FieldCheck &check : plan.checks)
      if (state.fields(state.tokens()[taken_[check.arc]])[check.field] !=
          check.code.run(values_.data(), arrays_))
        return false;
  } catch (const logic::Overflow &) {
    ++leftOut_;
    return false;
  }
  for (const Question &asked : plan.asked)
    values_[asked.answer] = state.related(asked.relation, static_cast<Atom>(values_[asked.first]),
                                          static_cast<Atom>(values_[asked.second]));
  return hold(plan.guards);
}

bool Matcher::take(const State &state, size_t arc, Budget &budget, const Found &found) {
  if (arc == arcs_.size())
    return found(values_, taken_);
  const ArcPlan &plan = arcs_[arc];
  auto [first, last] = state.tokensOf(plan.place);
  for (uint32_t i = first; i < last; ++i) {
    constexpr uint64_t triesPerUnit = 64;
    if (++tries_ % triesPerUnit == 0)
      budget.work(1);
    if (used_[i])
      continue;
    auto fields = state.fields(state.tokens()[i]);
    // Equal tokens are interchangeable: the first that is left stands for them.
    if (i > first && !used_[i - 1]) {
      auto before = state.fields(state.tokens()[i - 1]);
      if (std::equal(fields.begin(), fields.end(), before.begin()))
        continue;
    }
    bool fits = true;
    for (size_t f = 0; f < fields.size() && fits; ++f) {
      const FieldPlan &field = plan.fields[f];
      if (field.use == Use::Bind)
        values_[field.slot] = fields[f];
      else if (field.use == Use::Compare)
        fits = values_[field.slot] == fields[f];
    }
    if (!fits)
      continue;
    used_[i] = true;
    taken_.push_back(i);
    bool goOn = !accepts(state, plan) || take(state, arc + 1, budget, found);
    taken_.pop_back();
    used_[i] = false;
    if (!goOn)
      return false;
  }
  return true;
}

} // namespace understudy::compose::tnet
