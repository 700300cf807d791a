// SPDX-License-Identifier: Apache-2.0
//
// What is known about an answer of the coverability engine beyond the word: statistics, the proof
// or the trace.
#pragma once

#include "compose/Verdict.h"
#include "compose/cover/Search.h"
#include "compose/cover/net/CoverProof.h"
#include "compose/cover/net/TransferNet.h"

#include <optional>
#include <string>

namespace understudy::compose::cover {

struct CoverStatistics {
  SearchStatistics search;
  uint64_t usefulTransitions = 0;
  uint64_t oracleNodes = 0;
  uint64_t oracleSuccessors = 0;
  uint64_t rounds = 0;
  double seconds = 0;
};

struct CoverAnswer {
  Answer answer = Answer::Unknown;
  std::string reason;                                   ///< of unknown
  std::string decidedBy;                                ///< "sign analysis", "oracle", "lean", …
  std::optional<net::CoverProof> proof;                 ///< of safe, unless there is the other kind
  std::optional<net::StateEquationProof> stateEquation; ///< of safe
  std::optional<net::CoverTrace> trace;                 ///< of unsafe, replayed
  CoverStatistics statistics;
};

} // namespace understudy::compose::cover
