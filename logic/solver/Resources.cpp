// SPDX-License-Identifier: Apache-2.0
#include "logic/solver/Resources.h"

#include <algorithm>
#include <limits>

namespace understudy::logic::solver {

/// The context's limit counts for each check.
void Resources::limit(uint64_t resources) {
  constexpr uint64_t most = std::numeric_limits<unsigned>::max();
  if (resources == limit_)
    return;
  limit_ = resources;
  Z3_update_param_value(context_, "rlimit", std::to_string(std::min(resources, most)).c_str());
}

uint64_t Resources::used() {
  const z3::stats statistics = idle_.statistics();
  for (unsigned i = 0; i < statistics.size(); ++i)
    if (statistics.key(i) == "rlimit count")
      return statistics.is_uint(i) ? statistics.uint_value(i)
                                   : static_cast<uint64_t>(statistics.double_value(i));
  return 0;
}

} // namespace understudy::logic::solver
