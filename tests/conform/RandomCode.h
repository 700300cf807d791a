// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Support.h"
#include "ThreadCode.h"

namespace understudy::tests {

/// How large random systems are.
struct Scale {
  size_t states = 24;    ///< most shared states
  size_t variables = 3;  ///< most shared variables
  size_t statements = 7; ///< most statements of a thread, blocks counted once
};

std::vector<SharedVariable> randomVariables(Random &random, const Scale &scale);

/// The same with a mutex or two, which guard most of the others.
std::vector<SharedVariable> randomLockedVariables(Random &random, const Scale &scale);

/// A thread over the variables. Markers have no name yet: whoever writes the contract names them.
ThreadCode randomCode(Random &random, const std::vector<SharedVariable> &variables,
                      const Scale &scale, const std::string &function);

} // namespace understudy::tests
