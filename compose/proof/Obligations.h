// SPDX-License-Identifier: Apache-2.0
//
// What remains to be shown before a proof holds, as SMT-LIB for z3 and cvc5. Data and discharge
// only; `CountingCheck` and `SequentialProofCheck` compute obligations from programs.
#pragma once

#include "logic/solver/SolverProcess.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace understudy::compose::proof {

/// The evidence has no meaning for the program: nothing needs to be asked of a solver.
class InvalidEvidence : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Some assertions that must be unsatisfiable together with those of the group and the script.
struct Obligation {
  std::string name;    ///< "step 12", unique in its script
  std::string meaning; ///< one line: "the step 'x := 1' of T (a.conc:3) keeps the invariant"
  std::string text;    ///< SMT-LIB commands without `check-sat`
};

struct ObligationGroup {
  std::string text; ///< commands that all of its obligations share
  std::vector<Obligation> obligations;
};

struct ObligationScript {
  std::string preamble;
  std::vector<ObligationGroup> groups;

  size_t size() const;
};

/// The whole as one file. Every obligation stands between `push` and `pop`, behind a comment with
/// its name and meaning, and every `check-sat` must answer `unsat`.
std::string smtLibFile(const ObligationScript &script);

/// The file without its comments: what a solver reads of it.
std::string withoutComments(const std::string &smtLib);

struct DischargeOptions {
  logic::solver::SolverProgram solver = logic::solver::SolverProgram::Z3;
  double seconds = 60; ///< for all obligations together; 0: no limit
};

struct Discharge {
  enum class Outcome : uint8_t { Holds, Fails, Unknown };
  Outcome outcome = Outcome::Holds;
  Obligation obligation; ///< the one that does not hold, or is not known to
  std::string reason;    ///< of Unknown
};

/// Asks one solver process, in order; ends at the first obligation that does not hold.
Discharge discharge(const ObligationScript &script, const DischargeOptions &options);

} // namespace understudy::compose::proof
