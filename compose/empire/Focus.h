// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/empire/Empire.h"

#include <functional>
#include <vector>

namespace understudy::compose::empire {

/// State -> region of its territory -> what the threads there must know.
using Focus = std::vector<std::vector<Law>>;

/// Of several regions before a transition, which one is to know.
enum class Preference : uint8_t { First, Last };

/// Definition 6.3, at the grain of predicates: what makes a transition impossible is known to the
/// regions before it; what a region knows after a transition follows from what those before it, and
/// for a bystander its own region, know. The least fixpoint. Only regions of places that `carries`
/// allows know anything.
Focus focusOf(const petri::Net &net, const Empire &empire, Cores &cores, Preference preference,
              const std::function<bool(PlaceId)> &carries, Budget &budget);

/// Every region knows the whole law.
Focus trivialFocus(const Empire &empire, const std::function<bool(PlaceId)> &carries);

} // namespace understudy::compose::empire
