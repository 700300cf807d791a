// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/petri/PetriProgram.h"

#include <map>
#include <vector>

namespace understudy::compose::refine {

/// Rejects one run of the net of a specification, in every order of its independent steps and with
/// any steps between that have nothing to do with it. Two steps are independent if they share no
/// place and neither changes a variable that the other uses. So if a rejected firing sequence is
/// feasible, the run is. Nothing says that it is not: this is no part of a proof.
class SetAside : public petri::Observer {
public:
  /// The arguments but the run must outlive it.
  SetAside(const petri::PetriProgram &petri, const petri::SpecifiedNet &net, petri::Run run);

  State initial() override { return 0; }
  std::optional<State> next(State state, petri::TransitionId transition) override;
  bool ignores(petri::TransitionId transition) override { return ignored_[transition]; }

private:
  /// Which steps of the run were made. None were left out before them that they depend on.
  using Made = std::vector<bool>;

  petri::Run run_;
  std::vector<std::vector<size_t>> needed_; ///< for each step, those before that it depends on
  std::vector<bool> ignored_;               ///< by transition
  std::vector<Made> states_;                ///< the empty one stands for: another run
  std::map<Made, State> ids_;

  State idOf(const Made &made);
};

} // namespace understudy::compose::refine
