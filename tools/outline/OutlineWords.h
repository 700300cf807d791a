// SPDX-License-Identifier: Apache-2.0
//
// The words of proof outlines for the variables of threads in slots: `x` is a global, a ghost or a
// local of the thread itself, `T#2.x` a local of the T in slot 2, `free(m)` and `held(m)` the state
// of a mutex, `id` and `alive` a thread's id and whether it was forked and not yet joined.
#pragma once

#include "compose/proof/OwickiGries.h"

#include <optional>
#include <string>

namespace understudy::tools::outline {

using compose::proof::Slot;
using logic::Term;
using logic::Variable;

class OutlineWords {
public:
  explicit OutlineWords(const compose::Program &program);

  /// "T#2"
  std::string scopeOf(Slot slot) const;
  std::optional<Slot> slotNamed(const std::string &scope) const;
  /// The word for a variable of a slot or a global; of its own variables if `own` is its scope.
  std::string wordFor(Variable variable, const std::string &own) const;
  /// As it is read at the slot; none: outside of all threads.
  std::string text(Term term, std::optional<Slot> self) const;
  /// The mutex whose flag the variable is; null: none.
  const compose::Mutex *lockedMutex(Variable variable) const;

private:
  const compose::Program &program_;
  std::string idWord_ = "id";
  std::string aliveWord_ = "alive";
};

} // namespace understudy::tools::outline
