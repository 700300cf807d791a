// SPDX-License-Identifier: Apache-2.0
#include "compose/empire/Sizes.h"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace understudy::compose::empire {

namespace {

/// The nodes of one formula.
class Nodes {
public:
  explicit Nodes(const std::vector<Term> &predicates) : predicates_(predicates) {}

  void add(Term term) {
    if (terms_.insert(term).second)
      for (const Term &operand : term.operands())
        add(operand);
  }
  /// A conjunction is a node of its own.
  void addLaw(const Law &law) {
    for (PredicateId p : law)
      add(predicates_[p]);
    if (law.size() > 1)
      laws_.insert(law);
  }
  void addNodes(size_t count) { more_ += count; }
  size_t count() const { return terms_.size() + laws_.size() + more_; }

private:
  const std::vector<Term> &predicates_;
  std::unordered_set<Term> terms_;
  std::set<Law> laws_;
  size_t more_ = 0;
};

using Cases = std::vector<std::pair<uint32_t, Law>>;

size_t assertionSize(const Cases &cases, const std::vector<Term> &predicates, Term ghost) {
  if (cases.empty())
    return 1; // false
  logic::TermPool &pool = ghost.pool();
  Nodes nodes(predicates);
  for (const auto &[state, law] : cases) {
    nodes.add(pool.equal(ghost, pool.integer(state)));
    nodes.addLaw(law);
    nodes.addNodes(law.empty() ? 0 : 1);
  }
  nodes.addNodes(cases.size() > 1 ? 1 : 0);
  return nodes.count();
}

std::map<TransitionId, Cases> movesOf(const Empire &empire) {
  std::map<TransitionId, Cases> result;
  for (uint32_t q = 0; q < empire.states.size(); ++q)
    for (const auto &[transition, next] : empire.states[q].next)
      if (next && *next != q)
        result[transition].push_back({q, {*next}});
  return result;
}

} // namespace

size_t imperialUpdates(const Empire &empire) { return movesOf(empire).size(); }

size_t imperialSize(const petri::Net &net, const Empire &empire, const Focus &focus,
                    const std::vector<Term> &predicates) {
  if (predicates.empty())
    return 0;
  logic::TermPool &pool = predicates.front().pool();
  const Term ghost = pool.var(pool.variable("ghost", "state", pool.intSort()));
  std::vector<Cases> cases(net.places);
  for (uint32_t q = 0; q < empire.states.size(); ++q)
    for (size_t r = 0; r < empire.states[q].territory.size(); ++r)
      for (PlaceId place : empire.states[q].territory[r])
        cases[place].emplace_back(q, focus[q][r]);
  size_t result = 1;
  for (const Cases &own : cases)
    result += assertionSize(own, predicates, ghost);
  for (const auto &[transition, moves] : movesOf(empire)) {
    Nodes nodes(predicates);
    for (const auto &[from, to] : moves) {
      nodes.add(pool.equal(ghost, pool.integer(from)));
      nodes.add(pool.integer(to.front()));
    }
    nodes.addNodes(moves.size()); // of the chain
    result += nodes.count();
  }
  return result;
}

size_t naiveSize(const petri::Net &net, const Configurations &configurations) {
  std::map<std::vector<PlaceId>, std::set<Law>> laws;
  for (const auto &configuration : configurations.all)
    laws[configuration.marking].insert(configuration.law);
  size_t result = net.places;
  for (PlaceId place = 0; place < net.places; ++place) {
    Nodes nodes(configurations.predicates);
    size_t ways = 0;
    std::vector<size_t> marked(net.places);
    for (const auto &[marking, own] : laws) {
      if (!std::binary_search(marking.begin(), marking.end(), place))
        continue;
      ++ways;
      for (PlaceId other : marking)
        ++marked[other];
      for (const Law &law : own)
        nodes.addLaw(law);
      nodes.addNodes(own.size() > 1 ? 2 : 1);
    }
    // A variable for each place, and its negation where some marking lacks it.
    for (PlaceId other = 0; ways > 0 && other < net.places; ++other)
      nodes.addNodes(marked[other] < ways ? 2 : 1);
    nodes.addNodes(ways > 1 || ways == 0 ? 1 : 0);
    result += nodes.count();
  }
  for (const petri::NetTransition &transition : net.transitions) {
    std::vector<PlaceId> changed;
    std::set_symmetric_difference(transition.pre.begin(), transition.pre.end(),
                                  transition.post.begin(), transition.post.end(),
                                  std::back_inserter(changed));
    result += changed.size();
  }
  return result;
}

} // namespace understudy::compose::empire
