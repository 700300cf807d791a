// SPDX-License-Identifier: Apache-2.0
//
// A contract from runs: a state for each place of the code that stores to a named variable (or
// several such places), edges for what was seen there. So most programs conform to what was learned
// from them, and the few behaviours that no run has shown are what the verdicts are about.
#pragma once

#include "Run.h"
#include "Support.h"

#include <map>

namespace understudy::tests::hostile {

class Learner : public Monitor {
public:
  /// Relies and claims are drawn when a state is met.
  Learner(const SharedSpace &space, Random &random);

  void start() override { now_ = 0; }
  bool possible(std::optional<GlobalId> left, GlobalId g) override;
  std::optional<Breach> step(GlobalId g, GlobalId after, const void *site) override;
  std::optional<Breach> marker(GlobalId g, const std::string &state) override;
  std::optional<Breach> returned(std::optional<GlobalId> left, GlobalId g) override;
  std::optional<Breach> fails(GlobalId g) override;
  std::string states() const override { return states_[now_].name; }

  ThreadContract contract() const;

private:
  struct Edge {
    std::set<std::pair<GlobalId, GlobalId>> seen;
    bool always = false; ///< a marker: no condition
  };
  size_t stateFor(const std::string &name);
  ContractEdge formula(size_t target, const Edge &edge) const;
  Formula change(int variable, const std::set<std::pair<GlobalId, GlobalId>> &seen) const;

  const SharedSpace &space_;
  Random &random_;
  size_t clusters_;
  bool claimsFailures_;
  std::map<const void *, size_t> sites_; ///< numbers in the order of appearance
  std::vector<ContractState> states_;
  std::vector<std::set<GlobalId>> failing_; ///< by state: where an assertion of the code failed
  std::map<std::pair<size_t, size_t>, Edge> edges_;
  size_t now_ = 0;
};

} // namespace understudy::tests::hostile
