// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/Options.h"

namespace understudy::tools {

int runVerify(const VerifyOptions &options);

} // namespace understudy::tools
