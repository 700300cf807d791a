// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/options/Options.h"

namespace understudy::tools::command {

int runVerify(const options::VerifyOptions &options);

} // namespace understudy::tools::command
