// SPDX-License-Identifier: Apache-2.0
//
// Arrays of small fixed size as single variables, for the sequential engine: intervals and Spacer
// know numbers better than arrays.
//
// a[i] with a constant i is an element's variable, with any other i a choice between all; a store
// is a choice for each element. A store outside the array would be lost, where the definition makes
// the step impossible; so nothing is done unless the solver shows that no step can be taken with an
// index outside.
#pragma once

#include "compose/sequential/SequentialParts.h"

#include <map>
#include <optional>
#include <vector>

namespace understudy::compose::sequential {

struct Scalarised {
  Program program; ///< the same locations and edges; templates that do not run are empty
  std::map<Variable, std::vector<Variable>> elements; ///< of each array that is gone
};

/// None: there is no such array, or a step may use an index outside.
std::optional<Scalarised> scalarise(const Program &program, Budget &budget);

/// The trace with arrays instead of elements.
Trace withArrays(const Program &original, const Scalarised &scalarised, Trace trace);
/// The formula with arrays instead of elements.
Term withArrays(const Scalarised &scalarised, Term formula);

} // namespace understudy::compose::sequential
