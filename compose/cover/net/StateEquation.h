// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/cover/net/CoverProof.h"
#include "compose/cover/net/TransferNet.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace understudy::compose::cover::net {

struct StateEquationLimits {
  uint64_t resources = 20'000'000; ///< of one query
  size_t mostTransitions = 3000;
  size_t mostQueries = 300;
};

/// Are all targets excluded by the state equation with traps? None: not proved. `useful[t]`: the
/// transitions that can fire and matter; empty means all.
std::optional<StateEquationProof> proveByStateEquation(const CoverProblem &problem,
                                                       const std::vector<bool> &useful,
                                                       const StateEquationLimits &limits = {});

} // namespace understudy::compose::cover::net
