// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Budget.h"
#include "compose/petri/PetriProgram.h"
#include "compose/refine/Interpolate.h"
#include "logic/solver/Solver.h"

#include <map>
#include <optional>
#include <vector>

namespace understudy::compose::refine {

/// Answers "which of these predicates hold after the step", and remembers the answers. What the
/// solver cannot decide does not hold. Belongs to one run of the engine, over all limits and
/// specifications; the answers depend on labels, not on transitions.
class HoareTriples {
public:
  HoareTriples(logic::TermPool &pool, uint64_t resources, Budget &budget);

  /// The candidates q with {state} label {q}; none: {state} label {false}.
  /// Precondition: the conjunction of `state` is satisfiable.
  std::optional<std::vector<bool>> post(const std::vector<Term> &state, const petri::Label &label,
                                        const std::vector<Term> &candidates);

  uint64_t queries() const { return queries_; }

private:
  struct Answers {
    std::optional<bool> isFalse;
    std::map<Term, bool> implied;
  };
  using Key = std::pair<uint32_t, std::vector<Term>>; ///< label, state

  logic::TermPool &pool_;
  logic::solver::Solver solver_;
  Budget &budget_;
  std::map<std::pair<std::vector<Term>, std::vector<Variable>>, uint32_t> labels_;
  std::map<Key, Answers> known_;
  uint64_t queries_ = 0;

  std::optional<std::vector<bool>> decide(const std::vector<Term> &context,
                                          const petri::Label &label,
                                          const std::vector<Term> &candidates);
  uint32_t labelId(const petri::Label &label);
  void ask(const std::vector<Term> &state, const petri::Label &label,
           const std::vector<Term> &candidates, Answers &answers);
  logic::solver::Satisfiability check(const std::vector<Term> &assumptions);
  void refute(const std::vector<Term> &open, const petri::Label &label,
              const std::vector<logic::VariableUse> &asserted, Answers &answers);
};

/// The formula about the state after a step that changes `modified` only.
Term afterwards(Term formula, const std::vector<Variable> &modified);

/// The variables of the term, sorted, primed and unprimed alike.
std::vector<Variable> variablesIn(Term term);

} // namespace understudy::compose::refine
