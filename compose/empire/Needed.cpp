// SPDX-License-Identifier: Apache-2.0
//
// Problem: automata keep every predicate that holds, so laws change with every step, although most
// of what changes matters to nobody. Idea: the paper's focus (section 6) at the grain of single
// predicates, and before the empire is built. Invariant: what is needed in a configuration proves
// each of its impossible transitions, and proves what is needed after each of the others.
#include "compose/empire/Needed.h"

#include "logic/Error.h"
#include "logic/Substitute.h"

#include <algorithm>

namespace understudy::compose::empire {

using logic::solver::Satisfiability;

namespace {

constexpr uint64_t coreResources = 20'000'000;

size_t beyond(const Law &law, const Law &known) {
  return static_cast<size_t>(std::count_if(law.begin(), law.end(), [&](PredicateId p) {
    return !std::binary_search(known.begin(), known.end(), p);
  }));
}

} // namespace

Cores::Cores(const std::vector<const petri::Label *> &labels, const std::vector<Term> &predicates,
             logic::TermPool &pool, Budget &budget)
    : labels_(labels), predicates_(predicates), pool_(pool), budget_(budget),
      solver_(pool, budget.limits(coreResources)) {
  for (const Term &predicate : predicates) {
    variables_.emplace_back();
    for (const logic::VariableUse &use : logic::variablesOf(predicate))
      variables_.back().push_back(use.variable);
  }
}

bool Cores::affects(TransitionId transition, PredicateId predicate) const {
  const auto &modified = labels_[transition]->modified;
  return std::any_of(variables_[predicate].begin(), variables_[predicate].end(), [&](Variable v) {
    return std::binary_search(modified.begin(), modified.end(), v);
  });
}

std::optional<Law> Cores::core(const Law &law, TransitionId transition,
                               std::optional<PredicateId> goal, const Law &known) {
  if (goal && !affects(transition, *goal) && std::binary_search(law.begin(), law.end(), *goal))
    return Law{*goal};
  const Question question{transition, goal};
  const Law *best = nullptr;
  for (const Law &found : known_[question])
    if (std::includes(law.begin(), law.end(), found.begin(), found.end()) &&
        (!best || beyond(found, known) < beyond(*best, known)))
      best = &found;
  if (best)
    return *best;
  if (auto old = refuted_.find({question, law}); old != refuted_.end())
    return std::nullopt;
  // What is given already may be enough.
  auto found = known.empty() || !std::includes(law.begin(), law.end(), known.begin(), known.end())
                   ? std::nullopt
                   : ask(known, question);
  if (!found)
    found = ask(law, question);
  if (found)
    known_[question].push_back(*found);
  else
    refuted_[{question, law}] = true;
  return found;
}

std::optional<Law> Cores::ask(const Law &law, Question question) {
  const petri::Label &label = *labels_[question.first];
  solver_.push();
  for (const Term &conjunct : label.conjuncts)
    solver_.add(conjunct);
  if (question.second)
    solver_.add(
        pool_.negate(logic::substitute(predicates_[*question.second], [&](Variable v, bool) {
          return std::binary_search(label.modified.begin(), label.modified.end(), v)
                     ? pool_.primed(v)
                     : Term();
        })));
  const auto termsOf = [&](const Law &some) {
    std::vector<Term> terms;
    for (PredicateId p : some)
      terms.push_back(predicates_[p]);
    return terms;
  };
  std::optional<Law> result;
  if (budget_.check(solver_, termsOf(law)) == Satisfiability::Unsat) {
    std::vector<Term> used = law.empty() ? std::vector<Term>{} : solver_.unsatCore();
    std::sort(used.begin(), used.end());
    result.emplace();
    for (PredicateId p : law)
      if (std::binary_search(used.begin(), used.end(), predicates_[p]))
        result->push_back(p);
    // Cores need not be least.
    for (size_t i = result->size(); i-- > 0;) {
      Law less = *result;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
      if (budget_.check(solver_, termsOf(less)) == Satisfiability::Unsat)
        result = less;
    }
  }
  solver_.pop();
  return result;
}

bool Cores::keeps(const Law &law, TransitionId transition) {
  return std::all_of(law.begin(), law.end(),
                     [&](PredicateId p) { return core(law, transition, p, {}).has_value(); });
}

void keepNeeded(Configurations &configurations, Cores &cores, Budget &budget) {
  auto &all = configurations.all;
  std::vector<std::vector<std::pair<uint32_t, TransitionId>>> before(all.size());
  for (uint32_t c = 0; c < all.size(); ++c)
    for (const auto &[transition, next] : all[c].next)
      if (next)
        before[*next].emplace_back(c, transition);
  std::vector<Law> needed(all.size());
  std::vector<std::pair<uint32_t, PredicateId>> open;
  auto need = [&](uint32_t c, TransitionId transition, std::optional<PredicateId> goal) {
    const auto core = cores.core(all[c].law, transition, goal, needed[c]);
    if (!core)
      throw logic::Unsupported("the solver does not find again why a step of the proof holds");
    for (PredicateId p : *core) {
      auto at = std::lower_bound(needed[c].begin(), needed[c].end(), p);
      if (at != needed[c].end() && *at == p)
        continue;
      needed[c].insert(at, p);
      open.emplace_back(c, p);
    }
  };
  for (uint32_t c = 0; c < all.size(); ++c)
    for (const auto &[transition, next] : all[c].next)
      if (!next)
        need(c, transition, std::nullopt);
  while (!open.empty()) {
    const auto [c, p] = open.back();
    open.pop_back();
    budget.work(1 + before[c].size());
    for (const auto &[source, transition] : before[c])
      need(source, transition, p);
  }
  for (uint32_t c = 0; c < all.size(); ++c)
    all[c].law = std::move(needed[c]);
}

} // namespace understudy::compose::empire
