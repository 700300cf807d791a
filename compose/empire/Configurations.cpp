// SPDX-License-Identifier: Apache-2.0
#include "compose/empire/Configurations.h"

#include "logic/Error.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace understudy::compose::empire {

namespace {

using refine::DomainComponent;

class Walk {
public:
  Walk(const petri::Net &net, const std::vector<refine::InvariantDomain> &domains, uint64_t most,
       Budget &budget)
      : net_(net), most_(most), budget_(budget), waiting_(net.places) {
    for (const refine::InvariantDomain &domain : domains)
      for (const DomainComponent &component : domain.components)
        if (std::none_of(components_.begin(), components_.end(), [&](const auto *known) {
              return known->laws == component.laws && known->post == component.post;
            }))
          components_.push_back(&component);
    for (TransitionId id = 0; id < net.transitions.size(); ++id)
      waiting_[net.transitions[id].pre.front()].push_back(id);
    numberPredicates();
  }

  Configurations run() {
    store(net_.initial, States(components_.size()));
    for (uint32_t at = 0; at < result_.all.size(); ++at)
      expand(at);
    return std::move(result_);
  }

private:
  using States = std::vector<DomainComponent::State>;
  const petri::Net &net_;
  uint64_t most_;
  Budget &budget_;
  std::vector<const DomainComponent *> components_;
  std::vector<std::vector<TransitionId>> waiting_;
  std::vector<std::vector<Law>> laws_; ///< component -> state
  std::map<std::pair<std::vector<PlaceId>, States>, uint32_t> known_;
  std::vector<States> states_;
  std::map<States, uint32_t> numbers_;
  Configurations result_;

  void numberPredicates() {
    std::map<Term, PredicateId> ids;
    for (const DomainComponent *component : components_) {
      laws_.emplace_back();
      for (const std::vector<Term> &law : component->laws) {
        std::set<PredicateId> numbers;
        for (const Term &predicate : law) {
          auto [entry, isNew] =
              ids.try_emplace(predicate, static_cast<PredicateId>(result_.predicates.size()));
          if (isNew)
            result_.predicates.push_back(predicate);
          numbers.insert(entry->second);
        }
        laws_.back().emplace_back(numbers.begin(), numbers.end());
      }
    }
  }

  uint32_t store(std::vector<PlaceId> marking, States states) {
    const auto next = static_cast<uint32_t>(result_.all.size());
    auto [entry, isNew] = known_.try_emplace({marking, states}, next);
    if (!isNew)
      return entry->second;
    std::set<PredicateId> law;
    for (size_t i = 0; i < states.size(); ++i)
      law.insert(laws_[i][states[i]].begin(), laws_[i][states[i]].end());
    const uint32_t state =
        numbers_.try_emplace(states, static_cast<uint32_t>(numbers_.size())).first->second;
    result_.all.push_back({std::move(marking), Law(law.begin(), law.end()), state, {}});
    states_.push_back(std::move(states));
    if (result_.all.size() > most_)
      throw logic::Unsupported("the proof has more than " + std::to_string(most_) +
                               " configurations");
    return next;
  }

  std::optional<States> after(const States &states, TransitionId id) const {
    States result = states;
    for (size_t i = 0; i < states.size(); ++i) {
      auto entry = components_[i]->post.find({states[i], id});
      if (entry == components_[i]->post.end())
        continue;
      if (!entry->second)
        return std::nullopt;
      result[i] = *entry->second;
    }
    return result;
  }

  void expand(uint32_t at) {
    const std::vector<PlaceId> marking = result_.all[at].marking;
    const States states = states_[at];
    budget_.work(5 + marking.size());
    for (PlaceId place : marking)
      for (TransitionId id : waiting_[place]) {
        const petri::NetTransition &transition = net_.transitions[id];
        if (!std::includes(marking.begin(), marking.end(), transition.pre.begin(),
                           transition.pre.end()))
          continue;
        std::optional<uint32_t> next;
        if (auto states2 = after(states, id)) {
          std::vector<PlaceId> kept, moved;
          std::set_difference(marking.begin(), marking.end(), transition.pre.begin(),
                              transition.pre.end(), std::back_inserter(kept));
          std::merge(kept.begin(), kept.end(), transition.post.begin(), transition.post.end(),
                     std::back_inserter(moved));
          next = store(std::move(moved), std::move(*states2));
        }
        result_.all[at].next.emplace_back(id, next);
      }
  }
};

} // namespace

size_t Configurations::markings() const {
  std::set<std::vector<PlaceId>> different;
  for (const Configuration &configuration : all)
    different.insert(configuration.marking);
  return different.size();
}

Configurations configurationsOf(const petri::Net &net,
                                const std::vector<refine::InvariantDomain> &domains, uint64_t most,
                                Budget &budget) {
  return Walk(net, domains, most, budget).run();
}

} // namespace understudy::compose::empire
