// SPDX-License-Identifier: Apache-2.0
//
// The code of a finite system, all interleavings.
#pragma once

#include "ConcreteThread.h"
#include "ContractTree.h"

namespace understudy::tests {

/// How the code goes wrong from the contract's start values: one line for each shared state on the
/// way; none if it cannot. Throws `TooLarge`.
std::optional<std::string> codeFails(const FiniteSystem &system);

/// Can the part go wrong if others may do anything at any time? Then whatever keeps it right lies
/// in the others.
bool failsAlone(const FiniteSystem &system, size_t part);

} // namespace understudy::tests
