// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Budget.h"
#include "compose/Interpreter.h"
#include "compose/Reached.h"

#include <functional>

namespace understudy::compose::exploration {

struct ExplicitOptions : Limits {
  enum class Symmetry { On, Off };
  enum class Deadlock { Ignore, Check };
  /// Of thread ids, with symmetry and if the program uses them opaquely: as they come, renamed so
  /// that states that differ in them only are one, or renamed after dead variables are cleared.
  enum class Names { Keep, Rename, ClearAndRename };

  ThreadCounts
      counts; ///< for threads of `run T*`; those not named make the answer unsafe or unknown
  Symmetry symmetry = Symmetry::On;
  Names names = Names::ClearAndRename;
  Deadlock deadlock = Deadlock::Ignore;
  uint64_t maxStates = 50'000'000;
  uint64_t maxMemoryBytes = 8ull << 30;
  /// After `safe`: gets every state reached, if there are no more than `maxReached`.
  std::function<void(ReachedStates states)> reached;
  uint64_t maxReached = 200'000;
};

/// Breadth-first search over canonical states. Never throws for what it cannot decide: that is
/// `unknown` with the reason.
Verdict verifyExplicit(const Program &program, const ExplicitOptions &options);

} // namespace understudy::compose::exploration
