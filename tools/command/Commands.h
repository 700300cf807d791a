// SPDX-License-Identifier: Apache-2.0
//
// The commands: from options to the exit code.
#pragma once

#include "tools/options/Options.h"

namespace understudy::tools::command {

int runCheck(const options::Options &options);
int runConform(const options::Options &options);
int runCompose(const options::Options &options);
int runVerify(const options::Options &options);
int runCover(const options::Options &options);
int runExplore(const options::Options &options);
int runValidate(const options::Options &options);
int runFmt(const options::Options &options);
int runExport(const options::Options &options);

} // namespace understudy::tools::command
