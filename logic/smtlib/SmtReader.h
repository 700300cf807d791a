// SPDX-License-Identifier: Apache-2.0
//
// The way back from `SmtLib.h`: a formula in a file as a term. Believes nothing: every word is
// known, every operation has operands of its sorts, and the whole is one expression.
#pragma once

#include "logic/Term.h"

#include <map>
#include <stdexcept>
#include <string>

namespace understudy::logic::smtlib {

/// The text is no expression of the language; the message begins with what was found.
class NoFormula : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

using SymbolTable = std::map<std::string, Variable>; ///< by `smtSymbol`

/// Longer texts, and deeper ones, are refused.
constexpr size_t longestFormula = 1u << 20;
constexpr size_t deepestFormula = 2000;

/// The operators are those of linear arithmetic, arrays and logic, and `let`. A constant array is
/// of the one array sort that the symbols have. Throws NoFormula.
Term readSmtLib(TermPool &pool, const std::string &text, const SymbolTable &symbols);

} // namespace understudy::logic::smtlib
