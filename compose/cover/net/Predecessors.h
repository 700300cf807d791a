// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/cover/net/NetIndex.h"
#include "compose/cover/net/TransferNet.h"

#include <cstdint>
#include <vector>

namespace understudy::compose::cover::net {

/// Firing `transition` from `configuration` can lead to a configuration that covers the one whose
/// predecessor this is.
struct Predecessor {
  Configuration configuration;
  uint32_t transition = 0;
};

/// The minimal elements of { p | p -t-> v', v' >= target }, sorted, appended to `result`. None if
/// t ends in another shared state than the target's.
void appendPredecessors(const Transition &transition, uint32_t number, const Configuration &target,
                        std::vector<Predecessor> &result);

/// The predecessors by all transitions: each configuration once (with the transition of the
/// smallest number), sorted. Contains all minimal ones that are not >= target, and perhaps others.
std::vector<Predecessor> predecessors(const NetIndex &index, const Configuration &target);

} // namespace understudy::compose::cover::net
