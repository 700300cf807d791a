// SPDX-License-Identifier: Apache-2.0
//
// The definition of abstraction word by word, for short executions: every phased execution of the
// thread up to a length is written down, and for each one an abstracting execution of the contract
// is searched. Shares with `Definition.h` only the concrete thread and the contract before
// saturation: silent moves are made one by one, and no set of candidates is kept.
#pragma once

#include "ConcreteThread.h"
#include "ContractMachine.h"

namespace understudy::tests {

/// Is every phased execution of the thread of at most this length abstracted by one of the
/// contract, and are the duties of markers and returns kept in all of them?
bool abstractedUpTo(size_t length, ConcreteThread &thread, ContractMachine &contract);

} // namespace understudy::tests
