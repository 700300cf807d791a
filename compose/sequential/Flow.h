// SPDX-License-Identifier: Apache-2.0
//
// The program of one thread as a graph for the sequential engine: an entry, an error, the locations
// between them, and on every edge the conjuncts of its relation.
//
// What cannot matter is left out: edges whose relation is false, locations that no path from the
// entry to the error visits, and assignments to variables that are not read before they are
// overwritten (they are *dead*). Every cycle has a *cut*: a node at which the proof must state an
// invariant. Between cuts the graph is acyclic.
#pragma once

#include "compose/Program.h"
#include "logic/Linear.h"
#include "logic/Simplify.h"
#include "logic/VariableTable.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace understudy::compose::sequential {

using NodeId = uint32_t;
using VariableIndex = uint32_t; ///< into Flow::variables

constexpr NodeId entryNode = 0;
constexpr NodeId errorNode = 1;
constexpr NodeId firstLocation = 2; ///< location l is node firstLocation + l

/// One conjunct of an edge's relation.
struct Conjunct {
  Term formula;
  std::vector<VariableIndex> reads; ///< before the step
  /// Set if the formula says target' == value, value has no primes, and target' occurs in no other
  /// conjunct of the edge.
  std::optional<VariableIndex> target;
  Term value;
  /// The value lies in the target's sort in every state, so that an assignment to a dead variable
  /// can be dropped.
  bool total = false;
};

struct FlowEdge {
  NodeId source = 0;
  NodeId target = 0;
  std::vector<Conjunct> conjuncts;
  std::vector<VariableIndex> modified;
  std::optional<EdgeId> origin; ///< none: from the entry to an initial location
};

/// What is known of every state in which the program is at a node.
struct Hint {
  Term formula;                                          ///< over the live variables
  std::vector<std::pair<VariableIndex, Term>> constants; ///< follow from the formula
};

struct Flow {
  const Program &program;
  TemplateId thread = 0;
  std::vector<Variable> variables; ///< globals, then locals
  std::unordered_map<Variable, VariableIndex> indexOf;
  std::vector<FlowEdge> edges;
  std::vector<std::vector<uint32_t>> out; ///< edges by source; empty for nodes left out
  std::vector<std::vector<uint32_t>> in;
  std::vector<std::vector<VariableIndex>> live; ///< by node, ascending
  std::vector<bool> cut;                        ///< entry, error, and a node of every cycle
  std::vector<uint32_t> rank; ///< edges between nodes that are not cuts lead to higher ranks
  std::unordered_map<NodeId, Hint> hints;

  size_t nodes() const { return out.size(); }
  logic::TermPool &pool() const { return *program.pool; }
  bool reachesError() const { return !in[errorNode].empty(); }
};

enum class FlowDetail {
  Needed, ///< what cannot matter is left out
  All,    ///< all variables are live everywhere, nothing but unreachable locations is left out
};

enum class EdgeRole : uint8_t {
  Plain,
  Dropped,    ///< left out
  Obligation, ///< leads to the error instead of where it leads
};

/// What was found out about terms, for flows of the same program and of similar ones.
struct FlowTables {
  logic::Simplifier simplify;
  logic::VariableTable variables;
  logic::BoundsTable bounds;
};

/// Roles by edge; none: all are plain. They change neither cuts nor ranks.
/// Precondition: as for `verifySequential`.
Flow makeFlow(const Program &program, FlowDetail detail, FlowTables &tables,
              const std::vector<EdgeRole> &roles = {});

/// The nodes that are no cuts and that paths from `source` reach before they reach a cut, by rank.
std::vector<NodeId> nodesAfter(const Flow &flow, NodeId source);

/// Those of them from which such a path leads on to `target`.
std::vector<NodeId> nodesBetween(const Flow &flow, NodeId source, NodeId target);

/// The cuts, the nodes at which paths meet, and more along chains, by rank; neither entry nor
/// error. With these as cuts, every node between them has one predecessor, so that all stretches
/// together are not larger than the flow.
std::vector<NodeId> stretchHeads(const Flow &flow);

/// The same flow with more cuts.
Flow withCuts(Flow flow, const std::vector<NodeId> &nodes);

/// The cuts that paths from `source` reach first, ascending.
std::vector<NodeId> nextCuts(const Flow &flow, NodeId source);

} // namespace understudy::compose::sequential
