// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Budget.h"
#include "compose/petri/PetriProgram.h"
#include "compose/refine/InvariantDomain.h"

#include <map>
#include <optional>
#include <vector>

namespace understudy::compose::empire {

using petri::PlaceId;
using petri::TransitionId;
using PredicateId = uint32_t;
using Law = std::vector<PredicateId>; ///< a conjunction; sorted

/// The reachable configurations of a safe invariant domain: markings, and what holds there.
struct Configurations {
  struct Configuration {
    std::vector<PlaceId> marking; ///< sorted
    Law law;
    uint32_t state = 0; ///< of the domain: equal numbers go on alike
    /// Of each transition that is enabled: where it leads; none: it is impossible.
    std::vector<std::pair<TransitionId, std::optional<uint32_t>>> next;
  };
  std::vector<Term> predicates;
  std::vector<Configuration> all; ///< the first is the start

  size_t markings() const;
};

/// Of the product of all components of the domains, over the whole net. A transition that the net
/// of one specification lacks must be impossible for the other's. Throws `logic::Unsupported` when
/// there are more than `most`, or the time is over.
Configurations configurationsOf(const petri::Net &net,
                                const std::vector<refine::InvariantDomain> &domains, uint64_t most,
                                Budget &budget);

} // namespace understudy::compose::empire
