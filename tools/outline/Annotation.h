// SPDX-License-Identifier: Apache-2.0
//
// A proof as a person reads it: the source with an assertion at each location, ghosts and their
// updates, in the source's own syntax and names.
#pragma once

#include "compose/Program.h"
#include "compose/proof/Evidence.h"

#include <string>

namespace understudy::tools::outline {

/// The files of the program with the annotation as comments (docs/outlines.md). Of a counting
/// invariant: counters are ghosts, `T.L` is how many T threads are at L.
/// Throws `logic::Unsupported` for evidence of another kind, which is no annotation.
std::string annotatedSource(const compose::Program &program,
                            const compose::proof::Evidence &evidence);

} // namespace understudy::tools::outline
