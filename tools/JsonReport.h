// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/Report.h"

#include <string>

namespace understudy::tools {

/// One JSON object as described by docs/result.schema.json, indented, with a line break at the end.
std::string jsonReport(const Result &result, Verbosity verbosity);

} // namespace understudy::tools
