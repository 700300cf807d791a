// SPDX-License-Identifier: Apache-2.0
//
// The states that a search reached, with what a reader needs to see that there are no others.
#pragma once

#include "compose/Trace.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace understudy::compose {

/// Thread ids that change their names, all at once; the others keep theirs.
using Renaming = std::vector<std::pair<int64_t, int64_t>>;

/// A step of `edge` by thread number `thread` (from 0) of state number `state` leads to a listed
/// state once its ids are renamed so.
struct RenamedStep {
  uint32_t state = 0;
  uint32_t thread = 0;
  EdgeId edge = 0;
  Renaming renaming;
  auto operator<=>(const RenamedStep &) const = default;
};

/// At the location the local variable is written before it is read: its value has no meaning.
struct DeadLocal {
  TemplateId thread = 0;
  LocationId location = 0;
  uint32_t local = 0;
};

/// Up to the order of threads, the names of ids (where the program cannot tell them apart) and the
/// values of dead variables. Only template, location, id and locals of the threads have a meaning.
struct ReachedStates {
  std::vector<Configuration> states;
  std::vector<RenamedStep> renamed = {}; ///< sorted; steps that need no renaming are not listed
  std::vector<DeadLocal> dead = {};
};

} // namespace understudy::compose
