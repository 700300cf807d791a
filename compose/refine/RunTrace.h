// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Trace.h"
#include "compose/refine/Feasibility.h"

#include <optional>

namespace understudy::compose::refine {

/// The execution of the program that a feasible run of its petrified form stands for, with the
/// failure at its end. `execution.states[i + 1]` is the state after the first i transitions. None
/// if nothing goes wrong at the end, or the interpreter does not accept it (a number beyond 64
/// bits).
std::optional<Trace> traceOf(const Program &program, const petri::PetriProgram &petri,
                             const petri::Run &run, const Execution &execution);

} // namespace understudy::compose::refine
