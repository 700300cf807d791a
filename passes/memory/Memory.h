// SPDX-License-Identifier: Apache-2.0
//
// What a pointer can reach.
//
// The problem: an access to a named variable must never be missed, and most accesses have nothing
// to do with one. The idea: follow a pointer to the objects it is made from (LLVM's underlying
// objects). A pointer of unknown origin can reach a global only if that global's address escapes
// somewhere in the files given; this is the closed world that the contract language assumes.
#pragma once

#include "passes/memory/Binding.h"
#include "passes/memory/Escape.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <set>

namespace understudy::passes::memory {

/// Where an access goes.
struct Target {
  enum class Kind {
    Local,   ///< a local that is followed
    Named,   ///< a variable of the contract
    Unnamed, ///< other memory: reads as any value
    Device,  ///< a constant address: a device register
  };
  Kind kind = Kind::Unnamed;
  const BoundVariable *variable = nullptr;        ///< Named
  llvm::Value *index = nullptr;                   ///< Named array: the element, an i64
  const llvm::GlobalVariable *constant = nullptr; ///< Unnamed, and never written
  bool isAnything = false; ///< Unnamed: what a local holds before it is written
  bool isPrivate = false;  ///< Unnamed: a local that nobody else knows
  std::string what = "memory that the contract does not name"; ///< Unnamed, for a reader
};

class Memory {
public:
  /// Whoever starts a thread gives it any arguments: an address that a call in the module gives to
  /// one of `threads` escapes.
  /// Precondition: locals are promoted, else their slots look like places where addresses escape.
  Memory(const Binding &binding, const llvm::Module &module,
         const std::vector<const llvm::Function *> &threads = {});

  /// An access of the type through the pointer; `at` is where the index of an array element is
  /// computed. Throws `logic::Unsupported` when the pointer may reach a named variable and cannot
  /// be resolved, or the access does not fit the variable.
  Target classify(llvm::Value *pointer, llvm::Type *type, llvm::Instruction &at,
                  const Locals &locals, const logic::SourceRange &range) const;

  /// The variables that the pointer may reach, whatever the access; and one of them, or null.
  std::vector<const BoundVariable *> reachedBy(const llvm::Value *pointer) const;
  const BoundVariable *mayReach(const llvm::Value *pointer) const;
  /// The variable that can be reached from the pointer, also through pointers stored where it
  /// leads: any whose address escapes, unless the pointer leads to plain data or nowhere.
  const BoundVariable *mayLeadTo(const llvm::Value *pointer) const;
  /// A variable that the function itself accesses, or whose address it hands out; null: none.
  /// Accesses through pointers of unknown origin are left to `mayReach`.
  const BoundVariable *touchedBy(const llvm::Function &function) const;
  /// No edge of the system and no thread that stands for itself writes it.
  bool isNeverWritten(const BoundVariable &variable) const {
    return binding_.neverWritten.contains(variable.variable());
  }
  /// The variables that other files of the program can know, although no pointer of the files
  /// given leads to them: "x, y".
  std::string knownElsewhere() const;

  /// The lock of the contract that an operation through the pointer is about; null: none of them.
  /// Throws `logic::Unsupported` when that cannot be told.
  const BoundLock *lockAt(const llvm::Value *pointer, const logic::SourceRange &range) const;
  /// A lock of the contract that the pointer may reach; null: none.
  const BoundLock *mayReachLock(const llvm::Value *pointer) const;
  /// The locks that other files of the program can know: "m, n".
  std::string locksKnownElsewhere() const;

private:
  const Binding &binding_;
  const llvm::DataLayout &layout_;
  std::set<const BoundVariable *> escaped_;
  std::set<const BoundLock *> escapedLocks_;
  std::map<const llvm::Function *, const BoundVariable *> touched_;

  void findEscapedLocks(const std::vector<const llvm::Function *> &threads);
  Target named(const BoundVariable &variable, llvm::Value *pointer, llvm::Type *type,
               llvm::Instruction &at, const logic::SourceRange &range) const;
};

/// Is the address an argument of an operation of the thread library on a lock or condition?
bool isLockOperation(const llvm::Use &use);

/// Null, the address of a local, or a number that is an address: no pointer to a global.
bool leadsToNoGlobal(const llvm::Value *object);

/// The objects that a pointer is made from.
llvm::SmallVector<const llvm::Value *, 4> objectsOf(const llvm::Value *pointer);

} // namespace understudy::passes::memory
