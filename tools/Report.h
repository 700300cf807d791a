// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Verdict.h"
#include "tools/Options.h"
#include "tools/Story.h"

#include <optional>
#include <string>
#include <vector>

namespace understudy::tools {

/// Everything a report says about one run. Where `withoutContract` is not empty, no engine ran.
struct Result {
  std::string command; ///< "compose" or "verify"
  std::string file;
  std::string system;
  compose::Origin origin = compose::Origin::Conc;
  ThreadNumbers threads; ///< as asked for with --threads
  compose::Verdict verdict;
  std::optional<Story> story; ///< of unsafe
};

int exitCodeOf(compose::Answer answer);

/// The verdict line without its line break: "verdict: safe (for 5 or fewer PnpAdd threads)".
std::string verdictLine(const compose::Verdict &verdict);

/// The whole report; ends with the verdict line.
std::string textReport(const Result &result, Verbosity verbosity);

/// The counterexample, at most 100 columns wide.
std::string storyText(const Story &story);

} // namespace understudy::tools
