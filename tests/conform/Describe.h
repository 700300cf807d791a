// SPDX-License-Identifier: Apache-2.0
//
// Formulas for sets: from what brute force has seen to what a contract says.
#pragma once

#include "ContractTree.h"
#include "Support.h"

#include <functional>

namespace understudy::tests {

/// A shared variable or contract local, as formulas see it.
struct Named {
  Formula before;
  Formula after;
  ContractType type = ContractType::Bool;
  std::vector<int> domain;
};
Named namedShared(const std::vector<SharedVariable> &variables, int variable);
Named namedLocal(const std::vector<ContractLocal> &locals, int variable);

/// A constant of the type.
Formula literal(ContractType type, int value);
/// "what is one of the values", as short as the type allows. `what` is of that type.
Formula oneOf(const Formula &what, ContractType type, const std::vector<int> &domain,
              const std::set<int> &values);
/// A formula that holds in exactly the given shared states.
Formula exactly(const SharedSpace &space, const std::function<bool(GlobalId)> &holds);
/// Some claim about one or two variables.
Formula randomClaim(Random &random, const SharedSpace &space);
/// A two-state formula that is transitive on the states in which the invariant holds.
Formula randomRely(Random &random, const SharedSpace &space,
                   const std::optional<Formula> &invariant = std::nullopt);

bool holds(const SharedSpace &space, const Formula &formula, GlobalId before, GlobalId after);

} // namespace understudy::tests
