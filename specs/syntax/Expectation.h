// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "specs/syntax/ParseState.h"

#include <optional>

namespace understudy::specs::syntax {

/// `// expect: safe|unsafe [, width N]` in the first line of a CONC file. A remark in parentheses
/// may follow. Text after `expect:` that cannot be read gets a warning.
std::optional<Expectation> readExpectation(ParseState &state);

} // namespace understudy::specs::syntax
