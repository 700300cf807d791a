// SPDX-License-Identifier: Apache-2.0
//
// Pointers that are one of several: `(c ? f : g)()`, `table[i]()`, `*(c ? &a : &b) = 1`.
//
// The idea: beside the choices that lead to the pointer stand choices of numbers, one for each
// function or object; a switch on the number leads to a call or access of its own for each. Nothing
// is lost, since the conditions stay as they are. A call of no function and an access to no object
// are undefined behaviour, and end the run.
#pragma once

#include <vector>

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace understudy::passes::lower {

/// The calls that stand in the place of a call through a pointer, which is gone; empty if it cannot
/// be told what the pointer is: then nothing has changed.
std::vector<llvm::CallBase *> chooseCallee(llvm::CallBase &call);

/// Loads and stores through choices of locals and globals become accesses of each; false if there
/// was none.
bool chooseTargets(llvm::Function &function);

/// Loads of pointers from locals that nobody else knows become the constants that were stored.
void readStoredPointers(llvm::Function &function);

} // namespace understudy::passes::lower
