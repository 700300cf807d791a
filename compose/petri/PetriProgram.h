// SPDX-License-Identifier: Apache-2.0
//
// A Petri program: a 1-safe net whose transitions carry two-state formulas over one fixed set of
// variables, and what its places and transitions stand for in the program it was made from.
#pragma once

#include "compose/Program.h"
#include "compose/petri/Net.h"

#include <string>
#include <vector>

namespace understudy::compose::petri {

/// One of the threads of a template that can be alive together; numbers count from 1.
struct Instance {
  TemplateId thread = 0;
  uint32_t number = 0;
  auto operator<=>(const Instance &) const = default;
};

enum class PlaceKind : uint8_t {
  Start,        ///< the instance runs from the start and has not chosen its initial location yet
  Location,     ///< the instance is at `index`
  InUse,        ///< the instance exists
  NotInUse,     ///< the instance does not exist
  NotWaiting,   ///< the instance does not wait on condition `index`
  Error,        ///< the instance's step, or its place together with another's, is a violation
  Insufficient, ///< a thread of `instance.thread` was forked while all instances existed
};

struct PlaceMeaning {
  PlaceKind kind = PlaceKind::Location;
  Instance instance;
  uint32_t index = 0;
  auto operator<=>(const PlaceMeaning &) const = default;
};

/// A relation between the values before and after a transition, as a list of conjuncts. Variables
/// outside `modified` keep their values; a modified variable that no conjunct mentions after the
/// transition gets any value of its sort.
struct Label {
  std::vector<Term> conjuncts;
  std::vector<Variable> modified; ///< sorted, without duplicates
  bool operator==(const Label &) const = default;
};

enum class TransitionKind : uint8_t {
  Edge,         ///< the mover takes the edge
  Violation,    ///< the mover takes the edge, and a rely or an invariant is broken by it
  Exclusion,    ///< nothing moves: mover and partner are where they must not be together
  Choice,       ///< nothing moves: a thread of the start chooses its initial location
  Insufficient, ///< the mover forks, and there is no instance left
};

struct TransitionMeaning {
  TransitionKind kind = TransitionKind::Edge;
  Instance mover;
  EdgeId edge = 0;              ///< of the mover, where it takes one
  std::vector<Instance> others; ///< created, removed or woken, sorted
  LocationId location = 0;      ///< where the created one, or the one that chooses, begins
  Label label;
};

/// What a Petri program is checked against: which places no run may mark (Definition 3.7).
enum class Specification : uint8_t { Safety, Bound, Both };

std::string word(Specification specification);

struct PetriProgram {
  logic::TermPoolPtr pool;
  uint32_t limit = 0; ///< β
  Net net;
  std::vector<PlaceMeaning> places;
  std::vector<TransitionMeaning> transitions;
  std::vector<Term> initial;                   ///< conjuncts, over the variables
  std::vector<Variable> variables;             ///< globals, then those of the instances
  std::vector<std::vector<uint32_t>> starting; ///< template -> numbers of its first instances
  /// Template -> instance number - 1 -> its locals, in the order of Template::locals.
  std::vector<std::vector<std::vector<Variable>>> locals;
  /// Template -> instance number - 1 -> its thread id; absent where ids do not matter.
  std::vector<std::vector<std::optional<Variable>>> ids;
};

bool isBad(const PlaceMeaning &place, const Program &program, Specification specification);

/// A net for one specification: without the transitions that mark only the other's bad places,
/// which nothing leaves. `origin` maps its transitions to those of the Petri program; places are
/// the same.
struct SpecifiedNet {
  Net net;
  std::vector<TransitionId> origin;
  std::vector<PlaceId> bad; ///< sorted
};
SpecifiedNet specified(const PetriProgram &petri, const Program &program,
                       Specification specification);

/// "w#2 at line 3", "w#2 in use", …
std::string describe(const PlaceMeaning &place, const Program &program);

} // namespace understudy::compose::petri
