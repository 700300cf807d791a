// SPDX-License-Identifier: Apache-2.0
//
// The problem: widening chooses small configurations and hopes that they are uncoverable; each one
// that is not costs a search and a retreat. The idea: a forward search that finds coverable
// configurations early (section 3.5 of the widening paper). It is a Karp-Miller tree: if a node is
// above an ancestor, the transitions between them can be repeated, so what has grown can grow
// without limit and becomes omega.
//
// Across a transition that moves passive threads this is wrong (Figure 11): the repetition may move
// away what it brought. So the walk to the ancestors stops at such a transition. The search is then
// sound, and may run forever.
//
// Invariant: every configuration below a node is coverable, and every successor of what is below an
// expanded node is below a node. So if no node is left to expand, the nodes are exactly what is
// coverable, broadcasts or not: a node that is below another one need not be expanded, and the
// chain of ever larger nodes is finite because the tree is.
//
// Why a configuration below a node is coverable can be told step by step (`chainTo`): walk back to
// the root with a demand, which begins as the configuration. Before a transition the demand is a
// cover predecessor. Where a count was made omega, the transitions that were repeated are walked
// backwards until the demand is below what was there before.
//
// Deviation: section 5 of the paper recommends fewest threads first. The newest node first finds
// what has to be accelerated much earlier (measured on programs: ten times fewer nodes), but may
// run away; so most of the time it is the newest, and every few nodes the one with the fewest
// threads.
#include "compose/cover/KarpMiller.h"

#include "compose/cover/net/Predecessors.h"
#include "logic/Error.h"

#include <algorithm>
#include <stdexcept>

namespace understudy::compose::cover {

namespace {

/// All ways in which `count` threads (or any number) can take the moves from `local`; empty if
/// there are too many ways.
std::vector<net::Threads> outcomes(const std::vector<net::LocalState> &ends, uint32_t count) {
  constexpr size_t most = 256;
  net::Threads none;
  if (count == omega) {
    for (net::LocalState end : ends)
      addTo(none, end, omega);
    return {none};
  }
  std::vector<net::Threads> result{none};
  for (uint32_t thread = 0; thread < count; ++thread) {
    std::vector<net::Threads> longer;
    for (const net::Threads &threads : result)
      for (net::LocalState end : ends) {
        longer.push_back(threads);
        addTo(longer.back(), end, 1);
      }
    std::sort(longer.begin(), longer.end());
    longer.erase(std::unique(longer.begin(), longer.end()), longer.end());
    if (longer.size() > most)
      return {};
    result = std::move(longer);
  }
  return result;
}

std::vector<net::LocalState> endsOf(const std::vector<net::Move> &moves, net::LocalState local) {
  std::vector<net::LocalState> ends;
  for (const net::Move &move : moves)
    if (move.from == local)
      ends.push_back(move.to);
  return ends;
}

/// What the passive threads can become; empty if there are too many ways.
std::vector<net::Threads> transferred(const std::vector<net::Move> &moves,
                                      const net::Threads &passive) {
  constexpr size_t most = 1024;
  std::vector<net::Threads> result{{}};
  for (const net::Group &group : passive) {
    auto ends = endsOf(moves, group.local);
    std::vector<net::Threads> ways;
    if (ends.empty())
      ways.push_back({group});
    else
      ways = outcomes(ends, group.count);
    std::vector<net::Threads> longer;
    for (const net::Threads &threads : result)
      for (const net::Threads &way : ways)
        longer.push_back(plus(threads, way));
    if (longer.empty() || longer.size() > most)
      return {};
    result = std::move(longer);
  }
  return result;
}

std::vector<net::Threads> signalled(const std::vector<net::Move> &moves,
                                    const net::Threads &passive) {
  std::vector<net::Threads> result;
  for (const net::Move &move : moves)
    if (countOf(passive, move.from) > 0) {
      result.push_back(passive);
      takeFrom(result.back(), move.from, 1);
      addTo(result.back(), move.to, 1);
    }
  if (result.empty())
    result.push_back(passive);
  return result;
}

} // namespace

KarpMiller::KarpMiller(const net::NetIndex &index, const net::SignAnalysis *signs,
                       std::vector<net::Configuration> targets)
    : index_(&index), signs_(signs), targets_(std::move(targets)) {
  addStarts();
}

void KarpMiller::addStarts() {
  for (const net::StartSet &start : index_->net().starts) {
    net::Configuration configuration{start.shared, start.threads};
    for (net::LocalState local : start.anyNumber)
      addTo(configuration.threads, local, omega);
    if (signs_)
      signs_->dropIrrelevant(configuration);
    if (!reached_.contains(configuration))
      add({std::move(configuration), noParent, 0, false, {}});
  }
}

void KarpMiller::add(Node node) {
  auto number = static_cast<uint32_t>(nodes_.size());
  reached_.insert(node.configuration, number);
  for (uint32_t target = 0; target < targets_.size() && status_ == Status::Running; ++target)
    if (isBelow(targets_[target], node.configuration)) {
      status_ = Status::Covered;
      coveringNode_ = number;
      coveredTarget_ = target;
    }
  newest_.push_back(number);
  fewest_.push({finiteCount(node.configuration.threads), number});
  constexpr uint64_t perNode = 160, perGroup = 40; // with the indexes
  memoryBytes_ += perNode + perGroup * node.configuration.threads.size();
  nodes_.push_back(std::move(node));
}

KarpMiller::Status KarpMiller::run(uint64_t work) {
  uint64_t end = successors_ + work;
  while (status_ == Status::Running && successors_ < end && !interrupted_) {
    auto node = next();
    if (!node) {
      status_ = leftOut_ ? Status::Ended : Status::Complete;
      break;
    }
    ++successors_;
    nodes_[*node].isExpanded = true;
    if (reached_.tagAbove(nodes_[*node].configuration) == *node)
      expand(*node);
  }
  return status_;
}

std::optional<uint32_t> KarpMiller::next() {
  while (!newest_.empty() && nodes_[newest_.back()].isExpanded)
    newest_.pop_back();
  while (!fewest_.empty() && nodes_[fewest_.top().node].isExpanded)
    fewest_.pop();
  if (newest_.empty())
    return std::nullopt;
  turn_ = (turn_ + 1) % turns;
  return turn_ == 0 ? fewest_.top().node : newest_.back();
}

void KarpMiller::expand(uint32_t node) {
  net::SharedState shared = nodes_[node].configuration.shared;
  for (uint32_t transition : index_->unconditional(shared))
    fire(node, transition);
  net::Threads threads = nodes_[node].configuration.threads; // `nodes_` grows
  for (const net::Group &group : threads)
    for (uint32_t transition : index_->consuming(shared, group.local))
      if (status_ == Status::Running && isBelow(index_->transition(transition).consumes, threads))
        fire(node, transition);
}

void KarpMiller::fire(uint32_t node, uint32_t number) {
  const net::Transition &transition = index_->transition(number);
  net::Threads passive = less(nodes_[node].configuration.threads, transition.consumes);
  std::vector<net::Threads> after;
  if (!transition.signals.empty())
    after = signalled(transition.signals, passive);
  else if (!transition.transfers.empty())
    after = transferred(transition.transfers, passive);
  else
    after.push_back(std::move(passive));
  if (after.empty())
    leftOut_ = true;
  for (const net::Threads &threads : after) {
    ++successors_;
    reach({transition.to, plus(threads, transition.produces)}, node, number);
  }
}

void KarpMiller::reach(net::Configuration configuration, uint32_t parent, uint32_t transition) {
  if (status_ != Status::Running)
    return;
  if (signs_)
    signs_->dropIrrelevant(configuration);
  if (reached_.contains(configuration))
    return;
  Node node{std::move(configuration), parent, transition, false, {}};
  node.pumps = accelerate(node.configuration, parent, transition);
  add(std::move(node));
}

bool KarpMiller::movesPassively(uint32_t transition) const {
  const net::Transition &t = index_->transition(transition);
  return !t.signals.empty() || !t.transfers.empty();
}

std::vector<uint32_t> KarpMiller::accelerate(net::Configuration &configuration, uint32_t parent,
                                             uint32_t transition) {
  std::vector<uint32_t> pumps;
  uint32_t ancestor = parent;
  while (ancestor != noParent && !movesPassively(transition)) {
    const Node &node = nodes_[ancestor];
    if (isBelow(node.configuration, configuration)) {
      net::Threads before = configuration.threads;
      for (net::Group &group : configuration.threads)
        if (group.count != omega && countOf(node.configuration.threads, group.local) < group.count)
          group.count = omega;
      if (before != configuration.threads) {
        pumps.push_back(static_cast<uint32_t>(pumps_.size()));
        pumps_.push_back({ancestor, std::move(before)});
      }
    }
    transition = node.transition;
    ancestor = node.parent;
  }
  return pumps;
}

std::vector<uint32_t> KarpMiller::path(uint32_t ancestor, uint32_t node) const {
  std::vector<uint32_t> result;
  for (; node != ancestor; node = nodes_[node].parent)
    result.push_back(nodes_[node].transition);
  return result; // backwards
}

Chain KarpMiller::chainTo(uint32_t node, net::Configuration demand) const {
  constexpr size_t longest = 5'000'000;
  std::vector<ChainLink> backwards;
  auto undo = [&](uint32_t transition, const net::Configuration &bound) {
    std::vector<net::Predecessor> before;
    net::appendPredecessors(index_->transition(transition), transition, demand, before);
    for (net::Predecessor &candidate : before)
      if (isBelow(candidate.configuration, bound)) {
        backwards.push_back({transition, std::move(demand)});
        demand = std::move(candidate.configuration);
        if (backwards.size() > longest)
          throw logic::Unsupported("the firing sequence has more than " + std::to_string(longest) +
                                   " steps");
        return;
      }
    throw std::logic_error("no way back from " + text(demand));
  };
  for (;; node = nodes_[node].parent) {
    const auto &pumps = nodes_[node].pumps;
    for (auto number = pumps.rbegin(); number != pumps.rend(); ++number) {
      const Pump &pump = pumps_[*number];
      auto steps = path(pump.ancestor, node);
      while (!isBelow(demand.threads, pump.before))
        for (uint32_t transition : steps) {
          // No bound: the repetition draws on what was made omega before.
          net::Configuration anything{
              index_->transition(transition).from,
              plus(less(demand.threads, index_->transition(transition).produces),
                   index_->transition(transition).consumes)};
          undo(transition, anything);
        }
    }
    if (nodes_[node].parent == noParent)
      break;
    undo(nodes_[node].transition, nodes_[nodes_[node].parent].configuration);
  }
  return {std::move(demand), {backwards.rbegin(), backwards.rend()}};
}

} // namespace understudy::compose::cover
