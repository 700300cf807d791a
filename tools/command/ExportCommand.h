// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/options/Options.h"

namespace understudy::tools::command {

int runExport(const options::ExportOptions &options);

} // namespace understudy::tools::command
