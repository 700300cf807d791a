// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Budget.h"
#include "compose/tnet/Explore.h"

namespace understudy::compose::tnet {

/// The graph of the markings themselves, by the literal interpreter: for comparison, and infinite
/// as soon as threads are created for ever. Finds no growth and keeps no graph.
ExploreResult exploreLiterally(const Net &net, const ExploreOptions &options);

/// Searches. A limit ends the search, and the result names it; what cannot be followed is thrown.
template <std::invocable Search>
void withinLimits(const Budget &budget, ExploreResult &result, Search search) {
  try {
    search();
  } catch (const logic::Overflow &) {
    throw logic::Unsupported("a number leaves the range of 64-bit integers");
  } catch (const logic::Unsupported &reason) {
    if (!budget.exhausted())
      throw;
    result.limit = reason.what();
  }
}

} // namespace understudy::compose::tnet
