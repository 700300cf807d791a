// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/refine/Refine.h"

#include <chrono>

namespace understudy::compose::refine {

struct BesideOptions {
  /// How long algorithm 1 works alone.
  std::chrono::milliseconds patience{1000};
  /// With one, algorithm 3 waits until algorithm 1 has ended. 0: those of the machine.
  unsigned cores = 0;
};

/// Algorithm 1, with algorithm 3 beside it: what algorithm 1 decides is the answer; what it leaves
/// open, for another reason than the width or the time, algorithm 3 may decide. Then `unsafe` need
/// not come at the least limit. When nothing runs out of time, the result does not depend on how
/// fast either of them is. `options.algorithm` is not looked at; progress is reported on the
/// caller's thread only.
RefineResult verifyBeside(const Program &program, const RefineOptions &options,
                          const BesideOptions &beside = {});

/// Is the answer, safe or unsafe, that algorithm 3 found for a copy true of the program? Asked of
/// the program itself; the proof, whose pool must still be there, is carried over to its pool.
bool confirm(const Program &program, RefineResult &found, const RefineOptions &options,
             Budget &budget);

} // namespace understudy::compose::refine
