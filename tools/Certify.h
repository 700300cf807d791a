// SPDX-License-Identifier: Apache-2.0
//
// From a result to its certificate, if one was asked for and there is one.
#pragma once

#include "tools/CodeResult.h"
#include "tools/Report.h"

#include <string>
#include <vector>

namespace understudy::tools {

/// Call it on the final verdict. `result.certificate` says what became of it.
void certify(Result &result, const RunOptions &options);
/// `threads` are those of --thread.
void certify(CodeResult &result, const CodeRunOptions &options,
             const std::vector<std::string> &threads);

} // namespace understudy::tools
