// SPDX-License-Identifier: Apache-2.0
#include "tools/exports/NetNames.h"

#include "logic/Substitute.h"
#include "logic/smtlib/Print.h"

#include <set>
#include <stdexcept>

namespace understudy::tools::exports {

using namespace compose;
using petri::Instance;
using petri::PlaceId;
using petri::PlaceKind;
using petri::PlaceMeaning;
using petri::TransitionKind;
using petri::TransitionMeaning;

NetNames::NetNames(const compose::petri::PetriProgram &petri, const Program &program)
    : petri_(petri), program_(program) {
  std::set<std::pair<TemplateId, LocationId>> locations;
  for (PlaceId id = 0; id < petri.places.size(); ++id)
    if (petri.places[id].kind == PlaceKind::Location && !isError(id))
      locations.emplace(petri.places[id].instance.thread, petri.places[id].index);
  std::map<TemplateId, size_t> next;
  for (const auto &location : locations)
    numbers_[location] = next[location.first]++;
}

bool NetNames::isError(PlaceId place) const {
  return compose::petri::isBad(petri_.places[place], program_,
                               compose::petri::Specification::Safety);
}

NetName NetNames::place(PlaceId id) const {
  const PlaceMeaning &meaning = petri_.places[id];
  const std::string &thread = program_.templates[meaning.instance.thread].name;
  const std::string number = std::to_string(meaning.instance.number);
  if (isError(id))
    return {"↯", number, thread};
  switch (meaning.kind) {
  case PlaceKind::Start:
    return {"start", number, thread};
  case PlaceKind::Location:
    return {"ℓ",
            std::to_string(numbers_.at({meaning.instance.thread, meaning.index})) + "," + number,
            thread};
  case PlaceKind::InUse:
    return {"inUse", number, thread};
  case PlaceKind::NotInUse:
    return {"notInUse", number, thread};
  case PlaceKind::NotWaiting:
    return {"notWaiting", number + "," + program_.conditions[meaning.index], thread};
  case PlaceKind::Insufficient:
    return {"insuff", "", thread};
  case PlaceKind::Error:
    break;
  }
  throw std::logic_error("unknown place");
}

std::string NetNames::instance(Instance instance) const {
  return program_.templates[instance.thread].name + "#" + std::to_string(instance.number);
}

std::string NetNames::idText(Instance instance) const {
  return "id of " + this->instance(instance);
}

const Edge &NetNames::edgeOf(const TransitionMeaning &meaning) const {
  return program_.edge(meaning.mover.thread, meaning.edge);
}

std::string NetNames::transition(compose::petri::TransitionId id) const {
  const TransitionMeaning &meaning = petri_.transitions[id];
  switch (meaning.kind) {
  case TransitionKind::Choice:
    return instance(meaning.mover) + " starts";
  case TransitionKind::Exclusion:
    return instance(meaning.mover) + " where 'never' forbids it";
  case TransitionKind::Insufficient:
    return "true";
  case TransitionKind::Violation:
    return "fails: " + edgeOf(meaning).text;
  case TransitionKind::Edge:
    break;
  }
  const Edge &edge = edgeOf(meaning);
  const auto *fork = std::get_if<Fork>(&edge.action);
  if (fork && !meaning.others.empty() && fork->id)
    return idText(meaning.others.front()) + " := " + logic::smtlib::text(*fork->id);
  const auto *join = std::get_if<Join>(&edge.action);
  if (join && !meaning.others.empty() && join->id)
    return idText(meaning.others.front()) + " == " + logic::smtlib::text(*join->id);
  return edge.failure ? "!(" + edge.text + ")" : edge.text;
}

Term withInstanceNames(Term term) {
  logic::TermPool &pool = term.pool();
  return logic::substitute(term, [&](Variable v, bool primed) {
    Variable named = pool.variable("", v.fullName(), v.sort());
    return primed ? pool.primed(named) : pool.var(named);
  });
}

} // namespace understudy::tools::exports
