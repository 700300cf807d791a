// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/report/CodeResult.h"

#include <string>

namespace understudy::tools::report {

/// The result of `conform` or `check` as one JSON object, described by docs/result.schema.json.
std::string jsonReport(const CodeResult &result, options::Verbosity verbosity);

} // namespace understudy::tools::report
