// SPDX-License-Identifier: Apache-2.0
//
// An annotation before it is formulas: the values of ghosts as states of a machine, and what each
// place asserts in each of them. One ghost for the empire, one for each thread, and the naive
// annotation differ only in the values that the states have.
#pragma once

#include "compose/empire/Focus.h"
#include "compose/proof/OwickiGries.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace understudy::compose::empire {

using SlotLocation = std::pair<proof::Slot, std::optional<LocationId>>;

struct GhostStates {
  using State = uint32_t;
  struct Step {
    proof::Slot mover;
    EdgeId edge = 0;
    std::vector<proof::OwickiGries::Other> others;
    std::vector<std::pair<State, State>> edges;
  };
  std::vector<uint32_t> slots; ///< template -> how many
  std::vector<Term> predicates;
  std::vector<std::string> ghosts;           ///< their names
  std::vector<std::vector<uint32_t>> values; ///< state -> ghost -> value; state 0 is the first
  /// What is asserted at a place in a state: one of the laws.
  std::map<SlotLocation, std::map<State, std::set<Law>>> at;
  std::vector<Step> steps;
  /// Where values of ghosts at which nobody is there may be forgotten.
  std::set<SlotLocation> loose;
  /// Is "none of the other values" said instead of listing those that are left? It is shorter, and
  /// weaker, since a ghost may be any number.
  enum class Complement : uint8_t { Used, Unused } complement = Complement::Used;
  std::set<SlotLocation> always; ///< places at which nothing is asserted: the formula is true
};

/// Definition 4.9 with a focus (6.4): one ghost, whose values are the states of the empire.
GhostStates imperial(const Program &program, const petri::PetriProgram &petri, const Empire &empire,
                     const Focus &focus, const std::vector<Term> &predicates);
/// A ghost for each slot instead: the region that its thread is in; and one more where these do not
/// tell the states apart.
GhostStates phases(const Program &program, const petri::PetriProgram &petri, const Empire &empire,
                   const Focus &focus, const std::vector<Term> &predicates);
/// As Definition 3.8, with a ghost for the place of each slot. Throws `logic::Unsupported` where
/// threads choose between initial locations.
GhostStates naive(const Program &program, const petri::PetriProgram &petri,
                  const Configurations &configurations);

/// Is this place a slot's own: a location, or that nobody is in it?
bool isSlotPlace(const petri::PlaceMeaning &place);

/// None: with these values an update would have to be two things at once.
std::optional<proof::OwickiGries> annotationOf(const Program &program, const GhostStates &states);

/// With two values of a ghost made one, and what then must be one for updates to be functions.
GhostStates merged(const GhostStates &states, size_t ghost, uint32_t keep, uint32_t drop);
/// The values that a ghost has, in order.
std::set<uint32_t> valuesOf(const GhostStates &states, size_t ghost);

/// Distinct subterms of each assertion and update, and one for each ghost.
size_t sizeOf(const proof::OwickiGries &annotation);

} // namespace understudy::compose::empire
