// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "logic/Term.h"

#include <functional>

namespace understudy::logic {

/// What a variable occurrence becomes; an empty term leaves it as it is.
using Substitution = std::function<Term(Variable variable, bool primed)>;

/// Replaces variable occurrences simultaneously. Linear in the number of distinct subterms.
Term substitute(Term term, const Substitution &substitution);

/// Every unprimed variable of the term is primed. Precondition: the term has no primes.
Term prime(Term term);

/// The formula "every index into an array of fixed size that is evaluated lies in range",
/// connectives taken from left to right as in C; `true` where nothing can go wrong.
Term definedness(Term term);

} // namespace understudy::logic
