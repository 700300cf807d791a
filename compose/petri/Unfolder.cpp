// SPDX-License-Identifier: Apache-2.0
//
// The problem: the reachable markings of a net with concurrency, without its interleavings.
// The idea (McMillan; Esparza, Römer and Vogler, "An improvement of McMillan's unfolding
// algorithm"): add the possible firings, smallest history first in a total order that extensions
// respect; a firing whose history ends in a marking that a smaller one ends in needs no successors.
// The invariant: every marking reached by events so far has a configuration without cut-offs, and
// events are added in ascending order, so that a known marking always belongs to a smaller event.
//
// The order: number of events in the history, then the sorted sequence of its transitions, then the
// same level by level (Foata normal form). Two sequences of one length are compared element by
// element, a shorter one is smaller; this is preserved when both get one more transition, which the
// proof of adequacy needs. In a 1-safe net no two different histories tie.
//
// Observers: a transition together with the states of the observers it moves is a transition of the
// product, with a number from when it is first met. A place of the product beyond those of the net
// is a state of an observer; the states of one observer are one sequential component.
//
// Possible extensions (engine.md, section 2.3): the pre-set of a new event contains a condition of
// the event added last. Since the net is 1-safe, a new condition is the only candidate for its
// place, and new conditions are concurrent to all other candidates; only older ones have to be
// compared with one another.
#include "compose/petri/Unfolder.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <unordered_map>

namespace understudy::compose::petri {

namespace {

/// A transition of the product.
struct Product {
  TransitionId transition = 0;
  Marking post;
};

/// A possible event.
struct Candidate {
  uint32_t label = 0;
  std::vector<ConditionId> pre;
  std::vector<uint32_t> labels; ///< of the history and of the event, sorted
};

constexpr uint64_t eventsBetweenQuestions = 64;
constexpr uint64_t unitsOfEvent = 10, entriesOfUnit = 8; ///< as measured

struct MarkingHash {
  size_t operator()(const Marking &marking) const {
    size_t result = marking.size();
    for (PlaceId place : marking)
      result = result * 0x9E3779B97F4A7C15u + place + 1;
    return result;
  }
};

/// (level, label) of a history and of the event, sorted.
using Levels = std::vector<std::pair<uint32_t, uint32_t>>;

Levels levelsOf(const Prefix &prefix, const Candidate &candidate) {
  Levels levels{{prefix.depthAfter(candidate.pre), candidate.label}};
  for (EventId event : prefix.history(candidate.pre))
    levels.emplace_back(prefix.events()[event].depth, prefix.events()[event].label);
  std::sort(levels.begin(), levels.end());
  return levels;
}

/// Level by level: the shorter level is smaller, then the labels decide.
bool isFoataSmaller(const Levels &a, const Levels &b) {
  auto endOfLevel = [](const Levels &levels, size_t begin) {
    size_t end = begin;
    while (end < levels.size() && levels[end].first == levels[begin].first)
      ++end;
    return end;
  };
  for (size_t i = 0; i < a.size() && i < b.size();) {
    size_t endA = endOfLevel(a, i);
    size_t endB = endOfLevel(b, i);
    if (endA != endB)
      return endA < endB;
    for (; i < endA; ++i)
      if (a[i].second != b[i].second)
        return a[i].second < b[i].second;
  }
  return false;
}

} // namespace

class Unfolder::Search {
public:
  Search(const Net &net, std::vector<Observer *> observers, UnfoldingLimits limits)
      : net_(net), observers_(std::move(observers)), limits_(std::move(limits)),
        buckets_(net.places + observers_.size()), isFresh_(buckets_.size()),
        consumers_(buckets_.size()), tried_(net.transitions.size(), noEvent) {
    for (TransitionId t = 0; t < net_.transitions.size(); ++t) {
      slots_.push_back(componentsOf(t));
      for (size_t component : slots_.back())
        consumers_[component].push_back(t);
    }
  }

  Result find(const std::function<bool(PlaceId)> &bad) {
    if (prefix_.events().empty()) {
      begin();
      if (std::any_of(net_.initial.begin(), net_.initial.end(), bad))
        return found(0);
    }
    while (!queue_.empty()) {
      if (isAtLimit())
        return Result::Limit;
      Candidate candidate = takeSmallest();
      const Marking &post = products_[candidate.label].post;
      bool marksBad = std::any_of(post.begin(), post.end(),
                                  [&](PlaceId p) { return p < net_.places && bad(p); });
      const uint64_t before = prefix_.coEntries();
      EventId event = insert(std::move(candidate));
      if (limits_.work)
        limits_.work(unitsOfEvent + (prefix_.coEntries() - before) / entriesOfUnit);
      if (marksBad)
        return found(event);
    }
    return Result::Complete;
  }

  Run run() const {
    Run result;
    if (found_ != 0)
      for (uint32_t label : prefix_.linearisation(found_, net_.places))
        result.push_back(products_[label].transition);
    return result;
  }

  UnfoldingStatistics statistics() const {
    uint64_t events = prefix_.events().empty() ? 0 : prefix_.events().size() - 1;
    return {events, cutOffs_, prefix_.conditions().size(), prefix_.coEntries()};
  }
  const Prefix &prefix() const { return prefix_; }
  Observed observed(PlaceId place) const { return observed_.at(place - net_.places); }

private:
  static constexpr EventId noEvent = ~EventId{0};

  /// Greater events later; a heap has its greatest element on top.
  struct Later {
    const Prefix *prefix;
    bool operator()(const Candidate &a, const Candidate &b) const {
      if (a.labels.size() != b.labels.size())
        return a.labels.size() > b.labels.size();
      if (a.labels != b.labels)
        return a.labels > b.labels;
      return isFoataSmaller(levelsOf(*prefix, b), levelsOf(*prefix, a));
    }
  };

  const Net &net_;
  std::vector<Observer *> observers_;
  UnfoldingLimits limits_;
  Prefix prefix_;
  std::vector<Candidate> queue_; ///< a heap
  std::unordered_map<Marking, EventId, MarkingHash> known_;
  EventId found_ = 0;
  uint64_t cutOffs_ = 0;

  std::vector<Observed> observed_;
  std::map<Observed, PlaceId> placeOf_;
  std::vector<Product> products_;
  /// (transition, states of the observers it moves) to its product; none: it leads into a sink.
  std::map<std::vector<uint32_t>, std::optional<uint32_t>> productOf_;

  // Per component: the conditions concurrent to the event added last, its post-set included.
  std::vector<std::vector<ConditionId>> buckets_;
  std::vector<char> isFresh_;
  std::vector<std::vector<TransitionId>> consumers_;
  std::vector<std::vector<size_t>> slots_; ///< per transition: the components it synchronises
  std::vector<EventId> tried_; ///< per transition: the last event after which it was tried

  size_t componentOf(PlaceId place) const {
    return place < net_.places ? place : net_.places + observed(place).observer;
  }
  std::vector<size_t> componentsOf(TransitionId t) {
    std::vector<size_t> result(net_.transitions[t].pre.begin(), net_.transitions[t].pre.end());
    for (size_t i = 0; i < observers_.size(); ++i)
      if (!observers_[i]->ignores(t))
        result.push_back(net_.places + i);
    return result;
  }

  PlaceId placeOf(const Observed &state) {
    auto [found, isNew] =
        placeOf_.try_emplace(state, static_cast<PlaceId>(net_.places + observed_.size()));
    if (isNew)
      observed_.push_back(state);
    return found->second;
  }

  void begin() {
    Marking initial = net_.initial;
    for (size_t i = 0; i < observers_.size(); ++i)
      initial.push_back(placeOf({i, observers_[i]->initial()}));
    EventId root = prefix_.addRoot(initial);
    products_.push_back({0, {}}); // the root's label
    known_.emplace(prefix_.markingAfter({}, {}), root);
    extend(root);
  }

  Result found(EventId event) {
    found_ = event;
    return Result::Found;
  }

  bool isAtLimit() const {
    uint64_t events = prefix_.events().size();
    if (events > limits_.maxEvents || prefix_.coEntries() > limits_.maxCoEntries)
      return true;
    return limits_.isStopped && events % eventsBetweenQuestions == 0 && limits_.isStopped();
  }

  EventId insert(Candidate candidate) {
    const Marking &post = products_[candidate.label].post;
    Marking marking = prefix_.markingAfter(candidate.pre, post);
    if (std::adjacent_find(marking.begin(), marking.end()) != marking.end())
      throw std::logic_error("the net is not 1-safe: a place is marked twice");
    if (known_.contains(marking)) {
      ++cutOffs_;
      return prefix_.addCutOff(candidate.label, std::move(candidate.pre));
    }
    EventId event = prefix_.add(candidate.label, std::move(candidate.pre), post);
    known_.emplace(std::move(marking), event);
    extend(event);
    return event;
  }

  /// Finds the events that the post-set of this one makes possible.
  void extend(EventId event) {
    const Event &e = prefix_.events()[event];
    std::vector<size_t> touched;
    auto put = [&](ConditionId condition) {
      size_t component = componentOf(prefix_.conditions()[condition].place);
      if (buckets_[component].empty())
        touched.push_back(component);
      buckets_[component].push_back(condition);
      return component;
    };
    for (ConditionId condition : e.co)
      put(condition);
    std::vector<size_t> fresh;
    for (ConditionId condition = e.postBegin; condition < e.postEnd; ++condition)
      fresh.push_back(put(condition));
    for (size_t component : fresh)
      isFresh_[component] = 1;
    for (size_t component : fresh)
      for (TransitionId t : consumers_[component])
        if (tried_[t] != event) {
          tried_[t] = event;
          tryTransition(t);
        }
    for (size_t component : fresh)
      isFresh_[component] = 0;
    for (size_t component : touched)
      buckets_[component].clear();
  }

  void tryTransition(TransitionId t) {
    std::vector<size_t> slots = slots_[t];
    for (size_t slot : slots)
      if (buckets_[slot].empty())
        return;
    std::sort(slots.begin(), slots.end(), [&](size_t a, size_t b) {
      return std::pair(buckets_[a].size(), a) < std::pair(buckets_[b].size(), b);
    });
    std::vector<ConditionId> chosen;
    std::vector<ConditionId> old; // those that are not new
    choose(t, slots, chosen, old);
  }

  void choose(TransitionId t, const std::vector<size_t> &slots, std::vector<ConditionId> &chosen,
              std::vector<ConditionId> &old) {
    if (chosen.size() == slots.size()) {
      offer(t, chosen);
      return;
    }
    size_t slot = slots[chosen.size()];
    for (ConditionId condition : buckets_[slot]) {
      bool isOld = isFresh_[slot] == 0;
      if (isOld && !std::all_of(old.begin(), old.end(), [&](ConditionId other) {
            return prefix_.areConcurrent(condition, other);
          }))
        continue;
      chosen.push_back(condition);
      if (isOld)
        old.push_back(condition);
      choose(t, slots, chosen, old);
      if (isOld)
        old.pop_back();
      chosen.pop_back();
    }
  }

  void offer(TransitionId t, std::vector<ConditionId> pre) {
    auto label = productFor(t, pre);
    if (!label)
      return;
    std::sort(pre.begin(), pre.end());
    Candidate candidate{*label, std::move(pre), {*label}};
    for (EventId event : prefix_.history(candidate.pre))
      candidate.labels.push_back(prefix_.events()[event].label);
    std::sort(candidate.labels.begin(), candidate.labels.end());
    queue_.push_back(std::move(candidate));
    std::push_heap(queue_.begin(), queue_.end(), Later{&prefix_});
  }

  Candidate takeSmallest() {
    std::pop_heap(queue_.begin(), queue_.end(), Later{&prefix_});
    Candidate candidate = std::move(queue_.back());
    queue_.pop_back();
    return candidate;
  }

  std::optional<uint32_t> productFor(TransitionId t, const std::vector<ConditionId> &pre) {
    std::vector<Observed> before;
    for (ConditionId condition : pre)
      if (PlaceId place = prefix_.conditions()[condition].place; place >= net_.places)
        before.push_back(observed(place));
    std::sort(before.begin(), before.end());
    std::vector<uint32_t> key{t};
    for (const Observed &state : before)
      key.push_back(state.state);
    auto known = productOf_.find(key);
    if (known == productOf_.end())
      known = productOf_.emplace(std::move(key), makeProduct(t, before)).first;
    return known->second;
  }

  std::optional<uint32_t> makeProduct(TransitionId t, const std::vector<Observed> &before) {
    Product product{t, net_.transitions[t].post};
    for (const Observed &state : before) {
      auto after = observers_[state.observer]->next(state.state, t);
      if (!after)
        return std::nullopt;
      product.post.push_back(placeOf({state.observer, *after}));
    }
    std::sort(product.post.begin(), product.post.end());
    products_.push_back(std::move(product));
    return static_cast<uint32_t>(products_.size() - 1);
  }
};

Unfolder::Unfolder(const Net &net, std::vector<Observer *> observers, UnfoldingLimits limits)
    : search_(std::make_unique<Search>(net, std::move(observers), std::move(limits))) {}
Unfolder::~Unfolder() = default;

Unfolder::Result Unfolder::find(const std::function<bool(PlaceId)> &bad) {
  return search_->find(bad);
}
Unfolder::Result Unfolder::complete() {
  return search_->find([](PlaceId) { return false; });
}
Run Unfolder::run() const { return search_->run(); }
UnfoldingStatistics Unfolder::statistics() const { return search_->statistics(); }
const Prefix &Unfolder::prefix() const { return search_->prefix(); }
Unfolder::Observed Unfolder::observed(PlaceId place) const { return search_->observed(place); }

} // namespace understudy::compose::petri
