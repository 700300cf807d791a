// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/proof/Evidence.h"
#include "compose/proof/Obligations.h"

namespace understudy::compose::proof {

/// What must hold so that the evidence proves the program safe. Computed from the program's
/// semantics; of the evidence only the formulas are used, as names for sets of states. Deadlock is
/// not looked at.
///
/// If all are unsatisfiable, no execution goes wrong: the invariants hold at the start, every step
/// leads from one to one, every thread is in a crowd or followed, and nothing wrong is in them.
/// Throws InvalidEvidence when the evidence does not fit the program.
ObligationScript countingObligations(const Program &program, const CountingEvidence &evidence);

} // namespace understudy::compose::proof
