// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Budget.h"
#include "compose/cover/CoverAnswer.h"

#include <cstdint>

namespace understudy::compose::cover {

struct CoverOptions : Limits {
  enum class Algorithm : uint8_t { Backward, Cat, Lean };
  enum class Oracle : uint8_t { On, Off };
  enum class PrePass : uint8_t { On, Off };
  /// Its proofs are no `CoverProof`, so they can be given up for one that can be checked.
  enum class StateEquation : uint8_t { On, Off };

  Algorithm algorithm = Algorithm::Lean;
  Oracle oracle = Oracle::On;
  PrePass prePass = PrePass::On;
  StateEquation stateEquation = StateEquation::On; ///< a part of the pre-pass
  uint32_t widenThreads = 1;                       ///< most threads of a candidate
  uint64_t maxVertices = 50'000'000;
  uint64_t maxMemoryBytes = 8ull << 30;
};

/// Can a target be covered? Never throws for what it cannot decide: that is `unknown` with the
/// reason. The same problem and options give the same answer, trace and proof each time (unless a
/// limit of time ends it).
CoverAnswer decideCover(const net::CoverProblem &problem, const CoverOptions &options);

} // namespace understudy::compose::cover
