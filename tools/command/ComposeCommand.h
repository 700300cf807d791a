// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/options/Options.h"

namespace understudy::tools::command {

int runCompose(const options::ComposeOptions &options);

} // namespace understudy::tools::command
