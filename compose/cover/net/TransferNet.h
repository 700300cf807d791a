// SPDX-License-Identifier: Apache-2.0
//
// What the coverability engine works on: any number of threads, each in one of finitely many local
// states, and one shared state. A thread transition system has many shared states and moves one or
// two threads at a time; a Petri net has one shared state and moves several. Both are this.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace understudy::compose::cover::net {

using SharedState = uint32_t;
using LocalState = uint32_t;

/// So many threads in one local state.
struct Group {
  LocalState local = 0;
  uint32_t count = 0;
  auto operator<=>(const Group &) const = default;
};

/// A multiset of local states: sorted by local state, each at most once, no zero counts.
using Threads = std::vector<Group>;

/// (shared | threads). v <= w when the shared states are equal and w has at least the threads of v.
struct Configuration {
  SharedState shared = 0;
  Threads threads;
  auto operator<=>(const Configuration &) const = default;
};

struct Move {
  LocalState from = 0;
  LocalState to = 0;
  auto operator<=>(const Move &) const = default;
};

/// From (from | M): blocks unless M contains `consumes`. Those threads are taken out; of the rest
/// (the passive threads) one is moved by `signals` or all are moved by `transfers`; then `produces`
/// is put in.
/// - signals: if some passive thread is in the source of a move, exactly one such thread takes one
///   of its moves; if there is none, nothing moves.
/// - transfers: every passive thread in the source of a move takes one of the moves from its local
///   state, each thread its own choice.
/// At most one of the two is not empty. A thread transition consumes l and produces l'; a spawn
/// consumes l and produces l and l'; a broadcast may consume nothing.
struct Transition {
  SharedState from = 0;
  SharedState to = 0;
  Threads consumes;
  Threads produces;
  std::vector<Move> signals;   ///< sorted, without duplicates
  std::vector<Move> transfers; ///< sorted, without duplicates
  uint32_t origin = 0; ///< line of the model, or what the maker of the net wants to find again

  bool operator==(const Transition &) const = default;
};

/// The start configurations: `threads`, and any number of threads in each state of `anyNumber`.
struct StartSet {
  SharedState shared = 0;
  Threads threads;
  std::vector<LocalState> anyNumber; ///< sorted, without duplicates
};

struct TransferNet {
  uint32_t sharedStates = 0;
  uint32_t localStates = 0;
  std::vector<Transition> transitions;
  std::vector<StartSet> starts; ///< a start configuration belongs to one of them
  /// For messages; empty, or one for each state.
  std::vector<std::string> sharedNames;
  std::vector<std::string> localNames;
};

/// Can a configuration be reached that covers one of `targets`?
struct CoverProblem {
  TransferNet net;
  std::vector<Configuration> targets;
};

/// Definition 2: a set whose upward closure contains the targets, contains no start configuration,
/// and with each configuration all that can reach it in a step.
struct CoverProof {
  std::vector<Configuration> uncoverable; ///< minimal elements, sorted
};

/// A start configuration and the transitions to fire from it; `after[i]` is the configuration after
/// the first i of them (so it has one element more), and the last one covers a target.
struct CoverTrace {
  std::vector<uint32_t> fired; ///< indices into TransferNet::transitions
  std::vector<Configuration> after;
};

} // namespace understudy::compose::cover::net
