// SPDX-License-Identifier: Apache-2.0
//
// From what the user asked for to what the engines are asked.
#pragma once

#include "compose/Watch.h"
#include "compose/portfolio/Portfolio.h"
#include "tools/options/Options.h"

namespace understudy::tools::command {

/// Throws `logic::Error` for options that an engine cannot honour.
compose::portfolio::Outcome runEngines(const compose::Program &program,
                                       const options::Options &options, const compose::Watch &watch,
                                       const compose::Progress &progress);

} // namespace understudy::tools::command
