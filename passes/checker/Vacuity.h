// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/System.h"
#include "passes/checker/Machine.h"

namespace understudy::passes::checker {

/// What the engine could tell within its limits.
struct Use {
  std::optional<Vacuity> contract; ///< parts of the contract that no run of the code uses
  std::optional<UnreachedCode> code;
};

/// Precondition: the thread conforms, and something is asked.
Use findUnused(System &system, const Machine &machine, VacuityReport asked,
               const compose::sequential::SequentialOptions &options);

} // namespace understudy::passes::checker
