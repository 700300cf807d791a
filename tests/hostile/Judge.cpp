// SPDX-License-Identifier: Apache-2.0
#include "Monitor.h"

#include <algorithm>

namespace understudy::tests::hostile {

Judge::Judge(const SharedSpace &space, const FiniteSystem &system)
    : space_(space), machine_(space, system, system.parts.at(0).contract), contract_(machine_),
      size_(system.parts.at(0).contract.states.size()), neverWritten_(neverWritten(system)) {
  if (size_ > 64)
    throw std::length_error("too many states");
  for (Configuration at : machine_.initial())
    initial_ |= Set{1} << at;
  wrong_.resize(size_t{space.size()} * (space.size() + 1));
  successors_.resize(size_t{space.size()} * space.size() * size_);
}

Judge::Set Judge::wrong(std::optional<GlobalId> left, GlobalId g) {
  auto &known = wrong_[size_t{left.value_or(space_.size())} * space_.size() + g];
  if (!known) {
    known = 0;
    for (Configuration at = 0; at < size_; ++at)
      if (contract_.wrong(g, {at, left}))
        *known |= Set{1} << at;
  }
  return *known;
}

bool Judge::possible(std::optional<GlobalId> left, GlobalId g) {
  return !(wrong(left, g) & now_) &&
         std::all_of(neverWritten_.begin(), neverWritten_.end(),
                     [&](int v) { return !left || space_.value(*left, v) == space_.value(g, v); });
}

Judge::Set Judge::image(GlobalId g, GlobalId after) {
  Set image = 0;
  for (Configuration at = 0; at < size_; ++at) {
    if (!(now_ >> at & 1))
      continue;
    auto &known = successors_[(size_t{g} * space_.size() + after) * size_ + at];
    if (!known) {
      known = 0;
      ConcreteThread::Step step;
      step.after = after;
      for (const AbstractLocal &target : contract_.successors(g, {at, g}, step))
        *known |= Set{1} << target.at;
    }
    image |= *known;
  }
  return image;
}

std::optional<Breach> Judge::step(GlobalId g, GlobalId after, const void * /*site*/) {
  now_ = image(g, after);
  return now_ ? std::nullopt : std::optional(Breach::Step);
}

template <typename Holds>
bool Judge::some(Set set, const Holds &holds) const {
  for (Configuration at = 0; at < size_; ++at)
    if ((set >> at & 1) && holds(at))
      return true;
  return false;
}

std::optional<Breach> Judge::marker(GlobalId g, const std::string &state) {
  if (const auto breach = step(g, g, nullptr))
    return breach;
  if (some(now_, [&](Configuration at) { return machine_.stateOf(at).name == state; }))
    return std::nullopt;
  return Breach::Marker;
}

std::optional<Breach> Judge::returned(std::optional<GlobalId> left, GlobalId g) {
  const bool ended = some(now_, [&](Configuration at) {
    if (left)
      return machine_.final(at);
    const auto &closed = contract_.silent(at, g);
    return std::any_of(closed.begin(), closed.end(),
                       [&](Configuration n) { return machine_.final(n); });
  });
  return ended ? std::nullopt : std::optional(Breach::Return);
}

std::string Judge::states() const {
  std::string text;
  for (Configuration at = 0; at < size_; ++at)
    if (now_ >> at & 1)
      text += " " + machine_.stateOf(at).name;
  return text;
}

} // namespace understudy::tests::hostile
