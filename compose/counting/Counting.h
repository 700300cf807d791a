// SPDX-License-Identifier: Apache-2.0
//
// The engine for any number of threads: how many threads are where, instead of which ones.
#pragma once

#include "compose/Budget.h"
#include "compose/Verdict.h"
#include "compose/proof/CountingProof.h"

#include <optional>

namespace understudy::compose::counting {

struct CountingOptions : Limits {
  enum class FewThreads { TryFirst, Skip };

  uint64_t resources =
      30'000'000; ///< Z3's rlimit for one query (a million is about a second); 0: none
  /// Does the explicit engine look for a violation with few threads before?
  FewThreads fewThreads = FewThreads::TryFirst;
  uint64_t fewStates = 200'000; ///< for each number of threads it tries
  enum class Proof { AsFound, Small };
  Proof proof = Proof::AsFound; ///< one that is written or shown should be small
};

struct CountingStatistics {
  uint64_t crowds = 0;    ///< counters
  uint64_t controls = 0;  ///< vectors of locations of the threads followed one by one
  uint64_t steps = 0;     ///< of the counter system
  uint64_t equations = 0; ///< affine invariants
  uint64_t attempts = 0;  ///< strategies tried
  uint64_t queries = 0;
  double seconds = 0;
};

struct CountingResult {
  /// `safe` holds for any number of the threads run with `*` and of forked ones; `unsafe` has a
  /// trace that replays; `unknown` a reason.
  Verdict verdict;
  /// Of safe: inductive, and re-checked by queries of their own.
  std::optional<proof::CountingProof> proof;
  CountingStatistics statistics;
};

/// Never throws for what it cannot decide: that is `unknown` with the reason.
CountingResult verifyCounting(const Program &program, const CountingOptions &options);

} // namespace understudy::compose::counting
