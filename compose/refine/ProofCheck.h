// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Budget.h"
#include "compose/petri/PetriProgram.h"
#include "compose/refine/InvariantDomain.h"

#include <optional>
#include <string>

namespace understudy::compose::refine {

struct ProofCheckOptions {
  uint64_t resources = 50'000'000; ///< Z3's rlimit of one query
  uint64_t maxStates = 300'000; ///< markings with states; beyond, the unfolding is walked through
};

/// Is the domain a safe invariant domain of the Petri program, for its specification? Asks the
/// reachable pairs of a marking and a vector of states, and asks the solver for every Hoare triple
/// it meets. Shares nothing with the automata but the data. Returns what is wrong, or could not be
/// checked; none: it is safe.
std::optional<std::string> defectOf(const InvariantDomain &domain, const Program &program,
                                    const petri::PetriProgram &petri, Budget &budget,
                                    const ProofCheckOptions &options = {});

} // namespace understudy::compose::refine
