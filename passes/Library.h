// SPDX-License-Identifier: Apache-2.0
//
// Functions that are known by name, whether they have a body or not.
#pragma once

#include <string>

namespace understudy::passes {

enum class Known {
  None,           ///< an ordinary function
  Nondet,         ///< __VERIFIER_nondet_X
  Assume,         ///< the run goes on only if the argument is not 0
  AssertFail,     ///< a code assertion is false
  EndsRun,        ///< abort, exit: the run ends and is no error
  ThreadExit,     ///< pthread_exit: a return of the thread
  AtomicBegin,    ///< __VERIFIER_atomic_begin
  AtomicEnd,      ///< __VERIFIER_atomic_end
  AtomicFunction, ///< __VERIFIER_atomic_X: its body is one step
  Marker,         ///< understudy_at, behind UNDERSTUDY_AT
  Refused,        ///< its meaning is known and not supported
};

Known knownFunction(const std::string &name);

/// Why a refused function is refused: "locks in C are not supported yet".
std::string whyRefused(const std::string &name);

} // namespace understudy::passes
