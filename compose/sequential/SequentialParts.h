// SPDX-License-Identifier: Apache-2.0
//
// The parts of the sequential engine: each answers with what it found or with the reason why not.
#pragma once

#include "compose/Budget.h"
#include "compose/sequential/Flow.h"
#include "compose/sequential/Sequential.h"
#include "compose/sequential/Unroll.h"
#include "logic/solver/Solver.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace understudy::compose::sequential {

/// Why something could not be decided.
struct Undecided {
  std::string reason;
};

/// At each cut but entry and error, by node: a formula over the variables live there.
using CutInvariants = std::map<NodeId, Term>;

/// Is there a path from the entry to the error with at most `hops` stretches between cuts? Shortest
/// first. No path: none exists within the bound.
struct NoPath {};
using PathSearch = std::variant<FlowPath, NoPath, Undecided>;
PathSearch findPath(const Flow &flow, uint64_t hops, Budget &budget);

/// The same from a given state at a node, with Z3's resources limited.
PathSearch findPathFrom(const Flow &flow, NodeId node, const PartialState &state, uint64_t hops,
                        uint64_t resources, Budget &budget);

/// A path found by walking: from state to state through the cuts, by the shortest way to the error
/// that is open, in states that satisfy what `allowed` says of them. The nodes that it names are
/// stops beside the cuts. None: the walk got stuck.
std::optional<FlowPath> walk(const Flow &flow, const CutInvariants &allowed, Budget &budget);

/// Horn clauses, one predicate for each cut and each of the heads, with Z3's resources limited; 0:
/// not further than the budget does.
using HornResult = std::variant<CutInvariants, FlowPath, Undecided>;
HornResult solveHorn(const Flow &flow, const std::vector<NodeId> &heads, uint64_t resources,
                     Budget &budget);

/// Are the invariants inductive in the flow and do they exclude the error? None if so, otherwise
/// why not. They may stand at more nodes than the cuts.
std::optional<std::string> recheck(Flow flow, CutInvariants invariants, Budget &budget);

/// Which of the stated invariants are inductive together. Precondition: all variables are live
/// everywhere in the flow.
std::vector<bool> confirmStated(const Flow &flow, const std::vector<LocationInvariant> &stated,
                                Budget &budget);

std::vector<NodeId> cutsOf(const Flow &flow);

/// The same path with values near 0, as far as that is possible: for readers.
FlowPath withSmallNumbers(const Flow &flow, const FlowPath &path, Budget &budget);

/// The path as an execution of the program, replayed by the interpreter.
using TraceResult = std::variant<Trace, Undecided>;
TraceResult traceOf(const Flow &flow, const FlowPath &path, Budget &budget);

} // namespace understudy::compose::sequential
