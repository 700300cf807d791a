// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/tnet/State.h"

#include <optional>
#include <vector>

namespace understudy::compose::tnet {

/// Is the small state a part of the large one? The result maps atoms to atoms: one to one, every
/// token to a token of its own, and two atoms are related exactly if their images are, next pids
/// included. Then whatever the small state can do, the large one can, and what follows is contained
/// again. None if there is no such map, or if it was not found within that many tries, which are
/// used up.
std::optional<std::vector<Atom>> embedding(const Net &net, const State &small, const State &large,
                                           uint64_t &tries);

} // namespace understudy::compose::tnet
