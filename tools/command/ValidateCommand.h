// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/options/Options.h"

namespace understudy::tools::command {

int runValidate(const options::ValidateOptions &options);

} // namespace understudy::tools::command
