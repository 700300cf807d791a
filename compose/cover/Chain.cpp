// SPDX-License-Identifier: Apache-2.0
#include "compose/cover/Chain.h"

#include "compose/cover/Configurations.h"
#include "compose/cover/net/Fire.h"

#include <stdexcept>

namespace understudy::compose::cover {

namespace {

/// A chain that comes to a goal which an earlier goal already covers can go on from the earlier
/// one. The longest cut comes first.
Chain withoutDetours(const Chain &chain) {
  constexpr size_t longest = 3000; // the comparison is quadratic
  if (chain.links.size() > longest)
    return chain;
  auto goal = [&](size_t i) -> const net::Configuration & {
    return i == 0 ? chain.begin : chain.links[i - 1].goal;
  };
  Chain result{chain.begin, {}};
  size_t at = 0;
  while (at < chain.links.size()) {
    size_t next = at;
    for (size_t later = chain.links.size(); later > at; --later)
      if (isBelow(goal(later), goal(at))) {
        next = later;
        break;
      }
    at = next;
    if (at < chain.links.size())
      result.links.push_back(chain.links[at++]);
  }
  return result;
}

} // namespace

net::CoverTrace traceOf(const net::TransferNet &net, const Chain &chain) {
  Chain direct = withoutDetours(chain);
  auto start = net::startAbove(net, direct.begin);
  if (!start)
    throw std::logic_error("a chain begins at " + text(direct.begin) + ", below no start");
  net::CoverTrace trace;
  trace.after.push_back(std::move(*start));
  for (const ChainLink &link : direct.links) {
    auto next = net::fireTowards(net.transitions[link.transition], trace.after.back(), link.goal);
    if (!next)
      throw std::logic_error("a chain breaks before " + text(link.goal));
    trace.fired.push_back(link.transition);
    trace.after.push_back(std::move(*next));
  }
  return trace;
}

} // namespace understudy::compose::cover
