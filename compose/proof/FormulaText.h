// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

namespace understudy::compose::proof {

/// Why the text must not stand where SMT-LIB expects an expression; empty if it may. It may if it
/// is one balanced expression of parameters, numerals, names bound by `let` in our own manner, and
/// the operators of linear arithmetic, arrays and logic. Such a text cannot end the command it
/// stands in; whether it makes sense is for the solver to say.
std::string faultOfFormula(const std::string &text, const std::set<std::string> &parameters);

} // namespace understudy::compose::proof
