// SPDX-License-Identifier: Apache-2.0
//
// Contenders for one answer, by turns or side by side.
#pragma once

#include "compose/Limits.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace understudy::compose::portfolio {

/// Does its work, tells the pace, and ends soon after a stop. True: it has found the answer.
struct Contender {
  std::function<bool(const std::stop_token &stop, logic::solver::Pace &pace)> run;
  uint64_t handicap = 1; ///< its work counts that many times
};

struct TurnOptions {
  uint64_t firstRound = 100'000; ///< work of a contender; every round doubles what it may have done
  unsigned workers = 0;          ///< how many run at a time; 0: as many as the machine has cores
  /// Before that the first contender is alone: most questions are easy. Has no effect on the
  /// answer.
  std::chrono::milliseconds patience{20};
  std::stop_token stop = {};
};

/// The number of the contender that wins: of those that find the answer, the first by (round,
/// number), where the round is that in which its work ends. None: no contender finds it. All have
/// ended when this returns. What a contender throws before it is stopped is thrown here.
std::optional<size_t> firstToAnswer(const std::vector<Contender> &contenders,
                                    const TurnOptions &options);

} // namespace understudy::compose::portfolio
