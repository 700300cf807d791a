// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/report/Report.h"

#include <string>

namespace understudy::tools::report {

/// One JSON object as described by docs/result.schema.json, indented, with a line break at the end.
std::string jsonReport(const Result &result, options::Verbosity verbosity);

} // namespace understudy::tools::report
