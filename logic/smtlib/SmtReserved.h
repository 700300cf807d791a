// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace understudy::logic::smtlib {

/// The name cannot be declared in a script with `(set-logic ALL)`: it is a word of SMT-LIB or a
/// function of a theory that z3 or cvc5 knows.
bool isReservedInSmtLib(std::string_view name);

} // namespace understudy::logic::smtlib
