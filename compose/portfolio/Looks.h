// SPDX-License-Identifier: Apache-2.0
//
// Cheap looks at a program: which engines are worth a try, and in which order.
#pragma once

#include "compose/Program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace understudy::compose::portfolio {

/// Of the threads that are run in any number (`T*`), each once.
std::vector<std::string> openThreads(const Program &program);

bool hasForks(const Program &program);

/// Where nothing is forked and no thread is run in any number: the most threads of one kind.
std::optional<uint32_t> widthOfStart(const Program &program);

/// A fork stands in a loop, or a thread forks its own kind, perhaps through others: the number of
/// threads may have no bound.
bool mayForkForever(const Program &program);

} // namespace understudy::compose::portfolio
