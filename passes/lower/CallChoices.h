// SPDX-License-Identifier: Apache-2.0
//
// Calls through a pointer that is one of several functions: `(c ? f : g)()`, `table[i]()`.
//
// The idea: beside the choices that lead to the pointer stand choices of numbers, one for each
// function; a switch on the number enters the function. Nothing is lost, since the conditions stay
// as they are. A call of no function at all is undefined behaviour, and ends the run.
#pragma once

#include <vector>

namespace llvm {
class CallBase;
} // namespace llvm

namespace understudy::passes::lower {

/// The calls that stand in the place of a call through a pointer, which is gone; empty if it cannot
/// be told what the pointer is: then nothing has changed.
std::vector<llvm::CallBase *> chooseCallee(llvm::CallBase &call);

} // namespace understudy::passes::lower
