// SPDX-License-Identifier: Apache-2.0
//
// A second kind of evidence beside `CoverProof` of TransferNet.h: that linear arithmetic excludes
// the targets.
#pragma once

#include "compose/cover/net/TransferNet.h"

#include <cstdint>
#include <vector>

namespace understudy::compose::cover::net {

/// Shared and local states such that a transition that takes a thread out of them (or leaves one of
/// the shared states) also puts one in: once one of them is occupied, one always is. A passive move
/// out of them ends in them.
struct Trap {
  std::vector<SharedState> shared; ///< sorted
  std::vector<LocalState> locals;  ///< sorted
};

/// For each start set and each target, these conditions have no common solution in integers:
/// - x[t] >= 0 for each of `transitions`, how often it fires; y[t, m] >= 0 for each of its passive
///   moves, how many threads take it, with y[t, m] = 0 if x[t] = 0, and y[t, m] <= x[t] for
///   signals; e[l] >= 0 for each local state of which the start allows any number;
/// - the state equation: count[l] = start[l] + e[l] + sum of x[t] * (produces - consumes) + moves,
///   and the same for the shared states, of which exactly one is occupied;
/// - count >= 0, and count >= target;
/// - for each trap: if it is occupied at the start, it is occupied in the end.
/// Transitions that are not listed cannot fire, by the sign analysis, or cannot matter for a
/// target.
struct StateEquationProof {
  std::vector<uint32_t> transitions;
  std::vector<Trap> traps;
};

} // namespace understudy::compose::cover::net
