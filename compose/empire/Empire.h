// SPDX-License-Identifier: Apache-2.0
//
// Empires: Definitions 4.1 to 4.7 and 5.1 to 5.11 of *The Ghosts of Empires*.
#pragma once

#include "compose/empire/Configurations.h"
#include "compose/empire/Needed.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace understudy::compose::empire {

using Region = std::vector<PlaceId>;   ///< sorted, pairwise not co-related
using Territory = std::vector<Region>; ///< sorted, disjoint

/// The regions that hold the places of •t, in their order; none: t is not enabled.
std::optional<std::vector<size_t>> enabling(const Territory &territory,
                                            const petri::NetTransition &transition);
bool holds(const Region &region, PlaceId place);

struct Empire {
  struct State {
    Territory territory;
    uint32_t law = 0; ///< of `laws`
    /// Of each transition that is enabled: where it leads; none: it is impossible.
    std::map<TransitionId, std::optional<uint32_t>> next;
  };
  std::vector<Law> laws;
  std::vector<State> states; ///< the first is the initial one

  size_t edges() const; ///< self-loops included
  size_t loops() const;
  size_t impossible() const; ///< transitions that are enabled and have no edge
};

/// Where laws come from.
class Laws {
public:
  virtual ~Laws() = default;
  virtual uint32_t initial() = 0;
  /// After the transition, wherever in the territory it is enabled; none: it is impossible.
  virtual std::optional<uint32_t> next(const Territory &territory, uint32_t law,
                                       TransitionId transition) = 0;
  /// Does the law hold after the transition, too?
  virtual bool keeps(uint32_t law, TransitionId transition) = 0;
  /// Is it enough for all markings of the territory in which the place is marked?
  virtual bool covers(const Territory &territory, uint32_t law, PlaceId place) = 0;
  virtual const std::vector<Law> &laws() const = 0;
};

/// As in the paper: the product of components, given by `post`. It must outlive the laws.
std::unique_ptr<Laws> lawsOf(const Configurations &configurations);
/// What is needed differs from marking to marking: a law is enough for a marking if it has what one
/// of its configurations needs. After a transition as much is kept as is needed there.
std::unique_ptr<Laws> neededLaws(const Configurations &needed, Cores &cores, Budget &budget);

enum class Growth : uint8_t { Naive, Saturated };

/// Definition 5.3 or 5.11. Places that occur together in a marking are never put in one region.
/// Throws `logic::Unsupported` when there are more than `most` states.
Empire empireOf(const petri::Net &net, const Configurations &configurations, Laws &laws,
                Growth growth, uint64_t most, Budget &budget);

/// Why the empire is not valid (Definition 4.7); empty if it is. The first law may be anything that
/// holds at the start. For tests: it looks at all markings of all territories.
std::string faultOfEmpire(const Empire &empire, const petri::Net &net,
                          const Configurations &configurations, Cores &cores,
                          const std::vector<PlaceId> &bad);

} // namespace understudy::compose::empire
