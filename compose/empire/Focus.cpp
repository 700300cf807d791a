// SPDX-License-Identifier: Apache-2.0
//
// Section 6 of the paper. Its (inductive-edge) says •t where t• is meant, as the sentence before it
// and the proof in the appendix have it. Deviation: the paper's indices are components of a domain,
// and each follows from itself; ours are predicates, and what one follows from is an unsat core.
#include "compose/empire/Focus.h"

#include "logic/Error.h"

#include <algorithm>

namespace understudy::compose::empire {

namespace {

class Fixpoint {
public:
  Fixpoint(const petri::Net &net, const Empire &empire, Cores &cores, Preference preference,
           const std::function<bool(PlaceId)> &carries, Budget &budget)
      : net_(net), empire_(empire), cores_(cores), preference_(preference), carries_(carries),
        budget_(budget), before_(empire.states.size()) {
    for (uint32_t q = 0; q < empire.states.size(); ++q) {
      focus_.emplace_back(empire.states[q].territory.size());
      for (const auto &[transition, next] : empire.states[q].next)
        if (next)
          before_[*next].emplace_back(q, transition);
    }
  }

  Focus run() {
    for (uint32_t q = 0; q < empire_.states.size(); ++q)
      for (const auto &[transition, next] : empire_.states[q].next)
        if (!next)
          need(q, transition, std::nullopt, std::nullopt);
    while (!open_.empty()) {
      const Known known = open_.back();
      open_.pop_back();
      for (const auto &[q, transition] : before_[known.state])
        propagate(q, transition, known);
    }
    return std::move(focus_);
  }

private:
  struct Known {
    uint32_t state = 0;
    size_t region = 0;
    PredicateId predicate = 0;
  };
  const petri::Net &net_;
  const Empire &empire_;
  Cores &cores_;
  Preference preference_;
  const std::function<bool(PlaceId)> &carries_;
  Budget &budget_;
  std::vector<std::vector<std::pair<uint32_t, TransitionId>>> before_;
  Focus focus_;
  std::vector<Known> open_;

  const Law &law(uint32_t q) const { return empire_.laws[empire_.states[q].law]; }

  void propagate(uint32_t q, TransitionId transition, const Known &known) {
    budget_.work(2);
    const Territory &territory = empire_.states[q].territory;
    const Region &region = empire_.states[known.state].territory[known.region];
    const auto sources = *enabling(territory, net_.transitions[transition]);
    auto same = std::find(territory.begin(), territory.end(), region);
    const auto at = static_cast<size_t>(same - territory.begin());
    const bool bystander =
        same != territory.end() && std::find(sources.begin(), sources.end(), at) == sources.end();
    need(q, transition, known.predicate, bystander ? std::optional(at) : std::nullopt);
  }

  /// The predicates that prove the goal are known before the transition: to the bystander, or else
  /// to one of the regions that take part.
  void need(uint32_t q, TransitionId transition, std::optional<PredicateId> goal,
            std::optional<size_t> bystander) {
    const Territory &territory = empire_.states[q].territory;
    std::vector<size_t> involved;
    const auto sources = *enabling(territory, net_.transitions[transition]);
    for (size_t at : sources)
      if (carries_(territory[at].front()))
        involved.push_back(at);
    if (bystander)
      involved.push_back(*bystander);
    if (involved.empty())
      throw logic::Unsupported("a step of the proof belongs to no thread");
    Law known;
    for (size_t at : involved)
      known.insert(known.end(), focus_[q][at].begin(), focus_[q][at].end());
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    const auto core = cores_.core(law(q), transition, goal, known);
    if (!core)
      throw logic::Unsupported("the solver does not find again why a step of the proof holds");
    const size_t chosen = bystander                          ? *bystander
                          : preference_ == Preference::First ? involved.front()
                                                             : involved.back();
    for (PredicateId p : *core)
      if (!std::binary_search(known.begin(), known.end(), p)) {
        Law &own = focus_[q][chosen];
        own.insert(std::lower_bound(own.begin(), own.end(), p), p);
        open_.push_back({q, chosen, p});
      }
  }
};

} // namespace

Focus focusOf(const petri::Net &net, const Empire &empire, Cores &cores, Preference preference,
              const std::function<bool(PlaceId)> &carries, Budget &budget) {
  return Fixpoint(net, empire, cores, preference, carries, budget).run();
}

Focus trivialFocus(const Empire &empire, const std::function<bool(PlaceId)> &carries) {
  Focus result;
  for (const Empire::State &state : empire.states) {
    result.emplace_back();
    for (const Region &region : state.territory)
      result.back().push_back(carries(region.front()) ? empire.laws[state.law] : Law{});
  }
  return result;
}

} // namespace understudy::compose::empire
