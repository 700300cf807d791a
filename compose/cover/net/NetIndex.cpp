// SPDX-License-Identifier: Apache-2.0
#include "compose/cover/net/NetIndex.h"

#include <algorithm>

namespace understudy::compose::cover::net {

void NetIndex::Files::build(std::vector<Item> items, uint32_t sharedStates) {
  std::sort(items.begin(), items.end());
  begins.assign(size_t{sharedStates} + 1, 0);
  for (const Item &item : items) {
    ++begins[item.shared + 1];
    locals.push_back(item.local);
    transitions.push_back(item.transition);
  }
  for (size_t shared = 1; shared < begins.size(); ++shared)
    begins[shared] += begins[shared - 1];
}

std::span<const uint32_t> NetIndex::Files::all(SharedState shared) const {
  return {transitions.data() + begins[shared], transitions.data() + begins[shared + 1]};
}

std::span<const uint32_t> NetIndex::Files::at(SharedState shared, LocalState local) const {
  auto begin = locals.begin() + begins[shared];
  auto end = locals.begin() + begins[shared + 1];
  auto [first, last] = std::equal_range(begin, end, local);
  return {transitions.data() + (first - locals.begin()),
          transitions.data() + (last - locals.begin())};
}

NetIndex::NetIndex(const TransferNet &net, const std::vector<bool> &useful) : net_(&net) {
  std::vector<Files::Item> always, producing, consuming, unconditional;
  for (uint32_t number = 0; number < net.transitions.size(); ++number) {
    if (!useful.empty() && !useful[number])
      continue;
    const Transition &t = net.transitions[number];
    if (t.from != t.to || !t.signals.empty() || !t.transfers.empty())
      always.push_back({t.to, 0, number});
    else
      for (const Group &group : t.produces)
        producing.push_back({t.to, group.local, number});
    if (t.consumes.empty())
      unconditional.push_back({t.from, 0, number});
    else
      consuming.push_back({t.from, t.consumes.front().local, number});
  }
  always_.build(std::move(always), net.sharedStates);
  producing_.build(std::move(producing), net.sharedStates);
  consuming_.build(std::move(consuming), net.sharedStates);
  unconditional_.build(std::move(unconditional), net.sharedStates);
}

std::span<const uint32_t> NetIndex::alwaysInto(SharedState to) const { return always_.all(to); }

std::span<const uint32_t> NetIndex::producing(SharedState to, LocalState local) const {
  return producing_.at(to, local);
}

std::span<const uint32_t> NetIndex::consuming(SharedState from, LocalState local) const {
  return consuming_.at(from, local);
}

std::span<const uint32_t> NetIndex::unconditional(SharedState from) const {
  return unconditional_.all(from);
}

} // namespace understudy::compose::cover::net
