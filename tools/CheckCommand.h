// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/Options.h"

namespace understudy::tools {

int runCheck(const CheckOptions &options);

} // namespace understudy::tools
