// SPDX-License-Identifier: Apache-2.0
//
// An Owicki-Gries annotation of a program (ghosts of empires, Definition 3.4), in the words of
// `Program.h`. A *slot* is room for one thread of a template; the thread in it is at a location, or
// the slot is empty. A fork takes the empty slot with the least number. Data only: `empire/` builds
// annotations, people write them, `OwickiGriesCheck` checks them.
#pragma once

#include "compose/Program.h"

#include <optional>
#include <utility>
#include <vector>

namespace understudy::compose::proof {

struct Slot {
  TemplateId thread = 0;
  uint32_t number = 1; ///< from 1 on; threads of the start have the first ones
  auto operator<=>(const Slot &) const = default;
};

/// Variables of the slots are those of the template, in the scope `T#2`; a slot of a template that
/// is forked also has `thread id` and `is live`, which says that it was forked and not yet joined.
struct OwickiGries {
  /// A variable that is none of the program's, of sort Int or Bool.
  struct Ghost {
    Variable variable;
    Term initial; ///< a constant
  };
  /// Over globals, variables of slots and ghosts.
  struct At {
    Slot slot;
    std::optional<LocationId> location; ///< none: the slot is empty
    Term formula;
  };
  struct Other {
    Slot slot;
    LocationId location = 0; ///< where it begins, if it is created; otherwise where it was
    auto operator<=>(const Other &) const = default;
  };
  /// All at once, together with the step. Over the program's state after the step and the ghosts
  /// before it.
  struct Update {
    Slot mover;
    EdgeId edge = 0;
    std::vector<Other> others; ///< created, joined or woken, by slot
    std::vector<std::pair<Variable, Term>> assign;
  };

  std::vector<uint32_t> slots; ///< template -> how many
  std::vector<Ghost> ghosts;
  std::vector<At> assertions;  ///< what is not here is false
  std::vector<Update> updates; ///< what is not here changes no ghost
};

} // namespace understudy::compose::proof
