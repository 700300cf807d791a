// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/CodeInputs.h"
#include "tools/CodeResult.h"
#include "tools/Options.h"

#include <string>
#include <vector>

namespace understudy::tools {

int runConform(const ConformOptions &options);

/// Conformance of these threads, or of all: the result is not judged yet.
CodeResult conformance(const std::string &command, const System &system,
                       const CodeRunOptions &options, const std::vector<std::string> &threads);

/// Prints the report, writes the files of `-o`, returns the exit code.
int publish(const CodeResult &result, const System &system, const CodeRunOptions &options);

/// As `passes/` spells it.
passes::OverflowMode overflowMode(Overflow overflow);

} // namespace understudy::tools
