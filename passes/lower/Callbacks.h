// SPDX-License-Identifier: Apache-2.0
//
// Functions that code without body gets to know.
//
// The problem: `qsort(a, n, size, compare)` calls `compare`, and `atexit(f)` sees to it that `f` is
// called, but their bodies are not there to be followed. The idea: a function whose address is
// handed to such code, by itself, as a number or in memory, may be called at any time. That is
// nothing to conformance if it does nothing that conformance speaks of; otherwise nothing can be
// said. The functions of the contract's threads are started as the `run` line says, whoever starts
// them.
#pragma once

#include "passes/lower/Lower.h"

#include <map>

namespace understudy::passes::lower {

/// The functions that each function without body may call, by their names in the source; only those
/// that do nothing of interest. Throws `logic::Unsupported`, naming call and function, for others.
/// Adds what is assumed of the functions without body that they call. Precondition: everything is
/// inlined, and nothing rewritten.
std::map<std::string, std::set<std::string>> findCallbacks(Lowered &lowered,
                                                           const memory::Memory &memory,
                                                           read::SourceMap &sources,
                                                           const LowerOptions &options);

/// "a call of the code's own memcpy, which accesses 'x'": where the compiler may call it
/// (`names::ownCopy`), and it does something of interest. Otherwise empty, and an assumption is
/// added.
std::string deedOfOwnCopy(Lowered &lowered, const llvm::CallBase &call,
                          const memory::Memory &memory, const LowerOptions &options);

/// "f performs no thread operation, …": what is assumed of a function without body.
std::string assumedOf(const std::string &function, const std::set<std::string> &callbacks);

} // namespace understudy::passes::lower
