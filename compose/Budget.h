// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Verdict.h"
#include "logic/solver/Solver.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace understudy::compose {

/// Called now and then during long work; must not throw.
using Progress = std::function<void(const std::string &phase, const Statistics &statistics)>;

/// What is left of the limits, and what was used.
class Budget {
public:
  /// Options with the members `resources`, `maxSeconds` and `progress`, and perhaps `stop`.
  template <typename Options>
  explicit Budget(const Options &options)
      : resources_(options.resources), maxSeconds_(options.maxSeconds),
        progress_(options.progress) {
    if constexpr (requires { options.stop; })
      stop_ = options.stop;
  }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  /// The time is over, or another thread asked to stop.
  bool exhausted() const {
    return stop_.stop_requested() || (maxSeconds_ > 0 && seconds() >= maxSeconds_);
  }
  /// For a check that begins now.
  logic::solver::SolverLimits limits() const {
    constexpr double least = 0.001; // 0 would be no limit
    double left = maxSeconds_ > 0 ? maxSeconds_ - seconds() : 0;
    return {resources_, maxSeconds_ > 0 ? std::max(left, least) : 0, stop_};
  }
  /// For a solver that is used again and again, with `check`.
  logic::solver::SolverLimits limits(uint64_t resources) const { return {resources, 0, stop_}; }
  /// A check, counted and limited.
  logic::solver::Satisfiability check(logic::solver::Solver &solver,
                                      const std::vector<Term> &assumptions = {}) {
    ++queries_;
    solver.limitSeconds(limits().seconds);
    return assumptions.empty() ? solver.check() : solver.check(assumptions);
  }
  uint64_t queries() const { return queries_; }
  void countQuery() { ++queries_; }
  void report(const std::string &phase, Statistics statistics = {}) const {
    if (!progress_)
      return;
    statistics.seconds = seconds();
    progress_(phase, statistics);
  }

private:
  uint64_t resources_;
  double maxSeconds_;
  Progress progress_;
  std::stop_token stop_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  uint64_t queries_ = 0;
};

} // namespace understudy::compose
