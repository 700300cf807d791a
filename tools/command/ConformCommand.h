// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/command/CodeInputs.h"
#include "tools/options/Options.h"
#include "tools/report/CodeResult.h"

#include <string>
#include <vector>

namespace understudy::tools::command {

int runConform(const options::ConformOptions &options);

/// Conformance of these threads, or of all: the result is not judged yet.
report::CodeResult conformance(options::CommandName command, const System &system,
                               const options::CodeRunOptions &options,
                               const std::vector<std::string> &threads);

/// Prints the report, writes the files of `-o`, returns the exit code.
int publish(const report::CodeResult &result, const System &system,
            const options::CodeRunOptions &options);

/// As `passes/` spells it.
passes::OverflowMode overflowMode(options::Overflow overflow);

} // namespace understudy::tools::command
