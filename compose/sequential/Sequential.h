// SPDX-License-Identifier: Apache-2.0
//
// The engine for programs of one thread: no interleaving, any data.
#pragma once

#include "compose/Budget.h"
#include "compose/Verdict.h"

namespace understudy::compose::sequential {

/// Over the globals and locals of the thread; true whenever the thread is at `location`.
struct LocationInvariant {
  LocationId location = 0;
  Term formula;
};

struct SequentialOptions : Limits {
  enum class Boxes { On, Off };
  enum class Expect { Safe, Unsafe };

  uint64_t resources = 0;  ///< Z3's rlimit for one query; 0: no limit
  Boxes boxes = Boxes::On; ///< Off: exact engines only, for comparison
  /// Which answer is likely. It decides what is tried first, never what is answered.
  Expect expect = Expect::Safe;
  /// Invariants that somebody states at loop heads. Each is used where it proves to be inductive
  /// together with the others, and has no influence otherwise.
  std::vector<LocationInvariant> stated;
};

struct SequentialStatistics {
  uint64_t locations = 0; ///< after compression
  uint64_t edges = 0;     ///< after compression
  uint64_t queries = 0;
  double seconds = 0;
};

struct SequentialResult {
  /// `unsafe` has a trace that replays; `unknown` a reason.
  Verdict verdict;
  /// Of safe: inductive together with those between, and re-checked by queries of their own. One
  /// for every loop head.
  std::vector<LocationInvariant> invariants;
  /// Of safe: those at other locations, which make the parts of the proof small. None where the
  /// proof is about all of the code between two loop heads.
  std::vector<LocationInvariant> between;
  /// Of safe: locations that no path reaches, edges that are plainly impossible left out.
  std::vector<LocationId> unreachable;
  std::vector<bool> confirmed; ///< for each of the stated invariants: is it one?
  SequentialStatistics statistics;
};

/// Precondition: exactly one thread runs (one start with count 1, not unbounded); no fork, join,
/// lock, wait, signal or broadcast on its edges; no relies, exclusions or invariants.
SequentialResult verifySequential(const Program &program, const SequentialOptions &options);

} // namespace understudy::compose::sequential
