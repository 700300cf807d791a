// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Budget.h"
#include "compose/petri/PetriProgram.h"

namespace understudy::compose::petri {

struct PetrifyOptions {
  uint32_t limit = 1; ///< β: how many threads of a forked template may be alive together
  uint64_t maxTransitions = 50'000;
  Budget *budget = nullptr; ///< gets the work that is done, and may end it
};

/// The least limit that the threads of the start need, at least 1.
uint32_t leastLimit(const Program &program);

/// The petrified program: Definition 3.3 of the petrification paper, and equations (1) to (4).
/// Throws `logic::Unsupported` for threads run in any number (`run T*`), and when there would be
/// more than `maxTransitions`. Precondition: limit >= leastLimit(program).
PetriProgram petrify(const Program &program, const PetrifyOptions &options);

} // namespace understudy::compose::petri
