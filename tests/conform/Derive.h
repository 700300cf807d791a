// SPDX-License-Identifier: Apache-2.0
//
// A contract that fits a thread: one state for each place at which a step is due, edges that say
// what the steps do under the assertions and relies chosen beforehand.
#pragma once

#include "ConcreteThread.h"
#include "Describe.h"

namespace understudy::tests {

/// Names the markers of the code after the states in which they stand.
ThreadContract derivedContract(Random &random, const SharedSpace &space,
                               const std::optional<Formula> &invariant, ThreadCode &code,
                               const std::string &name, Reading reading = Reading::AsWorded);

/// A contract that knows nothing of any thread.
ThreadContract randomContract(Random &random, const SharedSpace &space, const std::string &name);

} // namespace understudy::tests
