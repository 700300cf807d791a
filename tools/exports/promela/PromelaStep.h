// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/exports/promela/GuardedCommands.h"
#include "tools/exports/promela/PromelaModel.h"
#include "tools/exports/promela/PromelaWrites.h"

#include <map>
#include <string>
#include <vector>

namespace understudy::tools::exports::promela {

/// Every way to take one edge, each as an option `:: atomic { … }` of an `if`. In one option, in
/// this order: guard, assignments, relies, action, place, exclusions and invariants.
class PromelaStep {
public:
  PromelaStep(const PromelaModel &model, compose::TemplateId kind, compose::EdgeId edge);
  std::vector<std::string> options();

private:
  /// What the action adds to one option.
  struct Act {
    explicit Act(const PromelaModel &model) : writes(model) {}
    std::vector<std::string> guards;
    std::string before;   ///< statements before the assignments
    PromelaWrites writes; ///< all assignments, those of the relation included
    std::string after;    ///< statements after the relies are checked
    std::string except;   ///< "KIND[SLOT]" of a thread that is joined: it relies no more
  };

  const PromelaModel &model_;
  compose::TemplateId kind_;
  const compose::Template &type_;
  const compose::Edge &edge_;
  std::map<logic::Variable, logic::Variable> newLocals_; ///< stand-ins for those of a new thread
  std::vector<std::string> options_;

  std::string what() const;
  std::vector<GuardedCommand> commands();
  logic::Term forkRelation(const compose::Fork &fork, std::vector<logic::VariableUse> &unknowns);
  void refuseChosenIds(logic::Variable result) const;
  void addOption(const GuardedCommand &command, Act act);
  void addFailure(const GuardedCommand &command, const std::vector<std::string> &guards);
  void addWrites(const GuardedCommand &command, PromelaWrites &writes) const;
  std::vector<Act> acts() const;
  std::vector<Act> forkActs(const compose::Fork &fork) const;
  std::vector<Act> joinActs(const compose::Join &join) const;
  std::vector<Act> signalActs(compose::CondId cond) const;
  std::vector<Act> broadcastActs(compose::CondId cond) const;
  std::vector<std::string> placeGuards() const;
  std::string relyChecks(const Act &act, std::string &saves) const;
  std::string guardText(const GuardedCommand &command, const std::vector<std::string> &more) const;
};

/// Assertions that hold in every state: exclusions and invariants that the given changes concern.
std::string promelaStateChecks(const compose::Program &program);
/// The definitions behind them.
std::string promelaStateCheckMacros(const PromelaModel &model);

} // namespace understudy::tools::exports::promela
