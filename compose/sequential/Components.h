// SPDX-License-Identifier: Apache-2.0
//
// The problem: the conditions along a path of thousands of steps are thousands of conjuncts, most
// of which have nothing to do with each other, and the solver's time grows faster than their
// number. The idea: conjuncts without common variables are solved apart; a model of all is the
// union.
#pragma once

#include "compose/sequential/SequentialParts.h"

namespace understudy::compose::sequential {

/// A model of the conjunction of the formulas; none if there is none or the solver gave up.
std::optional<logic::solver::Model> solveApart(logic::TermPool &pool,
                                               const std::vector<Term> &formulas, Budget &budget);

} // namespace understudy::compose::sequential
