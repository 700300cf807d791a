// SPDX-License-Identifier: Apache-2.0
//
// The engine for any number of threads with finite data: the program is made a net, and the
// coverability of what is wrong is decided.
#pragma once

#include "compose/Verdict.h"
#include "compose/cover/Cover.h"
#include "compose/cover/translate/Translate.h"

namespace understudy::compose::cover::translate {

struct VerifyCoverOptions {
  TranslateOptions translate;
  CoverOptions search;
};

struct VerifyCoverResult {
  /// `safe` holds for any number of the threads run with `*` and of forked ones; `unsafe` has a
  /// trace that replays; `unknown` a reason. Statistics: `states` are shared states and `counters`
  /// local states of the net.
  Verdict verdict;
  std::optional<net::CoverProof> proof; ///< of safe, checked; none: by the state equation
  CoverStatistics statistics;
};

/// Never throws for what it cannot decide: that is `unknown` with the reason.
VerifyCoverResult verifyCover(const Program &program, const VerifyCoverOptions &options);

} // namespace understudy::compose::cover::translate
