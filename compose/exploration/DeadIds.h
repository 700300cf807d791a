// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/IdUse.h"
#include "compose/Reached.h"

#include <vector>

namespace understudy::compose::exploration {

/// Where which scalar local variables that hold thread ids are dead: on every path they are written
/// before they are read, so that a stale id in them has no meaning.
std::vector<DeadLocal> deadIds(const Program &program, const IdUse &ids);

} // namespace understudy::compose::exploration
