// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/CodeResult.h"

#include <string>

namespace understudy::tools {

/// The result of `conform` or `check` as one JSON object, described by docs/result.schema.json.
std::string jsonReport(const CodeResult &result, Verbosity verbosity);

} // namespace understudy::tools
