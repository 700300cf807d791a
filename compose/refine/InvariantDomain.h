// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/petri/PetriProgram.h"

#include <map>
#include <optional>
#include <vector>

namespace understudy::compose::refine {

/// One component of a safe invariant domain (ghosts of empires, Definitions 3.1 and 3.2): formulas,
/// and what each transition makes of them.
struct DomainComponent {
  using State = uint32_t;
  std::vector<std::vector<Term>> laws; ///< conjuncts; state 0 is implied by the initial condition
  /// Transitions are those of the Petri program; no entry: the state stays; none: false.
  std::map<std::pair<State, petri::TransitionId>, std::optional<State>> post;
};

/// The product of the components: a state is a vector, its formula the conjunction, false if one
/// component is. Safe: no reachable marking with a bad place has a state other than false.
struct InvariantDomain {
  uint32_t limit = 0; ///< β of the Petri program it speaks of
  petri::Specification specification = petri::Specification::Safety;
  std::vector<DomainComponent> components;
};

} // namespace understudy::compose::refine
