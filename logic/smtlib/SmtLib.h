// SPDX-License-Identifier: Apache-2.0
//
// Terms as SMT-LIB 2.6, in the part of it that z3 and cvc5 both accept. The one exception is a
// constant array without fixed size whose element is not a constant: only z3 takes it.
#pragma once

#include "logic/Term.h"

#include <span>
#include <string>

namespace understudy::logic::smtlib {

/// `x`, primed `x!n`; locals `T.x`. Quoted with |…| where SMT-LIB needs it; a name that means
/// something to the solvers gets a `!` at its end (`select!`).
std::string smtSymbol(VariableUse use);

/// The term on one line. Large subterms that occur several times are named by `let`, so the text is
/// linear in the number of distinct subterms.
std::string smtLib(Term term);

/// Declarations of the variables, assertions that they lie in their sorts (see SortFacts.h), and
/// the assertions themselves.
/// Precondition: different variables have different symbols (else throws std::logic_error).
std::string smtAssertions(std::span<const Term> assertions);

} // namespace understudy::logic::smtlib
