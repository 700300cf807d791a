// SPDX-License-Identifier: Apache-2.0
#include "compose/petri/PetriProgram.h"

#include <algorithm>
#include <stdexcept>

namespace understudy::compose::petri {

std::string word(Specification specification) {
  switch (specification) {
  case Specification::Safety:
    return "safety";
  case Specification::Bound:
    return "bound";
  case Specification::Both:
    return "both";
  }
  throw std::logic_error("unknown specification");
}

bool isBad(const PlaceMeaning &place, const Program &program, Specification specification) {
  const bool error =
      place.kind == PlaceKind::Error ||
      (place.kind == PlaceKind::Location &&
       program.templates[place.instance.thread].locations[place.index].kind == LocationKind::Error);
  const bool insufficient = place.kind == PlaceKind::Insufficient;
  return (error && specification != Specification::Bound) ||
         (insufficient && specification != Specification::Safety);
}

SpecifiedNet specified(const PetriProgram &petri, const Program &program,
                       Specification specification) {
  SpecifiedNet result;
  result.net.places = petri.net.places;
  result.net.initial = petri.net.initial;
  auto bad = [&](PlaceId place) { return isBad(petri.places[place], program, specification); };
  auto sink = [&](PlaceId place) {
    return isBad(petri.places[place], program, Specification::Both) && !bad(place);
  };
  for (PlaceId place = 0; place < petri.net.places; ++place)
    if (bad(place))
      result.bad.push_back(place);
  for (TransitionId id = 0; id < petri.net.transitions.size(); ++id) {
    const NetTransition &transition = petri.net.transitions[id];
    if (std::any_of(transition.post.begin(), transition.post.end(), sink))
      continue;
    result.net.transitions.push_back(transition);
    result.origin.push_back(id);
  }
  return result;
}

std::string describe(const PlaceMeaning &place, const Program &program) {
  const Template &thread = program.templates[place.instance.thread];
  const std::string name = thread.name + "#" + std::to_string(place.instance.number);
  switch (place.kind) {
  case PlaceKind::Start:
    return name + " starts";
  case PlaceKind::Location:
    return name + " at " + thread.locations[place.index].name;
  case PlaceKind::InUse:
    return name + " in use";
  case PlaceKind::NotInUse:
    return name + " not in use";
  case PlaceKind::NotWaiting:
    return name + " does not wait on " + program.conditions[place.index];
  case PlaceKind::Error:
    return name + " fails";
  case PlaceKind::Insufficient:
    return "too few " + thread.name;
  }
  throw std::logic_error("unknown place");
}

} // namespace understudy::compose::petri
