// SPDX-License-Identifier: Apache-2.0
//
// A solver as a program of its own, spoken to in SMT-LIB: z3 or cvc5 as they are installed. Shares
// nothing with `Solver`, so that what one answers can be asked of the other.
#pragma once

#include "logic/solver/Solver.h"

#include <string>

namespace understudy::logic::solver {

enum class SolverProgram : uint8_t { Z3, Cvc5 };
/// "z3", "cvc5": also the names of the programs.
std::string word(SolverProgram program);

struct SolverReply {
  Satisfiability answer = Satisfiability::Unknown;
  std::string reason; ///< of Unknown
};

/// One process for many questions. Never trusts what it does not understand: after an error message
/// or an unexpected line every answer is Unknown.
class SolverProcess {
public:
  /// Throws `logic::Unsupported` when the program cannot be started.
  explicit SolverProcess(SolverProgram program);
  ~SolverProcess();
  SolverProcess(const SolverProcess &) = delete;
  SolverProcess &operator=(const SolverProcess &) = delete;

  /// Commands that print nothing.
  void tell(const std::string &commands);
  /// The answer to `check-sat`, within the time; 0: no limit.
  SolverReply check(double seconds);

private:
  SolverProgram program_;
  int process_ = -1;
  int socket_ = -1;
  uint64_t questions_ = 0;
  std::string pending_; ///< told and not sent
  std::string received_;
  std::string broken_; ///< why nothing more can be asked

  SolverReply fail(const std::string &reason);
  std::string communicate(double seconds, const std::string &until);
  void stop();
};

} // namespace understudy::logic::solver
