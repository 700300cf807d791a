// SPDX-License-Identifier: Apache-2.0
//
// The questions that the tool asks Z3, written down (`--log-queries`): a file of SMT-LIB for each,
// in a folder for each topic. One that is never answered is there, too.
#pragma once

#include "logic/solver/Solver.h"
#include "logic/solver/Translate.h"

#include <chrono>
#include <functional>
#include <string>

namespace understudy::logic::solver {

/// A question, from before it is asked to its answer. Costs nothing when nobody wants to know.
class LoggedQuery {
public:
  /// Are all these formulas true together?
  LoggedQuery(const Translator &translator, const std::function<z3::expr_vector()> &formulas);

  /// Without an answer, it was stopped.
  ~LoggedQuery();
  LoggedQuery(const LoggedQuery &) = delete;
  LoggedQuery &operator=(const LoggedQuery &) = delete;

  void answer(const std::string &text);
  void answer(Satisfiability answer);

private:
  uint64_t number_ = 0; ///< of its topic; 0: nothing is left to be said
  std::string file_;    ///< empty: not written
  std::chrono::steady_clock::time_point begin_;
};

} // namespace understudy::logic::solver
