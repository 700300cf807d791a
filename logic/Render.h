// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "logic/Error.h"

#include <string>
#include <string_view>

namespace understudy::logic {

/// A diagnostic as a person reads it:
///
///   bluetooth.contract:12:18: error: unknown name 'pendinIO'
///      12 |     initial Start { -> Entered : pendinIO' == pendingIO + 1; }
///         |                                  ^~~~~~~~
///      hint: did you mean 'pendingIO'?
std::string render(const Diagnostic &diagnostic);

/// A text of unknown origin on one line of a terminal: "<1B>" stands for what would not be shown.
std::string printable(std::string_view text);

/// All of them, followed by the count ("2 errors, 1 warning").
std::string render(const std::vector<Diagnostic> &diagnostics);

} // namespace understudy::logic
