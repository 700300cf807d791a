// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Verdict.h"
#include "logic/solver/Pace.h"

#include <functional>
#include <stop_token>
#include <string>

namespace understudy::compose {

/// Called now and then during long work; must not throw.
using Progress = std::function<void(const std::string &phase, const Statistics &statistics)>;

/// What every engine obeys in the same way. The options of an engine add the counts that it alone
/// knows.
struct Limits {
  double maxSeconds = 0;               ///< for the whole; 0: no limit
  std::stop_token stop = {};           ///< asked for by another thread: as if the time were over
  logic::solver::Pace *pace = nullptr; ///< of engines that run beside one another
  Progress progress = {};
};

} // namespace understudy::compose
