// SPDX-License-Identifier: Apache-2.0
//
// The program run together with its ghosts, by the reference interpreter: the literal meaning of an
// Owicki-Gries annotation.
#pragma once

#include "Support.h"
#include "compose/proof/OwickiGries.h"

#include <cstdint>
#include <optional>
#include <string>

namespace understudy::tests {

/// What is wrong in some state that can be reached: an assertion is false, a thread finds no slot,
/// the program itself fails, or `SlotModel` does not know that the step is possible there; at most
/// `maxStates` are looked at. Then Definition 3.5 on states that need not be reachable: random
/// changes of reachable ones, in which all assertions hold; `tried` counts them. None: nothing is.
/// Throws `logic::Unsupported` when states cannot be enumerated.
std::optional<std::string> faultOf(const compose::Program &program,
                                   const compose::proof::OwickiGries &annotation, size_t maxStates,
                                   Random &random, size_t &tried);

} // namespace understudy::tests
