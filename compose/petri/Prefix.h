// SPDX-License-Identifier: Apache-2.0
//
// A branching process of a 1-safe net, as far as it has been built: conditions (places with one
// history each) and events (firings of transitions).
#pragma once

#include "compose/petri/Net.h"

#include <set>
#include <span>
#include <utility>

namespace understudy::compose::petri {

using ConditionId = uint32_t;
using EventId = uint32_t; ///< 0 is the root, whose post-set is the initial marking

/// Places together, sorted.
using Marking = std::vector<PlaceId>;

struct Condition {
  PlaceId place = 0;
  EventId event = 0; ///< that produced it
  /// Events that came later and are concurrent to it, ascending.
  std::vector<EventId> later;
};

struct Event {
  uint32_t label = 0;
  std::vector<ConditionId> pre; ///< sorted
  /// The post-set is the conditions postBegin .. postEnd - 1; empty for a cut-off.
  ConditionId postBegin = 0;
  ConditionId postEnd = 0;
  uint32_t depth = 0; ///< longest chain of events that leads to it
  bool cutOff = false;
  /// The conditions older than the post-set and concurrent to it. Sorted.
  std::vector<ConditionId> co;
};

/// The co-relation is kept once per event. Conditions have ascending numbers, so of two conditions
/// of different events the younger one's event knows about the older one:
///   co(b, c) <=> b is in the `co` of c's event, for b < c; conditions of one event are co.
class Prefix {
public:
  /// Throws std::logic_error if a place would be marked twice.
  EventId addRoot(const Marking &initial);
  EventId add(uint32_t label, std::vector<ConditionId> pre, const Marking &post);
  /// An event whose marking is known already: it has no post-set and no part in the co-relation.
  EventId addCutOff(uint32_t label, std::vector<ConditionId> pre);

  const std::vector<Condition> &conditions() const { return conditions_; }
  const std::vector<Event> &events() const { return events_; }
  uint64_t coEntries() const { return coEntries_; }

  bool areConcurrent(ConditionId a, ConditionId b) const;

  /// The events without which the conditions do not hold, the root left out, in no order.
  std::vector<EventId> history(std::span<const ConditionId> conditions) const;
  /// The depth of an event with this pre-set.
  uint32_t depthAfter(std::span<const ConditionId> pre) const;
  /// The marking after an event with this pre-set and this post-set, fired after its history.
  Marking markingAfter(std::span<const ConditionId> pre, const Marking &post) const;

  /// The labels of the event and its history in an order in which they can fire. A thread goes on
  /// as long as it can: of the events that can come next, one that continues the last one is taken.
  /// Only places below `placesOfThreads` count as continuation.
  std::vector<uint32_t> linearisation(EventId event, PlaceId placesOfThreads) const;

private:
  std::vector<Condition> conditions_;
  std::vector<Event> events_;
  uint64_t coEntries_ = 0;
  mutable std::vector<uint32_t> stamps_; ///< per event: the last history that contained it
  mutable uint32_t stamp_ = 0;

  EventId append(uint32_t label, std::vector<ConditionId> pre);
  void appendPostSet(EventId event, const Marking &post);
  size_t degree(ConditionId condition) const;
  std::vector<ConditionId> concurrentTo(ConditionId condition) const;
  std::vector<ConditionId> concurrentToAll(const std::vector<ConditionId> &conditions) const;
  void requireSafe(const Event &event, const Marking &post) const;
};

} // namespace understudy::compose::petri
