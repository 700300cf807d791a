// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/proof/Evidence.h"
#include "compose/proof/Obligations.h"

namespace understudy::compose::proof {

/// What must hold so that the invariants prove that the one thread of the program never takes an
/// edge into an error location. At a loop without invariant nothing is known; programs without
/// loops need none.
/// Throws InvalidEvidence when the evidence does not fit the program, and Unsupported when the
/// program is not of one thread.
ObligationScript sequentialObligations(const Program &program, const SequentialEvidence &evidence);

} // namespace understudy::compose::proof
