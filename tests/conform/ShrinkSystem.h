// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ContractTree.h"

#include <functional>

namespace understudy::tests {

/// Systems that are smaller by one statement, edge, claim or thread.
std::vector<FiniteSystem> smaller(const FiniteSystem &system);

/// Makes the system smaller as long as `fails` holds of it. Precondition: fails(system).
FiniteSystem shrunk(FiniteSystem system, const std::function<bool(const FiniteSystem &)> &fails);

} // namespace understudy::tests
