// SPDX-License-Identifier: Apache-2.0
//
// Which engine runs: states one by one for fixed numbers of threads, counters for any, coverability
// for any with finite data, trace abstraction for forked threads and data without bounds.
#pragma once

#include "compose/exploration/Explicit.h"
#include "compose/proof/Evidence.h"
#include "compose/refine/Refine.h"
#include "tools/options/Options.h"

#include <optional>

namespace understudy::tools::command {

struct EngineAnswer {
  compose::Verdict verdict;
  std::optional<compose::proof::Evidence> evidence{}; ///< of safe, if a certificate is wanted
  std::vector<compose::refine::RefineIteration> iterations{}; ///< of refine
};

/// The answer of the engine asked for; with `auto`, of the first that decides. Throws
/// `logic::Error` for options that an engine cannot honour.
EngineAnswer runEngines(const compose::Program &program, const options::RunOptions &options,
                        const compose::Progress &progress);

} // namespace understudy::tools::command
