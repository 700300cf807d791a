// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/options/Options.h"

namespace understudy::tools::options {

/// Throws `logic::Error` when a file of `-o`, or the folder of `--certificate`, is or holds one of
/// these files, whatever it is called there.
void refuseOverwriting(const Options &options, const std::vector<std::string> &inputs);

/// The same for the inputs of the command line, and when two results go to one file.
void refuseOverwriting(const Options &options);

} // namespace understudy::tools::options
