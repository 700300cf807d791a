// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Interpreter.h"

#include <map>
#include <string>

namespace understudy::tools::exports::promela {

struct PromelaOptions {
  compose::ThreadCounts counts; ///< for threads of `run T*`
  /// The most threads of a forked template that can be alive by forking; the model fails its own
  /// check when more are needed.
  std::map<compose::TemplateId, uint32_t> pools;
};

/// A model for SPIN 6 with the same verdict: `pan` reports an assertion violation exactly when the
/// program goes wrong, and (without -E) an invalid end state exactly when it can deadlock. Throws
/// `logic::Unsupported` for what Promela cannot say.
std::string promelaText(const compose::Program &program, const PromelaOptions &options);

} // namespace understudy::tools::exports::promela
