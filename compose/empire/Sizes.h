// SPDX-License-Identifier: Apache-2.0
//
// The measure of the paper's evaluation: distinct subterms of each assertion and each update, and
// one for each ghost. Counted without making the formulas, which for the naive annotation would be
// exponential.
#pragma once

#include "compose/empire/Focus.h"

namespace understudy::compose::empire {

/// Of Definitions 4.9 and 6.4.
size_t imperialSize(const petri::Net &net, const Empire &empire, const Focus &focus,
                    const std::vector<Term> &predicates);
size_t imperialUpdates(const Empire &empire);
/// Of Definition 3.8: a Boolean for each place.
size_t naiveSize(const petri::Net &net, const Configurations &configurations);

} // namespace understudy::compose::empire
