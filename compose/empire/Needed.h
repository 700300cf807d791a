// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/empire/Configurations.h"
#include "logic/solver/Solver.h"

#include <map>
#include <optional>
#include <vector>

namespace understudy::compose::empire {

/// Which predicates prove a Hoare triple, found by unsat cores and remembered.
class Cores {
public:
  /// `labels` are those of the net's transitions; all arguments must outlive it.
  Cores(const std::vector<const petri::Label *> &labels, const std::vector<Term> &predicates,
        logic::TermPool &pool, Budget &budget);

  /// Some of `law` after which the transition makes `goal` true, or, without goal, is impossible;
  /// as few as possible beyond `known`, which are given anyway. None: it does not follow.
  std::optional<Law> core(const Law &law, TransitionId transition, std::optional<PredicateId> goal,
                          const Law &known);
  /// {law} t {law}.
  bool keeps(const Law &law, TransitionId transition);
  bool affects(TransitionId transition, PredicateId predicate) const;

private:
  const std::vector<const petri::Label *> &labels_;
  const std::vector<Term> &predicates_;
  logic::TermPool &pool_;
  Budget &budget_;
  logic::solver::Solver solver_;
  using Question = std::pair<TransitionId, std::optional<PredicateId>>;
  std::map<Question, std::vector<Law>> known_;
  std::map<std::pair<Question, Law>, bool> refuted_;
  std::vector<std::vector<Variable>> variables_; ///< of the predicates

  std::optional<Law> ask(const Law &law, Question question);
};

/// Replaces every law by the predicates that are needed there: an unsat core of an impossible
/// transition, or of {law} t {p} for a p needed after t, contains them. Backward, the least
/// fixpoint.
void keepNeeded(Configurations &configurations, Cores &cores, Budget &budget);

} // namespace understudy::compose::empire
