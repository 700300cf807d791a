// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/options/Options.h"

namespace understudy::tools::command {

/// `validate FILE --outline FILE`: the exit code.
int runOutline(const options::Options &options);

} // namespace understudy::tools::command
