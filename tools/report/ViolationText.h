// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/Conform.h"
#include "tools/options/Options.h"

#include <string>

namespace understudy::tools::report {

/// Why a thread does not conform, as a story: its steps through the source, what the others did,
/// which states of the contract were still possible, and what is wrong. At most 100 columns wide.
std::string violationText(const passes::ThreadConformance &thread, options::TraceLength length);

/// The same when the start values of the code disagree with the contract.
std::string startText(const passes::ConformStory &story);

} // namespace understudy::tools::report
