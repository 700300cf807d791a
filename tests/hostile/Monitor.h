// SPDX-License-Identifier: Apache-2.0
//
// Who watches a run: the steps of the thread, and what the others may do between them.
#pragma once

#include "conform/Definition.h"
#include "conform/Describe.h"
#include "conform/Verdicts.h"

namespace understudy::tests::hostile {

class Monitor {
public:
  Monitor() = default;
  Monitor(const Monitor &) = delete;
  Monitor &operator=(const Monitor &) = delete;
  virtual ~Monitor() = default;

  virtual void start() = 0;
  /// May the others have moved to g from what the thread left, without a claim that fails there?
  virtual bool possible(std::optional<GlobalId> left, GlobalId g) = 0;
  /// `site` names the place in the code.
  virtual std::optional<Breach> step(GlobalId g, GlobalId after, const void *site) = 0;
  virtual std::optional<Breach> marker(GlobalId g, const std::string &state) = 0;
  virtual std::optional<Breach> returned(std::optional<GlobalId> left, GlobalId g) = 0;
  /// An assertion of the code fails where `possible` holds.
  virtual std::optional<Breach> fails(GlobalId g) = 0;
  /// States of the contract that are still possible.
  virtual std::string states() const = 0;
};

/// Follows the set F of states of a contract without locals.
class Judge : public Monitor {
public:
  Judge(const SharedSpace &space, const FiniteSystem &system);

  void start() override { now_ = initial_; }
  bool possible(std::optional<GlobalId> left, GlobalId g) override;
  std::optional<Breach> step(GlobalId g, GlobalId after, const void *site) override;
  std::optional<Breach> marker(GlobalId g, const std::string &state) override;
  std::optional<Breach> returned(std::optional<GlobalId> left, GlobalId g) override;
  std::optional<Breach> fails(GlobalId) override { return Breach::Wrong; }
  std::string states() const override;

private:
  using Set = uint64_t; ///< of configurations
  Set wrong(std::optional<GlobalId> left, GlobalId g);
  Set image(GlobalId g, GlobalId after);
  template <typename Holds>
  bool some(Set set, const Holds &holds) const;

  const SharedSpace &space_;
  ContractMachine machine_;
  SaturatedContract contract_;
  size_t size_;
  std::set<int> neverWritten_; ///< variables that the others leave alone
  Set initial_ = 0;
  Set now_ = 0;
  std::vector<std::optional<Set>> wrong_;      ///< by left (the last: nothing) and g
  std::vector<std::optional<Set>> successors_; ///< by g, after and configuration
};

} // namespace understudy::tests::hostile
