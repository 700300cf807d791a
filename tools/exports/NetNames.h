// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/petri/PetriProgram.h"

#include <map>
#include <string>

namespace understudy::tools::exports {

/// A name with a subscript and a superscript, as in the figures of the petrification paper: the
/// instance is below, the template above.
struct NetName {
  std::string base;
  std::string below;
  std::string above;
};

/// What places and transitions of a petrified program are called in exports.
class NetNames {
public:
  NetNames(const compose::petri::PetriProgram &petri, const compose::Program &program);

  /// ℓ (number of the location, instance), ↯, inUse, notInUse, insuff …
  NetName place(compose::petri::PlaceId place) const;
  /// The statement, or what a fork or join does to the id of the thread it concerns.
  std::string transition(compose::petri::TransitionId transition) const;
  /// "w#1"
  std::string instance(compose::petri::Instance instance) const;
  bool isError(compose::petri::PlaceId place) const;

private:
  const compose::petri::PetriProgram &petri_;
  const compose::Program &program_;
  /// (template, location) to its number among those that are places and no errors.
  std::map<std::pair<compose::TemplateId, compose::LocationId>, size_t> numbers_;

  std::string idText(compose::petri::Instance instance) const;
  const compose::Edge &edgeOf(const compose::petri::TransitionMeaning &meaning) const;
};

/// The term with variables of instances named like "w#1.x".
compose::Term withInstanceNames(compose::Term term);

} // namespace understudy::tools::exports
