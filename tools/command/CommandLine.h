// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace understudy::tools::command {

/// Reads the arguments and runs the command; returns the exit code. Throws `logic::Error` for bad
/// usage and bad input.
int runCommandLine(int argc, char **argv);

} // namespace understudy::tools::command
