// SPDX-License-Identifier: Apache-2.0
//
// Cheap looks at a program: which engines are worth a try, and in which order.
#pragma once

#include "compose/Interpreter.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace understudy::compose::portfolio {

/// Of the threads that are run in any number (`T*`), each once.
std::vector<std::string> openThreads(const Program &program);

/// A variable that holds a number without bounds.
bool hasUnboundedData(const Program &program);

bool hasForks(const Program &program);

/// Where nothing is forked and no thread is run in any number: the most threads of one kind.
std::optional<uint32_t> widthOfStart(const Program &program);

} // namespace understudy::compose::portfolio
