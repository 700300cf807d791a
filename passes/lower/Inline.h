// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/read/SourceMap.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace understudy::passes::lower {

struct InlineOptions {
  /// Functions whose calls are actions: a call of `names::action` + NAME stands before the body.
  std::set<std::string> actions;
  /// Is an access through the pointer a step of the thread?
  std::function<bool(const llvm::Value *pointer)> isStep = {};
};

/// A function with all callees inlined.
struct Inlined {
  llvm::Function *function = nullptr;
  std::set<std::string> assumptions; ///< weak bodies that were followed
  bool asWritten = true;             ///< nothing in it was optimised (`Poison.h`)
  bool isSilent = true;              ///< no assertion and no marker is in it
  /// Steps, assertions and markers behind branches on constants, which inlining leaves out.
  std::vector<logic::SourceRange> dropped;
};

/// A function `void NAME(void)` that calls the thread's function with any arguments, with locals
/// promoted and all callees inlined but those that the table replaces (`KnownFunctions.h`) or that
/// have no body; also those whose address is only known once their caller is inlined. Functions
/// named __VERIFIER_atomic_X lie between calls of __VERIFIER_atomic_begin and _end.
/// Throws `logic::Unsupported` for recursion that does not end soon (with the cycle) and functions
/// that cannot be inlined; the module is then as it was.
Inlined inlineThread(llvm::Function &thread, const std::string &name, read::SourceMap &sources,
                     const InlineOptions &options);

} // namespace understudy::passes::lower
