// SPDX-License-Identifier: Apache-2.0
//
// A proof as a person reads it: the source with an assertion at each location, ghosts and their
// updates, in the source's own syntax and names.
#pragma once

#include "compose/Program.h"
#include "compose/proof/Evidence.h"

#include <string>

namespace understudy::tools::report {

/// The files of the program with the annotation as comments. Of an Owicki-Gries annotation:
///   // ghost int phase_w = 0         a ghost and its first value, before everything else
///   // invariant E                   holds always
///   // { E }                         holds where the next statement or state begins
///   // ghost phase_w := 1            together with the statement before
///   // slot 2: …                     is said of the thread in the second slot
/// Of a counting invariant: counters are ghosts, `T.L` is how many T threads are at L.
/// Throws `logic::Unsupported` for evidence of another kind, which is no annotation.
std::string annotatedSource(const compose::Program &program,
                            const compose::proof::Evidence &evidence);

} // namespace understudy::tools::report
