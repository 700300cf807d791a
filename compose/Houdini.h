// SPDX-License-Identifier: Apache-2.0
//
// The problem: which of many candidates for an invariant hold, at which places, although most are
// wrong? The idea (Flanagan and Leino, Houdini, an Annotation Assistant for ESC/Java, 2001): assume
// all of them, strike out what a start or a step violates, and repeat until nothing changes. What
// is left is inductive, whoever stated it.
//
// Deviations: candidates are struck out at each place by itself; a model strikes out all that it
// violates; a candidate with a part that is left alone is neither assumed nor checked: it holds as
// long as the part does, and is looked at when the part is struck out.
#pragma once

#include "compose/Budget.h"
#include "logic/solver/Solver.h"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace understudy::compose {

class Houdini {
public:
  using Place = uint32_t;
  using Marks = std::vector<bool>; ///< by candidate
  using Numbers = std::vector<uint32_t>;

  struct Candidate {
    Term formula;
    Numbers parts{}; ///< candidates of which each implies this one
  };
  /// What to do with what the solver cannot decide.
  enum class Undecided : uint8_t { Strike, GiveUp };

  /// `alive`: by place, what may hold there.
  Houdini(std::vector<Candidate> candidates, std::vector<Marks> alive, Undecided undecided,
          Budget &budget)
      : candidates_(std::move(candidates)), alive_(std::move(alive)), open_(alive_.size(), true),
        undecided_(undecided), budget_(budget) {}

  /// Has `strikeFrom` look at the steps of each place, again when something was struck out there.
  /// False: given up.
  bool run(const std::function<void(Place source)> &strikeFrom);

  /// Strikes out which of the doubtful can be violated at the target while the solver's formulas
  /// hold.
  void strike(logic::solver::Solver &solver, Place target, Numbers doubtful,
              const std::function<Term(uint32_t candidate)> &violationOf);

  const Marks &alive(Place place) const { return alive_[place]; }
  /// The same as a list.
  Numbers numbers(Place place) const;
  /// What is left, without candidates of which a part is left.
  std::vector<Term> left(Place place) const;
  bool gaveUp() const { return gaveUp_; }

private:
  using Violations = std::map<uint32_t, Term>;

  std::vector<Candidate> candidates_;
  std::vector<Marks> alive_;
  std::vector<bool> open_; ///< by place: its steps have to be looked at again
  Undecided undecided_;
  Budget &budget_;
  bool gaveUp_ = false;

  bool isImplied(uint32_t candidate, Place place) const;
  void drop(uint32_t candidate, Place place);
  bool dropViolated(const logic::solver::Model &model, Place place, Violations &violations);
  void askOneByOne(logic::solver::Solver &solver, Place place, Violations &violations);
};

} // namespace understudy::compose
