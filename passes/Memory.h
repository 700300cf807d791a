// SPDX-License-Identifier: Apache-2.0
//
// What a pointer can reach.
//
// The problem: an access to a named variable must never be missed, and most accesses have nothing
// to do with one. The idea: follow a pointer to the objects it is made from (LLVM's underlying
// objects). A pointer of unknown origin can reach a global only if that global's address is taken
// somewhere in the files given; this is the closed world that the contract language assumes.
#pragma once

#include "passes/Binding.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <set>

namespace understudy::passes {

/// Where an access goes.
struct Target {
  enum class Kind {
    Local,   ///< a local of the thread whose address does not escape
    Named,   ///< a variable of the contract
    Unnamed, ///< memory that the contract does not name: reads as any value
    Device,  ///< a constant address: a device register
  };
  Kind kind = Kind::Unnamed;
  const BoundVariable *variable = nullptr;        ///< Named
  llvm::Value *index = nullptr;                   ///< Named array: the element, an i64
  const llvm::GlobalVariable *constant = nullptr; ///< Unnamed, and never written
};

class Memory {
public:
  /// Precondition: locals are promoted, else their slots look like places where addresses escape.
  Memory(const Binding &binding, const llvm::Module &module);

  /// An access of the type through the pointer; `at` is where the index of an array element is
  /// computed. Throws `logic::Unsupported` when the pointer may reach a named variable and cannot
  /// be resolved, or the access does not fit the variable.
  Target classify(llvm::Value *pointer, llvm::Type *type, llvm::Instruction &at,
                  const logic::SourceRange &range) const;

  /// The variable that the pointer may reach, if any, whatever the access.
  const BoundVariable *mayReach(const llvm::Value *pointer) const;
  /// The variable that can be reached from the pointer, also through pointers stored where it
  /// leads: any whose address is taken, unless the pointer leads to plain data or nowhere.
  const BoundVariable *mayLeadTo(const llvm::Value *pointer) const;
  /// The locals that the pointer may point to.
  static std::vector<llvm::AllocaInst *> locals(llvm::Value *pointer);
  /// Is the address of the local stored somewhere?
  static bool isStored(const llvm::AllocaInst &local);

private:
  const Binding &binding_;
  const llvm::DataLayout &layout_;
  std::set<const BoundVariable *> escaped_;

  Target named(const BoundVariable &variable, llvm::Value *pointer, llvm::Type *type,
               llvm::Instruction &at, const logic::SourceRange &range) const;
};

} // namespace understudy::passes
