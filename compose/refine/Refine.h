// SPDX-License-Identifier: Apache-2.0
//
// The engine for programs that fork and join, with any data: full guarantees as long as the thread
// width is bounded, and the width is found, not supplied.
#pragma once

#include "compose/Budget.h"
#include "compose/Verdict.h"
#include "compose/refine/InvariantDomain.h"
#include "compose/refine/TraceAbstraction.h"

#include <memory>
#include <vector>

namespace understudy::compose::refine {

/// Figure 5 of the petrification paper.
enum class Algorithm : uint8_t {
  SafetyFirst = 1, ///< safety, then the bound, then the next limit
  BoundFirst = 2,  ///< raise the limit until the bound holds, then safety
  Together = 3,    ///< both at once; the run that is found decides
};

struct RefineOptions : Limits {
  Algorithm algorithm = Algorithm::SafetyFirst;
  Search search = Search::Unfold;
  uint32_t maxWidth = 8;
  uint64_t maxTransitions = 50'000; ///< of a net
  uint64_t resources = 20'000'000;  ///< Z3's rlimit of one query; 0: none
  uint64_t maxStates = 1'000'000;
  uint64_t maxRefinements = 200; ///< of one check
};

/// How a run of the engine ended.
enum class Ending : uint8_t {
  Decided, ///< safe or unsafe
  Open,    ///< a run, a proof or a limit of the search: another algorithm may get further
  Width,   ///< more than `maxWidth`
  Time,    ///< `maxSeconds`, or `stop`
  Refused, ///< the program has no start that the solver finds, or no net
};

/// One check of one specification.
struct RefineIteration {
  uint32_t limit = 0; ///< β
  petri::Specification specification = petri::Specification::Safety;
  AbstractionResult::Outcome outcome = AbstractionResult::Outcome::Open;
  AbstractionStatistics statistics;
};

struct RefineResult {
  /// `safe` has the width; `unsafe` a trace that replays, with algorithm 1 at the least limit that
  /// has one; `unknown` a reason.
  Verdict verdict;
  Ending ending = Ending::Decided;
  std::vector<RefineIteration> iterations;
  uint32_t limit = 0; ///< β of the last check
  /// Of safe: one domain for both specifications or one for each, checked by queries of their own.
  std::vector<InvariantDomain> proof;
  std::shared_ptr<const petri::PetriProgram> net; ///< that the proof speaks of
};

/// The statistics of all iterations together, without the time.
Statistics statisticsOf(const std::vector<RefineIteration> &iterations);

/// Never throws for what it cannot decide: that is `unknown` with the reason.
RefineResult verifyRefine(const Program &program, const RefineOptions &options);

/// The predicates, and for each that speaks of an instance the same about the instance whose number
/// is the limit, where there is one.
Predicates withImages(const Predicates &predicates, const petri::PetriProgram &petri);

} // namespace understudy::compose::refine
