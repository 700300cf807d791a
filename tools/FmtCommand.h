// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/Options.h"

namespace understudy::tools {

int runFmt(const FmtOptions &options);

} // namespace understudy::tools
