// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/System.h"
#include "passes/checker/Machine.h"

namespace understudy::passes::checker {

/// Which parts of the contract no run of the code uses. Precondition: the thread conforms.
/// None: the engine could not tell within its limits.
std::optional<Vacuity> findVacuity(System &system, const Machine &machine,
                                   const compose::sequential::SequentialOptions &options);

} // namespace understudy::passes::checker
