// SPDX-License-Identifier: Apache-2.0
//
// Poison of optimised code, made explicit.
//
// The problem: `add nsw` that overflows is undefined behaviour where C wrote the addition, and it
// may be assumed not to happen. An optimiser computes such an addition ahead of the condition that
// guards it; then only its result is poison, and the execution goes on, well defined, as long as
// nobody uses it. The idea: a value that may be poison gets a shadow, an i1 that says so, which is
// computed beside it; the flags are dropped. Where poison is undefined behaviour (a branch, the
// address of an access, a divisor) or would be seen by others (a store, an assumption), the run
// goes on only if the shadow is false. Choices hand on the shadow of what is chosen; `freeze` of
// poison is any value. Flags stay where poison is used at once: there they mean what they say.
// Why a store counts: where C is well defined, optimised code stores what C stores.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace understudy::passes::lower {

/// Afterwards no flag of an instruction deletes an execution that the code has. Precondition: the
/// function is in step form.
void makePoisonExplicit(llvm::Function &function);

/// Is the function as the compiler's front end wrote it, without any optimisation?
bool isAsWritten(const llvm::Function &function);

} // namespace understudy::passes::lower
