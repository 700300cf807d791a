// SPDX-License-Identifier: Apache-2.0
//
// What the condition of a contract's edge means as a relation: the frame rule, ranges, arrays and
// ghosts.
#pragma once

#include "logic/Term.h"

#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace understudy::specs::contract {

/// `target' == value`, or `target'[index] == value`, with a value over the state before.
struct Update {
  logic::Variable target;
  logic::Term index; ///< empty for scalars
  logic::Term value;
};

/// The conjunct as an update, if it is one. `x'` and `!x'` of bools are.
std::optional<Update> asUpdate(logic::Term conjunct);

struct EdgeRelation {
  logic::Term relation;
  std::set<logic::Variable> modified;
  logic::Term undefined; ///< an index outside its array is used
  /// A ghost would leave its range. Blocking instead would test the ghost.
  logic::Term ghostOutOfRange;
};

EdgeRelation relate(logic::TermPool &pool, const std::vector<logic::Term> &conjuncts,
                    const std::set<logic::Variable> &havocs,
                    const std::function<bool(logic::Variable)> &isGhost);

/// The variables about whose value after the step every case of the formula says something.
std::set<logic::Variable> constrainedAfter(logic::Term formula);

} // namespace understudy::specs::contract
