// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Watch.h"
#include "tools/command/CodeInputs.h"
#include "tools/options/Options.h"
#include "tools/report/CodeResult.h"

namespace understudy::tools::command {

/// Conformance of the threads that are asked for: the result is not judged yet. Binds the system.
report::CodeResult conformance(System &system, const options::Options &options,
                               const compose::Watch &watch);

/// Prints the report, writes the files of `-o`, returns the exit code.
/// Without a system there is no checker to write.
int publish(const report::CodeResult &result, const System *system,
            const options::Options &options);

} // namespace understudy::tools::command
