// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Budget.h"
#include "compose/proof/OwickiGriesCheck.h"
#include "logic/solver/Solver.h"

#include <map>
#include <vector>

namespace understudy::compose::empire {

/// Asks whether annotations of one program are valid, one after the other; most of their triples
/// are alike, and are asked once.
class Validity {
public:
  Validity(const Program &program, Budget &budget, uint64_t maxTriples, uint64_t maxQueries);

  /// False also for what the solver cannot tell.
  bool holds(const proof::OwickiGries &annotation);
  /// Is something left of the counts? What is asked beyond them is still answered.
  bool hasLeft() const { return triples_ < maxTriples_ && queries_ < maxQueries_; }
  uint64_t queries() const { return queries_; }

private:
  const Program &program_;
  Budget &budget_;
  logic::solver::Solver solver_;
  uint64_t maxTriples_, maxQueries_;
  uint64_t triples_ = 0, queries_ = 0;
  std::map<std::vector<Term>, bool> known_; ///< conditions and what is wrong -> impossible

  bool impossible(const proof::TripleGroup &group, const proof::Triple &triple);
};

} // namespace understudy::compose::empire
