// SPDX-License-Identifier: Apache-2.0
//
// Who else writes the variables of a contract.
//
// The problem: conformance speaks of the threads; an interrupt handler that the contract does not
// know, an initialisation or a constructor may change a named variable, too. The idea: functions
// that no thread reaches, what they call, and functions whose address is known elsewhere can run
// outside of the threads. Where such a function may write a named variable, or hands its address
// out, that it does not run beside the threads is an assumption; and if it runs before them, that
// it leaves the variable at the value with which the contract starts. Assembly there may write any
// of them. Entering the function of a thread is starting the thread, and the `run` line says which
// ones are started: that a call from outside is one of these is an assumption, too.
#pragma once

#include "passes/memory/Memory.h"

#include <set>
#include <string>
#include <vector>

namespace understudy::passes {

/// Does a function reach those that it calls, or those that it mentions as well: callbacks?
enum class Reach { Calls, Mentions };

/// The functions and all that they reach.
std::set<const llvm::Function *> reachedFrom(std::vector<const llvm::Function *> work,
                                             Reach reach = Reach::Calls);

using Variables = std::set<logic::Variable>;

/// What stores of the functions may write.
Variables writtenIn(const std::set<const llvm::Function *> &functions,
                    const memory::Binding &binding, const memory::Memory &memory);

/// Assumptions for a reader, each with its line, in the order of the module. `starting`: the
/// variables of which the contract says with which values they start.
std::vector<std::string> otherWriters(const llvm::Module &module,
                                      const std::vector<const llvm::Function *> &threads,
                                      const memory::Binding &binding, const memory::Memory &memory,
                                      read::SourceMap &sources, const Variables &starting);

} // namespace understudy::passes
