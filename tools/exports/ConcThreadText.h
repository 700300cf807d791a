// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Program.h"
#include "tools/exports/promela/GuardedCommands.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace understudy::tools::exports {

/// Terms in CONC: the flags behind mutexes are written `free(m)` and `held(m)`.
class ConcExpression {
public:
  explicit ConcExpression(const compose::Program &program);
  std::string operator()(logic::Term term) const;

private:
  std::map<logic::Variable, logic::Term> flags_;
};

/// The mutex that guards each variable, by name.
using Guardians = std::map<std::string, std::string>;

/// One thread of a contract as a thread of CONC.
class ConcThreadText {
public:
  ConcThreadText(const compose::Program &program, compose::TemplateId id,
                 const Guardians &guardians);
  std::string print();

private:
  const compose::Program &program_;
  const compose::Template &type_;
  const Guardians &guardians_;
  ConcExpression expression_;
  std::set<compose::LocationId> watched_;     ///< places that exclusions name
  std::set<std::string> taken_;               ///< names of the program
  std::map<std::string, std::string> extras_; ///< further locals: name, type

  std::string locals() const;
  std::string entry() const;
  std::string state(compose::LocationId location);
  std::vector<std::string> alternatives(compose::LocationId location);
  std::string alternative(const compose::Edge &edge, const promela::GuardedCommand &command);
  std::string waiting(const compose::Edge &edge, const promela::GuardedCommand &command);
  std::string actionText(const compose::Edge &edge) const;
  std::string assignments(const compose::Edge &edge, std::vector<promela::Assignment> pending);
  std::string assignment(const compose::Edge &edge, const promela::Assignment &one) const;
  std::string extra(const std::string &wanted, logic::Sort sort);
  std::string leave(compose::LocationId target) const;
  std::vector<promela::GuardedCommand> commands(const compose::Edge &edge) const;
  bool isPlainEnd(compose::LocationId location) const;
};

} // namespace understudy::tools::exports
