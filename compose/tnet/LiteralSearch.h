// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Budget.h"
#include "compose/tnet/Explore.h"

namespace understudy::compose::tnet {

/// The graph of the markings themselves, by the literal interpreter: for comparison, and infinite
/// as soon as threads are created for ever. Finds no growth and keeps no graph.
ExploreResult exploreLiterally(const Net &net, const ExploreOptions &options);

inline constexpr const char *beyondNumbers = "a number leaves the range of 64-bit integers";

/// Searches. A limit ends the search, and the result names it.
template <std::invocable Search>
void withinLimits(const Budget &budget, ExploreResult &result, Search search) {
  try {
    search();
  } catch (const logic::Overflow &) {
    result.limit = beyondNumbers;
  } catch (const logic::Unsupported &reason) {
    if (!budget.exhausted())
      throw;
    result.limit = reason.what();
  }
}

} // namespace understudy::compose::tnet
