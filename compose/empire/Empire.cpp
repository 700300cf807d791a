// SPDX-License-Identifier: Apache-2.0
//
// Problem: a proof that distinguishes all interleavings, of which few differ in anything that
// matters. Idea (section 5): execute the program symbolically on territories, sets of markings that
// are products of regions; as long as a step changes no law, its target joins the region of its
// source. Deviation: places that a transition reads and leaves as they are (a thread exists, a
// thread does not wait) do not keep it from extending a region, if their regions are single places.
#include "compose/empire/Empire.h"

#include "logic/Error.h"

#include <algorithm>
#include <set>

namespace understudy::compose::empire {

bool holds(const Region &region, PlaceId place) {
  return std::binary_search(region.begin(), region.end(), place);
}

std::optional<std::vector<size_t>> enabling(const Territory &territory,
                                            const petri::NetTransition &transition) {
  std::vector<size_t> result;
  for (PlaceId place : transition.pre) {
    size_t at = 0;
    while (at < territory.size() && !holds(territory[at], place))
      ++at;
    if (at == territory.size() || std::find(result.begin(), result.end(), at) != result.end())
      return std::nullopt;
    result.push_back(at);
  }
  return result;
}

size_t Empire::edges() const {
  size_t count = 0;
  for (const State &state : states)
    for (const auto &[transition, next] : state.next)
      count += next ? 1 : 0;
  return count;
}
size_t Empire::loops() const {
  size_t count = 0;
  for (uint32_t q = 0; q < states.size(); ++q)
    for (const auto &[transition, next] : states[q].next)
      count += next == q ? 1 : 0;
  return count;
}
size_t Empire::impossible() const {
  size_t count = 0;
  for (const State &state : states)
    for (const auto &[transition, next] : state.next)
      count += next ? 0 : 1;
  return count;
}

namespace {

class Builder {
public:
  Builder(const petri::Net &net, const Configurations &configurations, Laws &laws, Growth growth,
          uint64_t most, Budget &budget)
      : net_(net), laws_(laws), growth_(growth), most_(most), budget_(budget),
        together_(net.places, std::vector<bool>(net.places)) {
    for (const auto &configuration : configurations.all)
      for (PlaceId a : configuration.marking)
        for (PlaceId b : configuration.marking)
          together_[a][b] = true;
  }

  Empire run() {
    Territory start;
    for (PlaceId place : net_.initial)
      start.push_back({place});
    const uint32_t law = laws_.initial();
    store(saturated(start, law, {}), law);
    for (uint32_t q = 0; q < result_.states.size(); ++q)
      for (TransitionId t = 0; t < net_.transitions.size(); ++t)
        expand(q, t);
    result_.laws = laws_.laws();
    return std::move(result_);
  }

private:
  const petri::Net &net_;
  Laws &laws_;
  Growth growth_;
  uint64_t most_;
  Budget &budget_;
  std::vector<std::vector<bool>> together_;
  std::map<std::pair<Territory, uint32_t>, uint32_t> known_;
  Empire result_;

  uint32_t store(Territory territory, uint32_t law) {
    const auto next = static_cast<uint32_t>(result_.states.size());
    auto [entry, isNew] = known_.try_emplace({territory, law}, next);
    if (isNew)
      result_.states.push_back({std::move(territory), law, {}});
    if (result_.states.size() > most_)
      throw logic::Unsupported("the annotation has more than " + std::to_string(most_) +
                               " ghost states");
    return entry->second;
  }

  void expand(uint32_t q, TransitionId t) {
    budget_.work(1);
    const petri::NetTransition &transition = net_.transitions[t];
    const Territory territory = result_.states[q].territory;
    const auto sources = enabling(territory, transition);
    if (!sources)
      return;
    const uint32_t law = result_.states[q].law;
    const auto after = laws_.next(territory, law, t);
    if (!after) {
      result_.states[q].next[t] = std::nullopt;
      return;
    }
    if (staysInside(territory, transition, *sources) && laws_.keeps(law, t)) {
      result_.states[q].next[t] = q;
      return;
    }
    Territory next, bystanders;
    for (size_t i = 0; i < territory.size(); ++i)
      if (std::find(sources->begin(), sources->end(), i) == sources->end())
        bystanders.push_back(territory[i]);
    next = bystanders;
    for (PlaceId place : transition.post)
      next.push_back({place});
    std::sort(next.begin(), next.end());
    result_.states[q].next[t] = store(saturated(next, *after, bystanders), *after);
  }

  /// τ ▷ τ: the places of t• are in the regions of •t, each in one of its own.
  static bool staysInside(const Territory &territory, const petri::NetTransition &transition,
                          const std::vector<size_t> &sources) {
    if (transition.post.size() != sources.size())
      return false;
    std::set<size_t> used;
    for (PlaceId place : transition.post)
      for (size_t at : sources)
        if (holds(territory[at], place))
          used.insert(at);
    return used.size() == sources.size();
  }

  Territory saturated(Territory territory, uint32_t law, const Territory &kept) {
    std::sort(territory.begin(), territory.end());
    for (bool grown = growth_ == Growth::Saturated; grown;) {
      grown = false;
      for (TransitionId t = 0; t < net_.transitions.size() && !grown; ++t)
        grown = extend(territory, law, kept, t);
    }
    return territory;
  }

  /// Definition 5.5 with the conditions of 5.8; `kept` must stay regions of the territory.
  bool extend(Territory &territory, uint32_t law, const Territory &kept, TransitionId t) {
    const petri::NetTransition &transition = net_.transitions[t];
    std::vector<PlaceId> from, to;
    std::set_difference(transition.pre.begin(), transition.pre.end(), transition.post.begin(),
                        transition.post.end(), std::back_inserter(from));
    std::set_difference(transition.post.begin(), transition.post.end(), transition.pre.begin(),
                        transition.pre.end(), std::back_inserter(to));
    if (from.size() != 1 || to.size() != 1)
      return false;
    const auto sources = enabling(territory, transition);
    if (!sources)
      return false;
    size_t grows = 0;
    for (size_t i = 0; i < sources->size(); ++i) {
      if (transition.pre[i] == from[0])
        grows = (*sources)[i];
      else if (territory[(*sources)[i]].size() != 1)
        return false;
    }
    const Region &region = territory[grows];
    if (holds(region, to[0]) || std::binary_search(kept.begin(), kept.end(), region) ||
        std::any_of(region.begin(), region.end(),
                    [&](PlaceId place) { return together_[place][to[0]]; }))
      return false;
    if (!laws_.next(territory, law, t) || !laws_.keeps(law, t))
      return false;
    Territory larger = territory;
    Region &grown = larger[grows];
    grown.insert(std::lower_bound(grown.begin(), grown.end(), to[0]), to[0]);
    std::sort(larger.begin(), larger.end());
    if (!laws_.covers(larger, law, to[0]))
      return false;
    territory = std::move(larger);
    return true;
  }
};

bool eachMarking(const Territory &territory, size_t region, std::vector<PlaceId> &chosen,
                 const std::function<bool(const std::vector<PlaceId> &)> &visit) {
  if (region == territory.size()) {
    std::vector<PlaceId> marking = chosen;
    std::sort(marking.begin(), marking.end());
    return visit(marking);
  }
  for (PlaceId place : territory[region]) {
    chosen.push_back(place);
    const bool goesOn = eachMarking(territory, region + 1, chosen, visit);
    chosen.pop_back();
    if (!goesOn)
      return false;
  }
  return true;
}

/// The treaty; ends when `visit` says false.
bool eachMarking(const Territory &territory,
                 const std::function<bool(const std::vector<PlaceId> &)> &visit) {
  std::vector<PlaceId> chosen;
  return eachMarking(territory, 0, chosen, visit);
}

/// The state of the domain alone decides.
class DomainLaws : public Laws {
public:
  explicit DomainLaws(const Configurations &configurations)
      : initial_(configurations.all[0].state) {
    for (const auto &configuration : configurations.all) {
      laws_.resize(std::max<size_t>(laws_.size(), configuration.state + 1));
      laws_[configuration.state] = configuration.law;
      for (const auto &[transition, next] : configuration.next)
        post_[{configuration.state, transition}] =
            next ? std::optional(configurations.all[*next].state) : std::nullopt;
    }
  }

  uint32_t initial() override { return initial_; }
  std::optional<uint32_t> next(const Territory &, uint32_t law, TransitionId t) override {
    return post_.at({law, t});
  }
  bool keeps(uint32_t law, TransitionId t) override { return post_.at({law, t}) == law; }
  bool covers(const Territory &, uint32_t, PlaceId) override { return true; }
  const std::vector<Law> &laws() const override { return laws_; }

private:
  uint32_t initial_;
  std::vector<Law> laws_;
  std::map<std::pair<uint32_t, TransitionId>, std::optional<uint32_t>> post_;
};

class NeededLaws : public Laws {
public:
  NeededLaws(const Configurations &needed, Cores &cores, Budget &budget)
      : needed_(needed), cores_(cores), budget_(budget) {
    for (uint32_t c = 0; c < needed.all.size(); ++c) {
      auto &at = byMarking_[needed.all[c].marking];
      const bool isNew = std::none_of(at.begin(), at.end(), [&](uint32_t other) {
        return std::includes(needed.all[c].law.begin(), needed.all[c].law.end(),
                             needed.all[other].law.begin(), needed.all[other].law.end());
      });
      if (isNew)
        at.push_back(c);
    }
  }

  uint32_t initial() override { return idOf(needed_.all[0].law); }

  std::optional<uint32_t> next(const Territory &territory, uint32_t law, TransitionId t) override {
    std::set<PredicateId> after;
    bool possible = true;
    eachMarking(territory, [&](const std::vector<PlaceId> &marking) {
      budget_.work(1);
      const auto configuration = enough(marking, laws_[law]);
      if (!configuration)
        throw std::logic_error("a law is not enough for a marking of its territory");
      for (const auto &[transition, next] : needed_.all[*configuration].next)
        if (transition == t) {
          possible = next.has_value();
          if (next)
            after.insert(needed_.all[*next].law.begin(), needed_.all[*next].law.end());
        }
      return possible;
    });
    if (!possible)
      return std::nullopt;
    return idOf(Law(after.begin(), after.end()));
  }

  bool keeps(uint32_t law, TransitionId t) override { return cores_.keeps(laws_[law], t); }

  bool covers(const Territory &territory, uint32_t law, PlaceId place) override {
    Territory part = territory;
    for (Region &region : part)
      if (holds(region, place))
        region = {place};
    return eachMarking(part, [&](const std::vector<PlaceId> &marking) {
      budget_.work(1);
      return enough(marking, laws_[law]).has_value();
    });
  }
  const std::vector<Law> &laws() const override { return laws_; }

private:
  const Configurations &needed_;
  Cores &cores_;
  Budget &budget_;
  std::map<std::vector<PlaceId>, std::vector<uint32_t>> byMarking_;
  std::vector<Law> laws_;
  std::map<Law, uint32_t> ids_;

  uint32_t idOf(const Law &law) {
    auto [entry, isNew] = ids_.try_emplace(law, static_cast<uint32_t>(laws_.size()));
    if (isNew)
      laws_.push_back(law);
    return entry->second;
  }

  std::optional<uint32_t> enough(const std::vector<PlaceId> &marking, const Law &law) const {
    auto found = byMarking_.find(marking);
    if (found == byMarking_.end())
      return std::nullopt;
    for (uint32_t c : found->second)
      if (const Law &need = needed_.all[c].law;
          std::includes(law.begin(), law.end(), need.begin(), need.end()))
        return c;
    return std::nullopt;
  }
};

} // namespace

std::unique_ptr<Laws> lawsOf(const Configurations &configurations) {
  return std::make_unique<DomainLaws>(configurations);
}

std::unique_ptr<Laws> neededLaws(const Configurations &needed, Cores &cores, Budget &budget) {
  return std::make_unique<NeededLaws>(needed, cores, budget);
}

Empire empireOf(const petri::Net &net, const Configurations &configurations, Laws &laws,
                Growth growth, uint64_t most, Budget &budget) {
  return Builder(net, configurations, laws, growth, most, budget).run();
}

std::string faultOfEmpire(const Empire &empire, const petri::Net &net,
                          const Configurations &configurations, Cores &cores,
                          const std::vector<PlaceId> &bad) {
  std::set<std::vector<PlaceId>> reachable;
  for (const auto &configuration : configurations.all)
    reachable.insert(configuration.marking);
  if (empire.states.empty())
    return "it has no state";
  bool starts = false;
  eachMarking(empire.states[0].territory, [&](const std::vector<PlaceId> &marking) {
    starts = starts || marking == net.initial;
    return true;
  });
  if (!starts)
    return "the initial territory lacks the initial marking";
  for (const Empire::State &state : empire.states) {
    if (!eachMarking(state.territory,
                     [&](const auto &marking) { return reachable.contains(marking); }))
      return "a territory has a marking that is not reachable";
    for (const Region &region : state.territory)
      for (PlaceId place : region)
        if (std::binary_search(bad.begin(), bad.end(), place))
          return "a bad place is in a territory";
    const Law &law = empire.laws[state.law];
    for (TransitionId t = 0; t < net.transitions.size(); ++t) {
      const auto sources = enabling(state.territory, net.transitions[t]);
      if (!sources)
        continue;
      auto edge = state.next.find(t);
      if (edge == state.next.end())
        return "a transition that is enabled is missing";
      if (!edge->second) {
        if (!cores.core(law, t, std::nullopt, {}))
          return "a transition without edge is possible";
        continue;
      }
      const Empire::State &next = empire.states[*edge->second];
      for (PredicateId p : empire.laws[next.law])
        if (!cores.core(law, t, p, {}))
          return "a law does not hold after a transition";
      Territory rest = next.territory;
      for (size_t i = 0; i < state.territory.size(); ++i)
        if (std::find(sources->begin(), sources->end(), i) == sources->end()) {
          auto found = std::find(rest.begin(), rest.end(), state.territory[i]);
          if (found == rest.end())
            return "a bystander's region changes";
          rest.erase(found);
        }
      for (PlaceId place : net.transitions[t].post) {
        auto found = std::find_if(rest.begin(), rest.end(),
                                  [&](const Region &region) { return holds(region, place); });
        if (found == rest.end())
          return "a place after a transition is in no region of its own";
        rest.erase(found);
      }
      if (!rest.empty())
        return "a region comes from nowhere";
    }
  }
  return "";
}

} // namespace understudy::compose::empire
