// SPDX-License-Identifier: Apache-2.0
//
// Values from outside: calls of the SV-COMP functions __VERIFIER_nondet_X.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <optional>
#include <string>

namespace understudy::passes::lower {

enum class Sign { Signed, Unsigned };

/// Any value of the type. Integers of unusual width are cut from the next larger; aggregates are
/// put together element by element.
llvm::Value *arbitrary(llvm::IRBuilder<> &builder, llvm::Type *type, Sign sign = Sign::Signed);

/// Any value of the type, instead of one that is not modelled; `place` says which.
llvm::Value *guess(llvm::IRBuilder<> &builder, llvm::Type *type, uint32_t place);
/// What the instruction computes is such a value, if it cannot be modelled.
void markGuess(llvm::Instruction &instruction, uint32_t place);

/// A function of ours without body. What the user has declared by that name with another type, or
/// defined, gives way.
llvm::FunctionCallee ownFunction(llvm::Module &module, const std::string &name,
                                 llvm::FunctionType *type);

/// The run goes on only if the i1 is true.
llvm::CallInst *assume(llvm::IRBuilder<> &builder, llvm::Value *condition);

/// The run goes on only if the index of an array access is below the count.
void assumeInside(llvm::IRBuilder<> &builder, llvm::Value *index, uint64_t count, uint32_t place);
/// The place of the access, if the call is such an assumption.
std::optional<uint32_t> insideOf(const llvm::Instruction &call);

/// A call of one of our functions, `void NAME(i32)`.
llvm::CallInst *callWithId(llvm::IRBuilder<> &builder, const char *name, uint32_t id);

} // namespace understudy::passes::lower
