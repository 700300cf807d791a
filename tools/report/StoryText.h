// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/options/Options.h"
#include "tools/report/Story.h"

#include <string>

namespace understudy::tools::report {

/// The counterexample, at most 100 columns wide.
std::string storyText(const Story &story, options::TraceLength length);

} // namespace understudy::tools::report
