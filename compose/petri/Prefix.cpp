// SPDX-License-Identifier: Apache-2.0
#include "compose/petri/Prefix.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace understudy::compose::petri {

EventId Prefix::append(uint32_t label, std::vector<ConditionId> pre) {
  Event event;
  event.label = label;
  event.depth = depthAfter(pre);
  event.pre = std::move(pre);
  event.postBegin = event.postEnd = static_cast<ConditionId>(conditions_.size());
  events_.push_back(std::move(event));
  stamps_.push_back(0);
  return static_cast<EventId>(events_.size() - 1);
}

void Prefix::appendPostSet(EventId event, const Marking &post) {
  for (PlaceId place : post)
    conditions_.push_back({place, event, {}});
  events_[event].postEnd = static_cast<ConditionId>(conditions_.size());
}

EventId Prefix::addRoot(const Marking &initial) {
  EventId event = append(0, {});
  appendPostSet(event, initial);
  return event;
}

EventId Prefix::add(uint32_t label, std::vector<ConditionId> pre, const Marking &post) {
  std::vector<ConditionId> co = concurrentToAll(pre);
  EventId id = append(label, std::move(pre));
  Event &event = events_[id];
  event.co = std::move(co);
  requireSafe(event, post);
  for (ConditionId condition : event.co)
    conditions_[condition].later.push_back(id);
  coEntries_ += 2 * event.co.size();
  appendPostSet(id, post);
  return id;
}

EventId Prefix::addCutOff(uint32_t label, std::vector<ConditionId> pre) {
  EventId event = append(label, std::move(pre));
  events_[event].cutOff = true;
  return event;
}

void Prefix::requireSafe(const Event &event, const Marking &post) const {
  for (ConditionId condition : event.co)
    if (std::binary_search(post.begin(), post.end(), conditions_[condition].place))
      throw std::logic_error("the net is not 1-safe: a place is marked twice");
}

bool Prefix::areConcurrent(ConditionId a, ConditionId b) const {
  if (a == b)
    return false;
  if (conditions_[a].event == conditions_[b].event)
    return true;
  const auto &co = events_[conditions_[std::max(a, b)].event].co;
  return std::binary_search(co.begin(), co.end(), std::min(a, b));
}

size_t Prefix::degree(ConditionId condition) const {
  const Condition &c = conditions_[condition];
  const Event &event = events_[c.event];
  size_t result = event.co.size() + (event.postEnd - event.postBegin);
  for (EventId later : c.later)
    result += events_[later].postEnd - events_[later].postBegin;
  return result;
}

/// Sorted: what is older, the siblings, what is younger.
std::vector<ConditionId> Prefix::concurrentTo(ConditionId condition) const {
  const Condition &c = conditions_[condition];
  const Event &event = events_[c.event];
  std::vector<ConditionId> result = event.co;
  for (ConditionId sibling = event.postBegin; sibling < event.postEnd; ++sibling)
    if (sibling != condition)
      result.push_back(sibling);
  for (EventId later : c.later)
    for (ConditionId other = events_[later].postBegin; other < events_[later].postEnd; ++other)
      result.push_back(other);
  return result;
}

std::vector<ConditionId> Prefix::concurrentToAll(const std::vector<ConditionId> &conditions) const {
  ConditionId fewest =
      *std::min_element(conditions.begin(), conditions.end(),
                        [&](ConditionId a, ConditionId b) { return degree(a) < degree(b); });
  std::vector<ConditionId> result = concurrentTo(fewest);
  for (ConditionId condition : conditions)
    if (condition != fewest)
      std::erase_if(result, [&](ConditionId other) { return !areConcurrent(condition, other); });
  return result;
}

std::vector<EventId> Prefix::history(std::span<const ConditionId> conditions) const {
  ++stamp_;
  std::vector<EventId> result;
  auto visit = [&](ConditionId condition) {
    EventId event = conditions_[condition].event;
    if (event != 0 && stamps_[event] != stamp_) {
      stamps_[event] = stamp_;
      result.push_back(event);
    }
  };
  for (ConditionId condition : conditions)
    visit(condition);
  for (size_t i = 0; i < result.size(); ++i)
    for (ConditionId condition : events_[result[i]].pre)
      visit(condition);
  return result;
}

uint32_t Prefix::depthAfter(std::span<const ConditionId> pre) const {
  uint32_t depth = 0;
  for (ConditionId condition : pre)
    depth = std::max(depth, events_[conditions_[condition].event].depth + 1);
  return depth;
}

Marking Prefix::markingAfter(std::span<const ConditionId> pre, const Marking &post) const {
  std::vector<EventId> events = history(pre);
  events.push_back(0);
  std::vector<ConditionId> produced;
  std::vector<ConditionId> consumed(pre.begin(), pre.end());
  for (EventId event : events) {
    const Event &e = events_[event];
    consumed.insert(consumed.end(), e.pre.begin(), e.pre.end());
    for (ConditionId c = e.postBegin; c < e.postEnd; ++c)
      produced.push_back(c);
  }
  std::sort(consumed.begin(), consumed.end());
  Marking result = post;
  for (ConditionId condition : produced)
    if (!std::binary_search(consumed.begin(), consumed.end(), condition))
      result.push_back(conditions_[condition].place);
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<uint32_t> Prefix::linearisation(EventId event, PlaceId placesOfThreads) const {
  std::vector<EventId> events = history(events_[event].pre);
  events.push_back(event);
  std::sort(events.begin(), events.end());
  std::map<EventId, size_t> missing; // conditions of the pre-set that do not hold yet
  std::map<ConditionId, EventId> consumer;
  std::set<EventId> ready;
  for (EventId e : events) {
    for (ConditionId condition : events_[e].pre) {
      consumer[condition] = e;
      missing[e] += conditions_[condition].event == 0 ? 0 : 1;
    }
    if (missing[e] == 0)
      ready.insert(e);
  }
  std::vector<uint32_t> result;
  EventId next = ready.empty() ? 0 : *ready.begin();
  while (!ready.empty()) {
    ready.erase(next);
    const Event &fired = events_[next];
    result.push_back(fired.label);
    next = 0;
    for (ConditionId c = fired.postBegin; c < fired.postEnd; ++c) {
      auto found = consumer.find(c);
      if (found == consumer.end() || --missing[found->second] > 0)
        continue;
      ready.insert(found->second);
      if (next == 0 && conditions_[c].place < placesOfThreads)
        next = found->second;
    }
    if (next == 0 && !ready.empty())
      next = *ready.begin();
  }
  return result;
}

} // namespace understudy::compose::petri
