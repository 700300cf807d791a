// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/proof/OwickiGries.h"
#include "specs/syntax/Syntax.h"

#include <string>

namespace understudy::tools::exports {

/// The program with its proof as a part of it: ghosts are globals, updates stand in atomic sections
/// with their statements, and assertions before the statements where they hold. It fails exactly
/// if an assertion, or the program, does. Of threads in several slots the assertion is that of one
/// of them. A choice that updates a ghost is made before its condition is known, so deadlocks are
/// not preserved. Throws `logic::Unsupported`, naming what CONC cannot say.
std::string annotatedConc(const specs::syntax::ConcFile &file, const compose::Program &program,
                          const compose::proof::OwickiGries &annotation);

} // namespace understudy::tools::exports
