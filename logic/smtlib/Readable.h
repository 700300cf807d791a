// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "logic/Term.h"

namespace understudy::logic::smtlib {

/// An equivalent formula as a person would write it: what all cases say is said before them, two
/// bounds that meet are an equation, and negations stand at atoms.
Term readable(Term formula);

} // namespace understudy::logic::smtlib
