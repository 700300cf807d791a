// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Trace.h"
#include "compose/refine/Feasibility.h"

#include <optional>
#include <string>

namespace understudy::compose::refine {

struct RunTrace {
  std::optional<Trace> trace; ///< replays
  std::string defect;         ///< why there is none
};

/// The execution of the program that a feasible run of its petrified form stands for, with the
/// failure at its end. `execution.states[i + 1]` is the state after the first i transitions. There
/// is none if the interpreter does not accept it: numbers beyond 64 bits are not in `execution`.
RunTrace traceOf(const Program &program, const petri::PetriProgram &petri, const petri::Run &run,
                 const Execution &execution);

} // namespace understudy::compose::refine
