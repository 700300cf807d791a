// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/Options.h"

namespace understudy::tools {

int runValidate(const ValidateOptions &options);

} // namespace understudy::tools
