// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/report/CodeResult.h"

#include <string>

namespace understudy::tools::report {

/// "verdict: violates (PnpAdd: a step that the contract does not allow, uart.c:12)"
std::string verdictLine(const CodeResult &result);

/// The whole report: stories, one line for each thread, the composition, assumptions, the verdict.
std::string textReport(const CodeResult &result, options::Verbosity verbosity,
                       options::TraceLength length);

/// The stories alone.
std::string traceText(const CodeResult &result);

} // namespace understudy::tools::report
