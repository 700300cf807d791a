// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Limits.h"
#include "logic/Error.h"
#include "logic/Log.h"
#include "logic/solver/Solver.h"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <string>
#include <utility>
#include <vector>

namespace understudy::compose {

/// What is left of the limits, and what was used.
class Budget {
public:
  /// Options may have a member `resources`: Z3's, for one check; 0: no limit.
  template <std::derived_from<Limits> Options>
  explicit Budget(const Options &options) : limits_(options) {
    if constexpr (requires { options.resources; })
      resources_ = options.resources;
  }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  /// The time is over, or another thread asked to stop.
  bool exhausted() const {
    return limits_.stop.stop_requested() ||
           (limits_.maxSeconds > 0 && seconds() >= limits_.maxSeconds);
  }
  /// For a check that begins now.
  logic::solver::SolverLimits limits() const {
    constexpr double least = 0.001; // 0 would be no limit
    const double most = limits_.maxSeconds;
    return {resources_, most > 0 ? std::max(most - seconds(), least) : 0, limits_.stop,
            limits_.pace};
  }
  /// For a solver that is used again and again, with `check`.
  logic::solver::SolverLimits limits(uint64_t resources) const {
    return {resources, 0, limits_.stop, limits_.pace};
  }
  /// A check, counted and limited.
  logic::solver::Satisfiability check(logic::solver::Solver &solver,
                                      const std::vector<Term> &assumptions = {}) {
    ++queries_;
    solver.limitSeconds(limits().seconds);
    return assumptions.empty() ? solver.check() : solver.check(assumptions);
  }
  /// Work that no solver does, in units of about a microsecond. Throws `logic::Unsupported` when
  /// the time is over.
  void work(uint64_t units) {
    constexpr uint64_t enough = 1000;
    pending_ += units;
    if (pending_ < enough)
      return;
    if (limits_.pace)
      limits_.pace->spend(pending_);
    pending_ = 0;
    if (exhausted())
      throw logic::Unsupported("time limit");
  }
  uint64_t queries() const { return queries_; }
  void countQuery() { ++queries_; }
  void report(const std::string &phase, Statistics statistics = {}) {
    if (std::exchange(phase_, phase) != phase)
      logic::log(logic::level::phases, [&] { return phase; });
    if (!limits_.progress)
      return;
    statistics.seconds = seconds();
    limits_.progress(phase, statistics);
  }

private:
  Limits limits_;
  uint64_t resources_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  uint64_t queries_ = 0;
  uint64_t pending_ = 0; ///< work that was not told yet
  std::string phase_;    ///< the last one reported
};

} // namespace understudy::compose
