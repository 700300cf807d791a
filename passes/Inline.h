// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/SourceMap.h"

#include <string>

namespace llvm {
class Function;
} // namespace llvm

namespace understudy::passes {

/// A function `void NAME(void)` that calls the thread's function with any arguments, with all
/// callees inlined but those that are known by name (`Library.h`) or have no body; functions named
/// __VERIFIER_atomic_X lie between calls of __VERIFIER_atomic_begin and _end.
/// Throws `logic::Unsupported` for recursion (with the cycle), calls through pointers, functions
/// that cannot be inlined.
llvm::Function &inlineThread(llvm::Function &thread, const std::string &name, SourceMap &sources);

} // namespace understudy::passes
