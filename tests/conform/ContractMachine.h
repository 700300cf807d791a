// SPDX-License-Identifier: Apache-2.0
//
// A contract as an explicit machine, before saturation: configurations are states with values of
// the contract's locals, moves are its edges and the hidden idle edges.
#pragma once

#include "ContractTree.h"

#include <map>

namespace understudy::tests {

/// A state with values of the contract's locals.
using Configuration = uint32_t;

class ContractMachine {
public:
  ContractMachine(const SharedSpace &space, const FiniteSystem &system,
                  const ThreadContract &contract);

  const SharedSpace &space() const { return space_; }
  const std::vector<Configuration> &initial() const { return initial_; }
  /// Targets of the edges that allow the step from g to g' and carry the action; without one, the
  /// idle edge is included.
  const std::vector<Configuration> &moves(Configuration from, GlobalId g, GlobalId after,
                                          const std::optional<LockAction> &action = std::nullopt);
  /// Is the assertion (of state and thread, and the invariant) false at g?
  bool fails(Configuration at, GlobalId g) const;
  /// May others change h to g while the thread is here? Doing nothing is always allowed.
  bool relies(Configuration at, GlobalId h, GlobalId g) const;
  bool final(Configuration at) const { return stateOf(at).final; }
  const ContractState &stateOf(Configuration at) const;
  std::string text(Configuration at) const;

private:
  const std::vector<int> &localsOf(Configuration at) const { return locals_[at % locals_.size()]; }
  bool allows(const ContractEdge &edge, Configuration from, GlobalId g, Configuration to,
              GlobalId after) const;

  const SharedSpace &space_;
  const FiniteSystem &system_;
  const ThreadContract &contract_;
  std::vector<std::vector<int>> locals_; ///< all valuations
  std::vector<Configuration> initial_;
  std::map<std::tuple<Configuration, GlobalId, GlobalId, std::optional<LockAction>>,
           std::vector<Configuration>>
      moves_;
};

} // namespace understudy::tests
