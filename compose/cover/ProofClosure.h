// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/cover/KarpMiller.h"
#include "compose/cover/net/NetIndex.h"
#include "compose/cover/net/SignAnalysis.h"
#include "compose/cover/net/TransferNet.h"

#include <vector>

namespace understudy::compose::cover {

/// From an oracle that is complete: configurations that are closed under the predecessors by the
/// index's transitions (apart from what the sign analysis excludes) and contain the targets. They
/// are minimal among the uncoverable ones: condition 4 of Definition 2.
std::vector<net::Configuration> uncoverableByOracle(const net::CoverProblem &problem,
                                                    const net::NetIndex &index,
                                                    const KarpMiller &oracle,
                                                    const net::SignAnalysis *signs);

/// The uncoverability proof (Definition 2) that a search's result stands for: `uncoverable`, and of
/// what the sign analysis excludes as much as is needed to close it under the predecessors by all
/// transitions. Every condition is checked on the way; throws `std::logic_error` if one fails.
net::CoverProof closeProof(const net::CoverProblem &problem,
                           std::vector<net::Configuration> uncoverable,
                           const net::SignAnalysis *signs);

} // namespace understudy::compose::cover
