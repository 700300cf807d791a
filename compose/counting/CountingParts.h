// SPDX-License-Identifier: Apache-2.0
//
// The parts of the counting engine: each answers with what it found or with the reason why not.
#pragma once

#include "compose/Trace.h"
#include "compose/Verdict.h"
#include "compose/counting/CountingModel.h"
#include "logic/solver/Horn.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace understudy::compose::counting {

/// Looks with the explicit engine for a violation with at most `most` threads of each kind that is
/// run in any number, in searches of at most `states` states. The verdict is unsafe, and no smaller
/// number of threads in all shows a violation within these limits.
std::optional<Verdict> violationWithFew(const Program &program, uint32_t least, uint32_t most,
                                        uint64_t states, const Budget &budget);

/// For each control, formulas over the variables that hold there.
using ControlFacts = std::vector<std::vector<Term>>;

/// Every count is at least 0.
std::vector<Term> countBounds(const CountingModel &model);

/// Affine invariants by symbolic abstraction. None: numbers became too large, or the solver gave
/// up.
std::optional<ControlFacts> affineFacts(const CountingModel &model, Budget &budget);

/// Small clauses that are inductive together with the facts. None: as above.
std::optional<ControlFacts> candidateFacts(const CountingModel &model, const ControlFacts &facts,
                                           Budget &budget);

/// What goes wrong in the counter system: states from a start to the one before the error.
struct CountingPath {
  struct State {
    ControlId control = 0;
    std::vector<logic::Value> values; ///< of CountingModel::variables
  };
  std::vector<State> states; ///< empty if Spacer's derivation could not be read
};

struct CountingUndecided {
  std::string reason;
};

/// An invariant for each control, facts included.
using CountingAnswer = std::variant<std::vector<Term>, CountingPath, CountingUndecided>;

/// Horn clauses, one predicate for each control; the facts are added to every body.
CountingAnswer solveCounting(const CountingModel &model, const ControlFacts &facts, Budget &budget);

/// The path as an execution of the program, replayed by the interpreter. None: it is none.
std::optional<Trace> traceOf(const CountingModel &model, const CountingPath &path, Budget &budget);

/// Do the invariants hold at the start, does every step keep them, do they exclude every error?
/// None if so, otherwise why not.
std::optional<std::string> recheckCounting(const CountingModel &model,
                                           const std::vector<Term> &invariants, Budget &budget);

/// Conjuncts of the invariants that pass the re-check by themselves. None: the solver gave up, or
/// the invariants do not pass it.
std::optional<std::vector<Term>>
neededInvariants(const CountingModel &model, const std::vector<Term> &invariants, Budget &budget);

} // namespace understudy::compose::counting
