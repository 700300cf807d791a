// SPDX-License-Identifier: Apache-2.0
#include "compose/cover/Coverable.h"

#include <algorithm>

namespace understudy::compose::cover {

Coverable::Coverable(const net::TransferNet &net) {
  for (const net::StartSet &start : net.starts) {
    net::Configuration configuration{start.shared, start.threads};
    for (net::LocalState local : start.anyNumber)
      addTo(configuration.threads, local, omega);
    add(configuration, {});
  }
}

uint32_t Coverable::add(const net::Configuration &configuration, Fact fact) {
  auto number = static_cast<uint32_t>(facts_.size());
  facts_.push_back(std::move(fact));
  set_.insert(configuration, number);
  return number;
}

uint32_t Coverable::addNode(const net::Configuration &configuration, uint32_t node) {
  return add(configuration, {Kind::Node, node, 0, {}, {}});
}

uint32_t Coverable::addStep(const net::Configuration &configuration, net::Configuration via,
                            uint32_t fact, uint32_t transition) {
  return add(configuration, {Kind::Step, fact, transition, std::move(via), configuration});
}

Chain Coverable::chainTo(uint32_t number, net::Configuration demand,
                         const KarpMiller *oracle) const {
  std::vector<ChainLink> backwards;
  for (;;) {
    const Fact &fact = facts_[number];
    if (fact.kind != Kind::Step)
      break;
    backwards.push_back({fact.transition, fact.configuration});
    demand = fact.via;
    number = fact.reference;
  }
  const Fact &first = facts_[number];
  Chain chain{std::move(demand), {}};
  if (first.kind == Kind::Node)
    chain = oracle->chainTo(first.reference, std::move(chain.begin));
  chain.links.insert(chain.links.end(), backwards.rbegin(), backwards.rend());
  return chain;
}

} // namespace understudy::compose::cover
