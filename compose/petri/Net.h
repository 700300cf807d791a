// SPDX-License-Identifier: Apache-2.0
//
// 1-safe Petri nets, and automata that run beside them. A net alone has no data: what its
// transitions mean is said by a `PetriProgram`.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace understudy::compose::petri {

using PlaceId = uint32_t;      ///< 0 .. Net::places - 1
using TransitionId = uint32_t; ///< index into Net::transitions

struct NetTransition {
  std::vector<PlaceId> pre;  ///< sorted, without duplicates, not empty
  std::vector<PlaceId> post; ///< sorted, without duplicates
};

struct Net {
  uint32_t places = 0;
  std::vector<NetTransition> transitions;
  std::vector<PlaceId> initial; ///< sorted, without duplicates
};

/// A deterministic, total automaton over the transitions of a net, computed as it is asked. Its
/// sink rejects: a firing sequence that leads into it is of no interest, nor are its extensions.
class Observer {
public:
  using State = uint32_t;
  virtual ~Observer() = default;
  virtual State initial() = 0;
  /// The state after the transition; none: the sink. The same answer for the same question.
  virtual std::optional<State> next(State state, TransitionId transition) = 0;
  /// For every state s: next(s, transition) == s. May say no although it holds.
  virtual bool ignores(TransitionId transition) = 0;
};

/// A firing sequence from the initial marking.
using Run = std::vector<TransitionId>;

} // namespace understudy::compose::petri
