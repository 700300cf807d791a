// SPDX-License-Identifier: Apache-2.0
#include "tools/report/Progress.h"

#include "tools/report/Report.h"

#include <cstdio>
#include <iomanip>
#include <sstream>
#include <unistd.h>

namespace understudy::tools::report {

std::string progressText(const std::string &phase, const compose::Statistics &statistics) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(0) << phase << ": ";
  if (statistics.states != 0)
    out << plural(statistics.states, "state") << ", depth " << statistics.depth << ", "
        << static_cast<double>(statistics.states) / statistics.seconds << " states/s, "
        << statistics.seconds << " s, " << (statistics.memoryBytes >> 20) << " MB";
  else if (statistics.refinements + statistics.predicates + statistics.events != 0)
    out << plural(statistics.refinements, "refinement") << ", "
        << plural(statistics.predicates, "predicate") << ", " << plural(statistics.events, "event")
        << ", " << statistics.seconds << " s";
  else
    out << statistics.seconds << " s";
  return out.str();
}

ProgressLine::ProgressLine(options::Verbosity verbosity)
    : enabled_(verbosity != options::Verbosity::Quiet && ::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (shown_)
    std::fputs("\r\033[K", stderr);
}

compose::Progress ProgressLine::callback() {
  if (!enabled_)
    return {};
  return [this](const std::string &phase, const compose::Statistics &statistics) {
    show(phase, statistics);
  };
}

void ProgressLine::announce(const std::string &phase) {
  if (!enabled_)
    return;
  lastSeconds_ = 0;
  shown_ = true;
  std::fprintf(stderr, "\r\033[K%s", phase.c_str());
  std::fflush(stderr);
}

void ProgressLine::show(const std::string &phase, const compose::Statistics &statistics) {
  if (statistics.seconds < lastSeconds_) // the next engine has a clock of its own
    lastSeconds_ = 0;
  if (statistics.seconds < lastSeconds_ + 1)
    return;
  lastSeconds_ = statistics.seconds;
  shown_ = true;
  std::fprintf(stderr, "\r\033[K%s", progressText(phase, statistics).c_str());
  std::fflush(stderr);
}

} // namespace understudy::tools::report
