// SPDX-License-Identifier: Apache-2.0
//
// What the sorts of variables say beyond "is a number", as formulas for solvers.
//
// The arrays of SMT are total; ours of fixed size hold their sort's default value outside their
// indices (ArrayValue). Up to `largestPinnedArray` elements this is stated, and formulas mean to
// the solvers exactly what they mean to `evaluate`. Longer ones may hold anything there, which
// matters only when whole arrays are said to differ. Up to `largestListedArray` elements, the range
// of each element is stated; for longer and unbounded arrays that of the elements some term reads.
// In all cases less is stated than holds, so Unsat is always right.
#pragma once

#include "logic/Term.h"

#include <vector>

namespace understudy::logic {

constexpr int64_t largestPinnedArray = 16;
constexpr int64_t largestListedArray = 4096;

struct SortFacts {
  std::vector<Term> variables; ///< every variable occurrence, as a term, once
  std::vector<Term> facts;     ///< "it is in its sort", for those with bounds
};

SortFacts sortFacts(Term formula);

/// A constant array as solvers should see it: if its size is fixed, elements stored one by one into
/// the array of default values. The term itself if it is that array, unbounded, or too long to
/// list.
Term asStores(Term constArray);

/// The number that an enum's value is; other numbers are themselves.
Term asNumber(Term term);

} // namespace understudy::logic
