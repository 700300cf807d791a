// SPDX-License-Identifier: Apache-2.0
//
// Z3's count of what it does, which is the same on every machine.
#pragma once

#include "logic/solver/Context.h"
#include "logic/solver/Solver.h"

namespace understudy::logic::solver {

/// Runs checks of one context within the limits. A check that takes more than the pace allows is
/// cut short, and begins anew when more is allowed: the time lost is a part of what it takes.
class Resources {
public:
  Resources(Context &context, z3::solver &idle, const SolverLimits &limits)
      : context_(context), idle_(idle), limits_(limits) {}

  /// `check` answers Unknown when it is cut short.
  template <typename Check>
  Satisfiability run(Check check) {
    for (;;) {
      const uint64_t most = limits_.pace ? limits_.pace->allowance() : 0;
      const bool isShort = most != 0 && (limits_.resources == 0 || most < limits_.resources);
      limit(isShort ? most : limits_.resources);
      const uint64_t before = limits_.pace ? used() : 0;
      const Satisfiability result = check();
      if (!limits_.pace)
        return result;
      const uint64_t cost = used() - before;
      limits_.pace->spend(cost);
      if (result != Satisfiability::Unknown || !isShort || cost < most ||
          limits_.stop.stop_requested())
        return result;
    }
  }

private:
  Context &context_;
  z3::solver &idle_; ///< for its statistics, which are few
  const SolverLimits &limits_;
  uint64_t limit_ = 0;

  void limit(uint64_t resources);
  uint64_t used();
};

} // namespace understudy::logic::solver
