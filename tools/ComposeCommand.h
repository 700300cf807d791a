// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/Options.h"

namespace understudy::tools {

int runCompose(const ComposeOptions &options);

} // namespace understudy::tools
