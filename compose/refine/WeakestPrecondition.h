// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/refine/Interpolate.h"
#include "logic/Solver.h"

namespace understudy::compose::refine {

/// Interpolants of an infeasible run by substitution, for steps that say what the values after are;
/// none where a step leaves a value open that matters.
std::optional<Interpolants> byWeakestPrecondition(logic::TermPool &pool,
                                                  std::span<const Step> steps,
                                                  logic::SolverLimits limits);

} // namespace understudy::compose::refine
