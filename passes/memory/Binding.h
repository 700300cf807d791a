// SPDX-License-Identifier: Apache-2.0
//
// Which C objects and functions the names of a contract stand for (contract language, section 5).
#pragma once

#include "logic/Linear.h"
#include "passes/read/SourceMap.h"
#include "specs/Compile.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace llvm {
class DISubprogram;
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace understudy::passes::memory {

struct BoundVariable {
  const specs::SharedBinding *shared = nullptr;
  llvm::GlobalVariable *global = nullptr;
  unsigned bits = 32;       ///< of the integer in memory
  bool isSigned = true;     ///< of the C type
  bool isBool = false;      ///< the C type is _Bool: only 0 and 1 occur
  bool typeIsKnown = false; ///< from debug information; otherwise it is taken for signed
  uint64_t count = 0;       ///< of an array's elements; 0: a scalar
  std::string function;     ///< of a static local; empty: a global

  logic::Variable variable() const { return shared->variable; }
  logic::Sort element() const; ///< the sort of the variable, or of its elements
  /// The contract sees only whether the integer is 0.
  bool isTruth() const { return element().isBool(); }
};

/// A mutex or a condition of the contract.
struct BoundLock {
  const specs::LockBinding *lock = nullptr;
  llvm::GlobalVariable *global = nullptr;

  bool isMutex() const { return lock->kind == specs::syntax::TypeKind::Mutex; }
};

struct Binding {
  std::vector<BoundVariable> variables; ///< in contract order, without ghosts
  std::vector<BoundLock> locks;         ///< in contract order
  /// Variables that the module does not mention. Their C type is not known.
  std::vector<const specs::SharedBinding *> elsewhere;
  /// Variables that no edge of the system primes, and no thread that stands for itself stores to.
  std::set<logic::Variable> neverWritten;

  const BoundVariable *find(const llvm::GlobalVariable *global) const;
  const BoundLock *findLock(const llvm::GlobalVariable *global) const;
};

enum class Missing {
  Error,
  Elsewhere, ///< the module is one file of several: a name that it does not mention is fine
};

/// Throws `logic::Unsupported` for what a contract says about C and conformance cannot follow yet,
/// naming the construct and its line.
void checkSupported(const specs::Compiled &contract);

/// Throws `logic::Error` with all names that have no fitting object; `logic::Unsupported` for paths
/// that cannot be followed yet.
Binding bindVariables(const specs::Compiled &contract, llvm::Module &module,
                      Missing missing = Missing::Error);

/// The function of a thread, null if the module has none. Throws `logic::Error` if it has several.
llvm::Function *findThreadFunction(const specs::ThreadBinding &thread, llvm::Module &module);
/// "did you mean 'f'?", f not among the others; empty if no function has a similar name.
std::string similarFunction(const specs::ThreadBinding &thread, const llvm::Module &module,
                            const std::set<const llvm::Function *> &others);
/// The function of a thread. Throws `logic::Error` if there is none.
llvm::Function &threadFunction(const specs::ThreadBinding &thread, llvm::Module &module);

/// The name in the source; the linker may have changed the one in the module.
std::string sourceName(const llvm::Function &function);

/// What a static initialiser gives an integer or its elements, none for what is no constant; empty
/// if there is no initialiser.
std::vector<std::optional<logic::Wide>> initialValues(const BoundVariable &variable);

} // namespace understudy::passes::memory
