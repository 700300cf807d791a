// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "logic/Term.h"

#include <string>

namespace understudy::logic::smtlib {

/// The term as C-like text with the fewest parentheses: "pendingIO' == pendingIO - 1 && !stopped".
/// Local variables appear without their scope. Reads back as the same meaning in both languages.
std::string text(Term term);

} // namespace understudy::logic::smtlib
