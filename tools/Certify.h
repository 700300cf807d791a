// SPDX-License-Identifier: Apache-2.0
//
// From a result to its certificate, if one was asked for and there is one.
#pragma once

#include "compose/cover/CoverAnswer.h"
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

/// Of a net in a file. Returns what became of it.
CertificateNote certify(const CoverOptions &options, const compose::cover::CoverAnswer &answer);

} // namespace understudy::tools
