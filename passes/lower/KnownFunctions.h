// SPDX-License-Identifier: Apache-2.0
//
// The table of functions that are known by name. Whoever asks "do I know this function" asks here.
#pragma once

#include "passes/memory/Binding.h"

#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class CallBase;
class Function;
class Module;
} // namespace llvm

namespace understudy::passes::lower {

enum class Known {
  None,           ///< an ordinary function
  Nondet,         ///< __VERIFIER_nondet_X: any value
  NondetMemory,   ///< __VERIFIER_nondet_memory: the memory gets any value
  Assume,         ///< the run goes on only if the argument is not 0
  Assert,         ///< a code assertion: the argument is not 0
  AssertFail,     ///< a code assertion is false
  EndsRun,        ///< abort, exit: the run ends and is no error
  ThreadExit,     ///< pthread_exit: a return of the thread
  AtomicBegin,    ///< __VERIFIER_atomic_begin
  AtomicEnd,      ///< __VERIFIER_atomic_end
  AtomicFunction, ///< __VERIFIER_atomic_X: its body is one step
  Marker,         ///< understudy_at, behind UNDERSTUDY_AT
  Computes,       ///< strlen: a number that is not modelled; reads what its arguments lead to
  MayBeConstant,  ///< __builtin_constant_p: false without optimisation, with it perhaps true
  Lock,           ///< an operation on a lock or condition: nothing, unless the contract names it
  TryLock,        ///< one that may fail for reasons of its own
  Refused,        ///< its meaning is known and not supported
};

/// What becomes of a body that the code gives the function.
enum class Body {
  Followed, ///< the row holds only where there is none
  Replaced, ///< a word of the verifier: the row holds, and the report says so
  Needed,   ///< followed, and the row holds as well
};

/// How the row's name is compared.
enum class Match { Exactly, Prefix };

struct KnownFunction {
  std::string_view name;
  Match match;
  /// Result and parameters, a letter each: v void, i integer, p pointer, x any value but void;
  /// "v(pi)". A dot instead of parameters: any. Empty: any call.
  std::string_view signature;
  Known meaning;
  Body body;
  std::string_view why; ///< Refused: "semaphores are not supported"
};

/// The row of a name; null for ordinary functions.
const KnownFunction *findKnown(std::string_view name);

/// The row of a function: an assertion hook that the user has named, or one of the table, unless
/// the function has a body that the row does not touch.
const KnownFunction *findKnown(const llvm::Function &function);

/// `findKnown`, or None.
Known meaningOf(const llvm::Function &function);

/// Calls of these functions are failed assertions, whatever the table says. Throws `logic::Error`
/// for a name that the module does not have, unless another file may have it: a slip would turn
/// assertions into assumptions.
void markAssertHooks(const std::vector<std::string> &names, llvm::Module &module,
                     memory::Missing missing = memory::Missing::Error);

/// Does the call have the result and the arguments of the row?
bool fits(const KnownFunction &row, const llvm::CallBase &call);

/// "void (pointer, integer)".
std::string signatureText(const KnownFunction &row);

/// The function that a call enters, whatever type the call gives it; null for pointers and ifuncs.
llvm::Function *calleeOf(const llvm::CallBase &call);

} // namespace understudy::passes::lower
