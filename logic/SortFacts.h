// SPDX-License-Identifier: Apache-2.0
//
// What the sorts of variables say beyond "is a number", as formulas for solvers.
//
// An array variable of fixed size up to `largestListedArray` has the range of each element stated.
// For longer and unbounded arrays only the elements that some term reads are said to be in range.
// Both say less than "every element is in range" (the arrays of SMT are total, and quantifiers
// would cost decidability). So Unsat is always right, and Sat can differ from the intended meaning
// only through comparisons of whole arrays.
#pragma once

#include "logic/Term.h"

#include <vector>

namespace understudy::logic {

constexpr int64_t largestListedArray = 4096;

struct SortFacts {
  std::vector<Term> variables; ///< every variable occurrence, as a term, once
  std::vector<Term> facts;     ///< "it is in its sort", for those with bounds
};

SortFacts sortFacts(Term formula);

} // namespace understudy::logic
