// SPDX-License-Identifier: Apache-2.0
//
// What debug information says of the C type of a global; and globals that are structures of one
// integer, as an `atomic_flag`: the structure is that integer.
#pragma once

namespace llvm {
class DIGlobalVariable;
class DIType;
class GlobalVariable;
} // namespace llvm

namespace understudy::passes::memory {

/// Null: there is none.
const llvm::DIGlobalVariable *debugInfo(const llvm::GlobalVariable &global);

/// Without typedefs and qualifiers.
const llvm::DIType *strippedType(const llvm::DIType *type);

/// The C type of the global, of the elements of an array, and of the member of a structure that has
/// one member; null if it is not known.
const llvm::DIType *elementType(const llvm::GlobalVariable &global);

/// Puts an integer, or an array of them, in the place of a global that is, or whose elements are,
/// structures of one integer. Any other global stays.
llvm::GlobalVariable &withoutWrapping(llvm::GlobalVariable &global);

} // namespace understudy::passes::memory
