// SPDX-License-Identifier: Apache-2.0
//
// The problem: a violation at the end of a long program, or after many rounds of a loop; the solver
// is slow on all of it at once. The idea: walk. From a concrete state at a cut, ask for a way to
// one of the next cuts, the nearest to the error first, and take the state there; what boxes
// exclude as not leading to the error is avoided. Every question is small, and with the state's
// values put in, most branches decide themselves. There is no way back: choices that matter much
// later can be wrong, and then the walk has failed and nothing is said.
#include "compose/sequential/SequentialParts.h"
#include "logic/Substitute.h"

#include <algorithm>
#include <limits>
#include <set>

namespace understudy::compose::sequential {

namespace {

/// The number of edges to the error, by node.
std::vector<uint64_t> distances(const Flow &flow) {
  std::vector<uint64_t> result(flow.nodes(), std::numeric_limits<uint64_t>::max());
  std::vector<NodeId> level{errorNode};
  result[errorNode] = 0;
  for (uint64_t distance = 1; !level.empty(); ++distance) {
    std::vector<NodeId> next;
    for (NodeId node : level)
      for (uint32_t e : flow.in[node])
        if (NodeId source = flow.edges[e].source; result[source] > distance) {
          result[source] = distance;
          next.push_back(source);
        }
    level = std::move(next);
  }
  return result;
}

class Walker {
public:
  Walker(const Flow &flow, const CutInvariants &allowed, Budget &budget)
      : whole_(flow), flow_(flow), allowed_(allowed), budget_(budget),
        solver_(flow.pool(), budget.limits()), distances_(distances(flow)) {
    for (const auto &[node, formula] : allowed)
      flow_.cut[node] = true;
  }

  std::optional<FlowPath> run() {
    constexpr size_t rounds = 20;
    const size_t most = rounds * cutsOf(flow_).size() + 1000;
    NodeId node = entryNode;
    for (size_t hops = 0; hops < most && !budget_.exhausted(); ++hops) {
      auto next = hop(node);
      if (!next)
        break;
      node = *next;
      if (node == errorNode)
        return std::move(path_);
      if (!visited_.insert({node, state_}).second)
        break;
      stops_.push_back({node, path_.edges.size()});
    }
    return fromEarlierStops();
  }

private:
  struct Stop {
    NodeId node = 0;
    size_t edges = 0; ///< of the path to it
  };

  const Flow &whole_;
  Flow flow_; ///< with stops as cuts
  const CutInvariants &allowed_;
  Budget &budget_;
  logic::solver::Solver solver_;
  std::vector<uint64_t> distances_;
  PartialState state_;
  FlowPath path_;
  std::vector<Stop> stops_;
  std::set<std::pair<NodeId, PartialState>> visited_;

  std::optional<FlowPath> fromEarlierStops() {
    constexpr size_t furthest = 64;
    constexpr uint64_t hops = 1; // a second one could be all of the program again
    constexpr uint64_t resources = 5'000'000;
    constexpr size_t manyNodes = 1500;
    for (size_t back = 1; back <= std::min(furthest, stops_.size()); back *= 2) {
      const Stop &stop = stops_[stops_.size() - back];
      if (nodesAfter(whole_, stop.node).size() > manyNodes)
        continue;
      auto found =
          findPathFrom(whole_, stop.node, path_.after[stop.edges - 1], hops, resources, budget_);
      auto *end = std::get_if<FlowPath>(&found);
      if (!end)
        continue;
      path_.edges.resize(stop.edges);
      path_.after.resize(stop.edges);
      record(std::move(*end));
      return std::move(path_);
    }
    return std::nullopt;
  }

  /// To a next cut, which is returned. None: there is no way.
  std::optional<NodeId> hop(NodeId from) {
    Unroller unroller(flow_);
    PointId start = from == entryNode ? unroller.start(from) : unroller.start(from, state_);
    std::vector<std::pair<NodeId, PointId>> targets;
    for (auto &[node, arrivals] : unroller.advance(start))
      targets.emplace_back(node, unroller.join(node, std::move(arrivals)));
    std::sort(targets.begin(), targets.end(), [&](const auto &a, const auto &b) {
      return std::pair(distances_[a.first], a.first) < std::pair(distances_[b.first], b.first);
    });
    solver_.push();
    for (const Term &assertion : unroller.takeAssertions())
      solver_.add(assertion);
    std::optional<NodeId> result;
    for (const auto &[node, point] : targets)
      if (reaches(unroller, node, point)) {
        result = node;
        break;
      }
    solver_.pop();
    return result;
  }

  /// Can the point be reached, and left again?
  bool reaches(Unroller &unroller, NodeId node, PointId point) {
    std::vector<Term> onward;
    if (node != errorNode)
      for (auto &[next, arrivals] : unroller.advance(point))
        onward.push_back(
            flow_.pool().conjunction(conditions(unroller, next, unroller.join(next, arrivals))));
    solver_.push();
    for (const Term &assertion : unroller.takeAssertions())
      solver_.add(assertion);
    for (const Term &condition : conditions(unroller, node, point))
      solver_.add(condition);
    if (node != errorNode)
      solver_.add(flow_.pool().disjunction(std::move(onward)));
    bool result = budget_.check(solver_) == logic::solver::Satisfiability::Sat;
    if (result)
      record(unroller.path(point, solver_.model()));
    solver_.pop();
    return result;
  }

  std::vector<Term> conditions(const Unroller &unroller, NodeId node, PointId point) const {
    std::vector<Term> result = unroller.conditions(point);
    if (auto found = allowed_.find(node); found != allowed_.end())
      result.push_back(logic::substitute(found->second, [&](Variable v, bool) {
        return unroller.values(point)[flow_.indexOf.at(v)];
      }));
    return result;
  }

  void record(FlowPath part) {
    if (path_.edges.empty())
      path_.start = std::move(part.start);
    state_ = part.after.back();
    path_.edges.insert(path_.edges.end(), part.edges.begin(), part.edges.end());
    std::move(part.after.begin(), part.after.end(), std::back_inserter(path_.after));
  }
};

} // namespace

std::optional<FlowPath> walk(const Flow &flow, const CutInvariants &allowed, Budget &budget) {
  return Walker(flow, allowed, budget).run();
}

} // namespace understudy::compose::sequential
