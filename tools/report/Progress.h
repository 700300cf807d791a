// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/exploration/Explicit.h"
#include "tools/options/Options.h"

#include <string>

namespace understudy::tools::report {

/// "refine, width 2, safety: 3 refinements, 22 predicates, 1217 events, 4 s": the phase, what there
/// is to count in it, and the time.
std::string progressText(const std::string &phase, const compose::Statistics &statistics);

/// One line on standard error that is rewritten at most once a second, and removed at the end.
/// Shows nothing unless standard error is a terminal.
class ProgressLine {
public:
  explicit ProgressLine(options::Verbosity verbosity);
  ~ProgressLine();
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  /// To be handed to an engine; the line must outlive it. Empty when nothing would be shown.
  compose::Progress callback();

  /// Shows that work of another kind begins, such as that on a thread.
  void announce(const std::string &phase);

private:
  bool enabled_;
  bool shown_ = false;
  double lastSeconds_ = 0;

  void show(const std::string &phase, const compose::Statistics &statistics);
};

} // namespace understudy::tools::report
