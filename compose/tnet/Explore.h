// SPDX-License-Identifier: Apache-2.0
//
// The state graph of a thread net, up to the names of ids.
//
// Markings that differ only in ids and in counters of generators have the same future (Theorem 2 of
// the paper), so the search is breadth-first over states without them (`State.h`), written in
// canonical order: equal bytes are equivalent markings, and the test whether a state is new is a
// look into a table, where the paper compares graphs with every state known. Where processes are
// created for ever, the graph is finite as long as finitely many are alive together.
//
// If they are not, it may be seen: a state that is contained in a later one, with more tokens, can
// repeat the steps between the two for ever, for firing never asks that something be absent.
#pragma once

#include "compose/Budget.h"
#include "compose/tnet/Literal.h"

#include <optional>
#include <string>
#include <vector>

namespace understudy::compose::tnet {

struct ExploreOptions : Limits {
  enum class Graph { Forget, Keep };
  enum class Equivalence { On, Off };
  static constexpr uint64_t mostStates = 4'000'000'000; ///< that have numbers
  uint64_t maxStates = 5'000'000;
  uint64_t maxMemoryBytes = 8ull << 30;
  std::optional<uint64_t> maxDepth = {};
  Graph graph = Graph::Forget;
  /// Off: every marking is a state of its own.
  Equivalence equivalence = Equivalence::On;
};

/// A run from the start, replayed by the literal interpreter.
struct Run {
  std::vector<Marking> markings; ///< one more than transitions
  std::vector<Firing> fired;     ///< `after` is the next marking
};

struct Unbounded {
  Run run;          ///< to the later state
  size_t from = 0;  ///< the number of the marking that the last one contains
  std::string adds; ///< "a token in handler and 2 tokens in mail"
};

/// A distinct (state, transition, state).
struct GraphEdge {
  uint32_t from = 0, to = 0, transition = 0;
  /// The atoms of the target that were atoms of the source before, or are new (noAtom), in order.
  std::vector<uint32_t> origins;
};

struct StateGraph {
  /// Of the states of a graph for which a limit left neither time nor memory, these are kept.
  static constexpr size_t mostBeyondLimits = 1000;
  std::vector<std::vector<uint8_t>> states; ///< encoded
  uint32_t expanded = 0;                    ///< those before have all their edges
  std::vector<uint32_t> dead;               ///< ascending
  std::vector<GraphEdge> edges;
  std::vector<std::optional<uint32_t>> answers; ///< for each question, the first state with it
};

struct ExploreResult {
  uint64_t states = 0, edges = 0, firings = 0, depth = 0;
  uint64_t dead = 0;         ///< states without a firing
  uint64_t finished = 0;     ///< those whose threads all are in final places
  uint64_t notCanonical = 0; ///< labellings that reached their limit: merges may be lost
  double seconds = 0;
  double labellingSeconds = 0;      ///< of the processor, about
  std::optional<std::string> limit; ///< why the search ended early
  std::optional<Unbounded> unbounded;
  std::vector<std::optional<Run>> found; ///< for each question
  std::optional<StateGraph> graph;

  bool complete() const { return !limit && !unbounded; }
  /// `never` is violated: unsafe; all of them hold: safe, if the search was complete.
  Answer answer(const Net &net) const;
  /// Of unknown.
  std::string reason() const;
};

/// Numbers beyond 64 bits are a limit like others: what needs them is left out.
ExploreResult explore(const Net &net, const ExploreOptions &options);

} // namespace understudy::compose::tnet
