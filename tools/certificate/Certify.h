// SPDX-License-Identifier: Apache-2.0
//
// From a result to its certificate, if one was asked for and there is one.
#pragma once

#include "compose/cover/CoverAnswer.h"
#include "tools/report/CodeResult.h"
#include "tools/report/Report.h"

#include <string>
#include <vector>

namespace understudy::tools::certificate {

/// Call it on the final verdict. `result.certificate` says what became of it.
void certify(report::Result &result, const options::RunOptions &options);
/// `threads` are those of --thread.
void certify(report::CodeResult &result, const options::CodeRunOptions &options,
             const std::vector<std::string> &threads);

/// Of a net in a file. Returns what became of it.
CertificateNote certify(const options::CoverOptions &options,
                        const compose::cover::CoverAnswer &answer);

} // namespace understudy::tools::certificate
