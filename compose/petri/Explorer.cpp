// SPDX-License-Identifier: Apache-2.0
//
// Problem: find a run that marks a bad place and that no observer rejects, or show there is none.
// Idea: the plain one. States are pairs of a marking and a vector of observer states, visited
// breadth-first; a transition that some observer answers with its sink is not followed.
// Invariant: every stored state is reached by the run that its parents spell, and that run is
// accepted by every observer; successors of all states before `next_` are stored.
// This is the oracle of the unfolder, and what is used where the unfolder gives up.
#include "compose/petri/Explorer.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

namespace understudy::compose::petri {

namespace {

/// Marked places (sorted), then the observers' states.
using Key = std::vector<uint32_t>;

struct KeyHash {
  size_t operator()(const Key &key) const noexcept {
    uint64_t hash = 0xcbf29ce484222325ull;
    for (uint32_t part : key)
      hash = (hash ^ part) * 0x100000001b3ull + (hash >> 29);
    return static_cast<size_t>(hash);
  }
};

class Search {
public:
  Search(const Net &net, std::span<const PlaceId> bad, std::span<Observer *const> observers,
         const ExplorerOptions &options)
      : net_(net), bad_(bad), observers_(observers), options_(options), waiting_(net.places) {
    for (TransitionId id = 0; id < net.transitions.size(); ++id)
      waiting_[net.transitions[id].pre.front()].push_back(id);
  }

  ExplorerResult run() {
    Key start = net_.initial;
    if (marksBad(start))
      return {Run{}, "", 1};
    for (Observer *observer : observers_)
      start.push_back(observer->initial());
    store(std::move(start), 0, 0);
    for (next_ = 0; next_ < keys_.size(); ++next_) {
      if (options_.stop && options_.stop())
        return {std::nullopt, "time limit", keys_.size()};
      if (auto found = expand())
        return {std::move(found), "", keys_.size()};
      if (keys_.size() > options_.maxStates)
        return {std::nullopt, "more than " + std::to_string(options_.maxStates) + " states",
                keys_.size()};
    }
    return {std::nullopt, "", keys_.size()};
  }

private:
  struct Origin {
    size_t parent = 0;
    TransitionId transition = 0;
  };
  const Net &net_;
  std::span<const PlaceId> bad_;
  std::span<Observer *const> observers_;
  const ExplorerOptions &options_;
  std::vector<std::vector<TransitionId>> waiting_; ///< by their first pre-place
  std::vector<const Key *> keys_;
  std::vector<Origin> origins_;
  std::unordered_map<Key, size_t, KeyHash> known_;
  size_t next_ = 0;

  bool marksBad(std::span<const uint32_t> marking) const {
    return std::any_of(marking.begin(), marking.end(), [&](PlaceId place) {
      return std::binary_search(bad_.begin(), bad_.end(), place);
    });
  }

  void store(Key key, size_t parent, TransitionId transition) {
    auto [entry, isNew] = known_.try_emplace(std::move(key), keys_.size());
    if (!isNew)
      return;
    keys_.push_back(&entry->first);
    origins_.push_back({parent, transition});
  }

  Run runTo(size_t state, TransitionId last) const {
    Run run{last};
    for (; state != 0; state = origins_[state].parent)
      run.push_back(origins_[state].transition);
    std::reverse(run.begin(), run.end());
    return run;
  }

  std::optional<Run> expand() {
    const Key &key = *keys_[next_];
    const auto marking = std::span(key).first(key.size() - observers_.size());
    for (PlaceId place : marking)
      for (TransitionId id : waiting_[place]) {
        const NetTransition &transition = net_.transitions[id];
        if (!std::includes(marking.begin(), marking.end(), transition.pre.begin(),
                           transition.pre.end()))
          continue;
        auto after = successor(key, id);
        if (!after)
          continue;
        if (marksBad(transition.post))
          return runTo(next_, id);
        store(std::move(*after), next_, id);
      }
    return std::nullopt;
  }

  std::optional<Key> successor(const Key &key, TransitionId id) const {
    const NetTransition &transition = net_.transitions[id];
    const size_t marked = key.size() - observers_.size();
    Key states;
    for (size_t i = 0; i < observers_.size(); ++i) {
      auto state = observers_[i]->next(key[marked + i], id);
      if (!state)
        return std::nullopt;
      states.push_back(*state);
    }
    Key kept;
    const auto marking = std::span(key).first(marked);
    std::set_difference(marking.begin(), marking.end(), transition.pre.begin(),
                        transition.pre.end(), std::back_inserter(kept));
    Key after;
    std::merge(kept.begin(), kept.end(), transition.post.begin(), transition.post.end(),
               std::back_inserter(after));
    if (std::adjacent_find(after.begin(), after.end()) != after.end())
      throw std::logic_error("the net is not 1-safe");
    after.insert(after.end(), states.begin(), states.end());
    return after;
  }
};

} // namespace

ExplorerResult explore(const Net &net, std::span<const PlaceId> bad,
                       std::span<Observer *const> observers, const ExplorerOptions &options) {
  return Search(net, bad, observers, options).run();
}

} // namespace understudy::compose::petri
