// SPDX-License-Identifier: Apache-2.0
//
// The problem: state as one formula that a path through an acyclic part of a `Flow` can be taken,
// without listing paths. The idea (passive form; Barnett and Leino, Weakest-precondition of
// unstructured programs, 2005): every node gets a *point* with one term for each live variable.
// Along a chain the terms are carried on, an assignment of something atomic renames, any other gets
// a fresh variable. Where paths meet, variables on which they differ get a fresh one.
//
// The invariant: for every point p with conditions C, a valuation that satisfies the assertions
// made so far and C determines a path from a root to p on which the variables have the values of
// p's terms; every path has such a valuation. Meetings are stated backwards ("if here, then by one
// of these edges"), so nothing has to be said of edges not taken. Hints of the flow are stated at
// points, and the constants in them replace terms: what is known to hold on all paths changes none
// of this.
#pragma once

#include "compose/sequential/Flow.h"
#include "logic/Value.h"
#include "logic/solver/Solver.h"

#include <map>
#include <optional>
#include <vector>

namespace understudy::compose::sequential {

using PointId = uint32_t;

/// A valuation of the live variables before or after a step; the others have no value.
using PartialState = std::vector<std::optional<logic::Value>>;

/// A path through the flow, with what a model says of the states on it.
struct FlowPath {
  PartialState start;
  std::vector<uint32_t> edges;
  std::vector<PartialState> after; ///< each edge
};

class Unroller {
public:
  explicit Unroller(const Flow &flow) : flow_(flow) {}

  /// What is known when an edge from a point has been taken.
  struct Arrival {
    PointId source = 0;
    uint32_t edge = 0;
    Term guard;                ///< may be empty: true
    std::vector<Term> pending; ///< conditions beside the guard
    std::vector<Term> values;  ///< by variable; empty for those that are not live
    Term taken;                ///< stands for all conditions where several paths meet
  };
  using Arrivals = std::map<NodeId, std::vector<Arrival>>;

  /// A root: the variables live at the node have any values, and are named by themselves.
  PointId start(NodeId node);
  /// A root at which the variables have these values.
  PointId start(NodeId node, const PartialState &state);
  /// From a point through nodes that are no cuts, to the cuts reached first.
  Arrivals advance(PointId from);
  /// The same, to one cut only.
  std::vector<Arrival> advance(PointId from, NodeId target);
  /// Along the edges; only the conditions of the last point are kept. None if that can be seen to
  /// be impossible.
  std::optional<PointId> follow(PointId from, const std::vector<uint32_t> &edges);
  /// The point at which the paths meet. Precondition: at least one.
  PointId join(NodeId node, std::vector<Arrival> arrivals);

  /// What must hold, beside the assertions, for a path to have reached the point.
  std::vector<Term> conditions(PointId point) const;
  const std::vector<Term> &values(PointId point) const { return points_[point].values; }
  /// Made since the last call.
  std::vector<Term> takeAssertions() { return std::exchange(assertions_, {}); }

  /// The path to the point that the model stands for.
  FlowPath path(PointId end, const logic::solver::Model &model) const;

private:
  struct Point {
    NodeId node = 0;
    Term guard;
    std::vector<Term> pending;
    std::vector<Term> values;
    std::vector<Arrival> arrivals; ///< empty for roots
  };

  const Flow &flow_;
  std::vector<Point> points_;
  std::vector<Term> assertions_;
  uint64_t fresh_ = 0;

  Arrivals advanceThrough(PointId from, const std::vector<NodeId> &inner,
                          std::optional<NodeId> target);
  void leave(PointId point, const std::vector<uint32_t> &edges, Arrivals &arrivals);
  std::optional<Arrival> take(PointId source, uint32_t edge, std::vector<Term> pending);
  PointId append(Point point);
  void name(PointId point);
  Term freshVariable(const std::string &name, logic::Sort sort);
  Term conjunctionOf(Term guard, const std::vector<Term> &pending) const;
  PartialState stateOf(const std::vector<Term> &values, const logic::solver::Model &model) const;
};

} // namespace understudy::compose::sequential
