// SPDX-License-Identifier: Apache-2.0
//
// Random 1-safe nets, alone and with random observers beside them: the prefix has exactly the
// markings, and the pairs of places marked together, that firing transitions one by one finds.
#include "compose/petri/Unfolder.h"
#include "tests/Support.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>

using namespace understudy::compose::petri;
using namespace understudy::tests;

namespace {

constexpr size_t mostMarkings = 3'000;

/// A table; "sink" is a state like no other.
struct TableObserver : Observer {
  State states = 1;
  std::vector<std::vector<std::optional<State>>> table; ///< per state, per transition
  std::vector<bool> ignored;

  State initial() override { return 0; }
  std::optional<State> next(State state, TransitionId t) override { return table[state][t]; }
  bool ignores(TransitionId t) override { return ignored[t]; }
};

TableObserver randomObserver(const Net &net, Random &random) {
  TableObserver observer;
  observer.states = static_cast<Observer::State>(1 + random.below(3));
  observer.table.resize(observer.states);
  for (size_t t = 0; t < net.transitions.size(); ++t) {
    bool ignored = random.oneIn(3);
    observer.ignored.push_back(ignored);
    for (Observer::State s = 0; s < observer.states; ++s) {
      std::optional<Observer::State> next = s;
      if (!ignored && random.oneIn(2))
        next = static_cast<Observer::State>(random.below(observer.states));
      if (!ignored && random.oneIn(8))
        next.reset();
      observer.table[s].push_back(next);
    }
  }
  return observer;
}

std::vector<PlaceId> randomPlaces(Random &random, uint32_t places, size_t count) {
  std::set<PlaceId> result;
  while (result.size() < count)
    result.insert(static_cast<PlaceId>(random.below(places)));
  return {result.begin(), result.end()};
}

Net randomNet(Random &random) {
  Net net;
  net.places = static_cast<uint32_t>(random.between(2, 12));
  net.initial = randomPlaces(random, net.places, 1 + random.below(std::min(net.places, 4u)));
  for (size_t count = 1 + random.below(12); count > 0; --count) {
    size_t pre = 1 + random.below(std::min<size_t>(net.places, 3));
    // As many tokens out as in, mostly: else few nets are 1-safe.
    size_t post = random.oneIn(4) ? random.below(std::min<size_t>(net.places, 3) + 1) : pre;
    net.transitions.push_back(
        {randomPlaces(random, net.places, pre), randomPlaces(random, net.places, post)});
  }
  return net;
}

/// Threads that move alone and together: each transition moves one token of each thread it
/// concerns, or takes it away. Such nets are 1-safe.
Net randomThreads(Random &random) {
  Net net;
  net.places = 12;
  const PlaceId threads = static_cast<PlaceId>(random.between(2, 4));
  auto placeOf = [&](PlaceId thread) {
    return static_cast<PlaceId>(thread + threads * random.below(net.places / threads));
  };
  for (PlaceId thread = 0; thread < threads; ++thread)
    net.initial.push_back(thread);
  for (size_t count = 10 + random.below(16); count > 0; --count) {
    NetTransition transition;
    for (PlaceId thread : randomPlaces(random, threads, random.oneIn(3) ? 2 : 1)) {
      transition.pre.push_back(placeOf(thread));
      if (!random.oneIn(12))
        transition.post.push_back(placeOf(thread));
    }
    std::sort(transition.pre.begin(), transition.pre.end());
    std::sort(transition.post.begin(), transition.post.end());
    net.transitions.push_back(std::move(transition));
  }
  return net;
}

/// Places of the net, and per observer its state: firing one by one, by the definition.
struct Firing {
  using State = std::pair<Marking, std::vector<Observer::State>>;
  std::set<State> reached;
  bool isSafe = true;
  bool isSmall = true;

  Firing(const Net &net, std::vector<TableObserver> &observers) {
    std::vector<State> work{{net.initial, std::vector<Observer::State>(observers.size(), 0)}};
    reached.insert(work.front());
    while (!work.empty() && isSafe && isSmall) {
      State state = work.back();
      work.pop_back();
      for (TransitionId t = 0; t < net.transitions.size(); ++t)
        if (auto next = fire(net, observers, state, t); next && reached.insert(*next).second)
          work.push_back(*next);
      isSmall = reached.size() <= mostMarkings;
    }
  }

  std::optional<State> fire(const Net &net, std::vector<TableObserver> &observers,
                            const State &state, TransitionId t) {
    const NetTransition &transition = net.transitions[t];
    std::multiset<PlaceId> tokens(state.first.begin(), state.first.end());
    for (PlaceId p : transition.pre) {
      auto token = tokens.find(p);
      if (token == tokens.end())
        return std::nullopt;
      tokens.erase(token);
    }
    State next{{}, {}};
    for (size_t i = 0; i < observers.size(); ++i) {
      auto after = observers[i].next(state.second[i], t);
      if (!after)
        return std::nullopt;
      next.second.push_back(*after);
    }
    tokens.insert(transition.post.begin(), transition.post.end());
    next.first.assign(tokens.begin(), tokens.end());
    if (std::adjacent_find(next.first.begin(), next.first.end()) != next.first.end())
      isSafe = false;
    return next;
  }

  std::set<std::pair<PlaceId, PlaceId>> pairs() const {
    std::set<std::pair<PlaceId, PlaceId>> result;
    for (const State &state : reached)
      for (PlaceId a : state.first)
        for (PlaceId b : state.first)
          if (a < b)
            result.emplace(a, b);
    return result;
  }
};

struct Case {
  Net net;
  std::vector<TableObserver> observers;

  std::vector<Observer *> pointers() {
    std::vector<Observer *> result;
    for (TableObserver &observer : observers)
      result.push_back(&observer);
    return result;
  }
};

Firing::State stateOf(const Case &given, const Unfolder &unfolder, const Marking &marking) {
  Firing::State state{{}, std::vector<Observer::State>(given.observers.size())};
  for (PlaceId place : marking)
    if (place < given.net.places)
      state.first.push_back(place);
    else
      state.second[unfolder.observed(place).observer] = unfolder.observed(place).state;
  return state;
}

/// Every marking of a configuration without cut-offs: for a complete prefix, the reachable ones.
std::set<Marking> markings(const Prefix &prefix) {
  using Cut = std::vector<ConditionId>;
  Cut first;
  for (ConditionId c = prefix.events()[0].postBegin; c < prefix.events()[0].postEnd; ++c)
    first.push_back(c);
  std::set<Cut> seen{first};
  std::vector<Cut> work{first};
  std::set<Marking> result;
  while (!work.empty()) {
    Cut cut = std::move(work.back());
    work.pop_back();
    Marking marking;
    for (ConditionId c : cut)
      marking.push_back(prefix.conditions()[c].place);
    std::sort(marking.begin(), marking.end());
    result.insert(std::move(marking));
    for (EventId e = 1; e < prefix.events().size(); ++e) {
      const Event &event = prefix.events()[e];
      if (event.cutOff ||
          !std::includes(cut.begin(), cut.end(), event.pre.begin(), event.pre.end()))
        continue;
      Cut after;
      std::set_difference(cut.begin(), cut.end(), event.pre.begin(), event.pre.end(),
                          std::back_inserter(after));
      for (ConditionId c = event.postBegin; c < event.postEnd; ++c)
        after.push_back(c);
      std::sort(after.begin(), after.end());
      if (seen.insert(after).second)
        work.push_back(std::move(after));
    }
  }
  return result;
}

/// Pairs (p, q), p < q, of places that are marked together in one of these markings.
std::set<std::pair<PlaceId, PlaceId>> coMarkedPlaces(const Prefix &prefix) {
  std::set<std::pair<PlaceId, PlaceId>> result;
  auto insert = [&](ConditionId a, ConditionId b) {
    result.insert(std::minmax(prefix.conditions()[a].place, prefix.conditions()[b].place));
  };
  for (const Event &event : prefix.events())
    for (ConditionId c = event.postBegin; c < event.postEnd; ++c) {
      for (ConditionId other : event.co)
        insert(c, other);
      for (ConditionId sibling = c + 1; sibling < event.postEnd; ++sibling)
        insert(c, sibling);
    }
  return result;
}

void checkPrefix(Case &given, const Firing &firing) {
  Unfolder unfolder(given.net, given.pointers());
  REQUIRE(unfolder.complete() == Unfolder::Result::Complete);
  std::set<Firing::State> represented;
  for (const Marking &marking : markings(unfolder.prefix()))
    represented.insert(stateOf(given, unfolder, marking));
  REQUIRE(represented == firing.reached);
  std::set<std::pair<PlaceId, PlaceId>> pairs = coMarkedPlaces(unfolder.prefix());
  std::erase_if(pairs, [&](const auto &pair) { return pair.second >= given.net.places; });
  REQUIRE(pairs == firing.pairs());
  UnfoldingStatistics statistics = unfolder.statistics();
  // Every event that is no cut-off has a marking of its own, the initial one is the root's.
  CHECK(statistics.events - statistics.cutOffs + 1 <= firing.reached.size());
}

/// For each place: it is found exactly if it is reachable, by a run that fires.
void checkSearch(Case &given, Firing &firing) {
  for (PlaceId bad = 0; bad < given.net.places; ++bad) {
    bool reachable = std::any_of(firing.reached.begin(), firing.reached.end(), [&](const auto &s) {
      return std::binary_search(s.first.begin(), s.first.end(), bad);
    });
    Unfolder unfolder(given.net, given.pointers());
    auto result = unfolder.find([&](PlaceId p) { return p == bad; });
    REQUIRE(result == (reachable ? Unfolder::Result::Found : Unfolder::Result::Complete));
    if (!reachable)
      continue;
    Firing::State state{given.net.initial, std::vector<Observer::State>(given.observers.size(), 0)};
    for (TransitionId t : unfolder.run()) {
      auto next = firing.fire(given.net, given.observers, state, t);
      REQUIRE(next);
      state = *next;
    }
    REQUIRE(std::binary_search(state.first.begin(), state.first.end(), bad));
  }
}

} // namespace

TEST_CASE("Unfolding: random nets and observers, compared with firing one by one") {
  size_t safe = 0;
  size_t tokens = 0;
  const size_t count = runs(2000);
  for (size_t attempt = 0; safe < count; ++attempt) {
    INFO("seed " << seedOf(attempt));
    Random random(seedOf(attempt));
    Case given{random.oneIn(3) ? randomNet(random) : randomThreads(random), {}};
    Firing alone(given.net, given.observers);
    if (!alone.isSmall)
      continue;
    if (!alone.isSafe) {
      Unfolder unfolder(given.net, {});
      REQUIRE_THROWS_AS(unfolder.complete(), std::logic_error);
      continue;
    }
    ++safe;
    tokens += given.net.initial.size() > 1 && alone.reached.size() > 4 ? 1 : 0;
    checkPrefix(given, alone);
    checkSearch(given, alone);
    for (size_t many = 1 + random.below(2); many > 0; --many)
      given.observers.push_back(randomObserver(given.net, random));
    Firing beside(given.net, given.observers);
    checkPrefix(given, beside);
    checkSearch(given, beside);
  }
  CHECK(tokens * 4 > count); // enough of them are concurrent and move
}
