// SPDX-License-Identifier: Apache-2.0
//
// Assertions that the source has and the compiled code has not: NDEBUG removes them before anybody
// could check them, and so does a macro that is empty in this configuration.
#pragma once

#include "passes/read/SourceMap.h"

#include <string>
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace understudy::passes::lower {

/// "uart.c:12 assert(open)": where the function says `assert(…)`, or another name with "assert" in
/// it, and in that line neither calls a function of that name nor one that reports a failed
/// assertion. Needs debug information and the source.
std::vector<std::string> lostAssertions(const llvm::Function &function, read::SourceMap &sources);

} // namespace understudy::passes::lower
