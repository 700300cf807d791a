// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/tnet/Explore.h"

namespace understudy::compose::tnet {

/// The graph of the markings themselves, by the literal interpreter: for comparison, and infinite
/// as soon as threads are created for ever. Finds no growth and keeps no graph.
ExploreResult exploreLiterally(const Net &net, const ExploreOptions &options);

} // namespace understudy::compose::tnet
