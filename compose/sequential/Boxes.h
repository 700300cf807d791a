// SPDX-License-Identifier: Apache-2.0
//
// The fast proof: abstract interpretation that is near linear in the program.
//
// The problem: a conformance checker of thousands of steps, in which the solver or Spacer would see
// every combination of branches. The idea: at each node keep a finite set of *boxes*: a value for
// every live variable of a Bool or enum sort, an interval for every live number, and which of them
// are equal (Cousot and Cousot 1977, with trace partitioning by the finite variables). Steps are
// computed on intervals (`Abstract.h`); only where a step leaves finite variables open, or seems to
// lead to the error and nowhere else, the solver is asked which combinations are possible: about
// one edge at a time. Numbers are widened at cuts, to constants with which the program compares
// them.
//
// The invariant at the end: every state in which the program can be at a node lies in one of the
// node's boxes. It is not taken on trust: who uses it re-checks it.
#pragma once

#include "compose/sequential/Interval.h"
#include "compose/sequential/SequentialParts.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace understudy::compose::sequential {

/// What is known of the live variables that are not finite, in order.
struct Box {
  std::vector<Interval> intervals;
  std::vector<uint32_t> same; ///< the first of those that are equal to this one
  bool operator==(const Box &) const = default;
};

struct Boxes {
  /// By node: values of its live finite variables in order, and the rest.
  std::vector<std::map<std::vector<int64_t>, Box>> at;
  /// Edges that can perhaps be taken.
  std::vector<bool> possible;
  bool excludesError = false;
  /// By node and values: the edge that reached the box first, and from which values.
  struct Origin {
    uint32_t edge = 0;
    std::vector<int64_t> values;
  };
  std::vector<std::map<std::vector<int64_t>, Origin>> origins;
  /// Edges into the error, in order of discovery, and from which values.
  std::vector<Origin> failures;
  /// Every step between boxes.
  struct Step {
    uint32_t edge = 0;
    std::vector<int64_t> from;
    std::vector<int64_t> to;
    auto operator<=>(const Step &) const = default;
  };
  std::set<Step> steps;
};

/// Bool or enum.
bool isFinite(Variable variable);

/// None: a limit was reached.
std::optional<Boxes> computeBoxes(const Flow &flow, Budget &budget);

/// The edges of a path through boxes from the entry to the failure. It need not be one of the
/// program: boxes forget how numbers are related.
std::vector<uint32_t> pathTo(const Flow &flow, const Boxes &boxes, const Boxes::Origin &failure);

/// The disjunction of the node's boxes, over its live variables.
Term formulaOf(const Flow &flow, const Boxes &boxes, NodeId node);

/// The same for a flow in which fewer variables are live. `flow` is the one that the boxes are of.
Hint hintFor(const Flow &fewer, const Flow &flow, const Boxes &boxes, NodeId node);

/// Those boxes from which steps between boxes lead to the error.
Boxes towardsError(const Flow &flow, const Boxes &boxes);

} // namespace understudy::compose::sequential
