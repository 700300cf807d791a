// SPDX-License-Identifier: Apache-2.0
#include "tools/Progress.h"

#include <cstdio>
#include <unistd.h>

namespace understudy::tools {

ProgressLine::ProgressLine(Verbosity verbosity)
    : enabled_(verbosity != Verbosity::Quiet && ::isatty(STDERR_FILENO) == 1) {}

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
  if (statistics.seconds < lastSeconds_ + 1)
    return;
  lastSeconds_ = statistics.seconds;
  shown_ = true;
  double perSecond = static_cast<double>(statistics.states) / statistics.seconds;
  std::fprintf(stderr, "\r\033[K%s: %llu states, depth %llu, %.0f states/s, %.0f s, %llu MB",
               phase.c_str(), static_cast<unsigned long long>(statistics.states),
               static_cast<unsigned long long>(statistics.depth), perSecond, statistics.seconds,
               static_cast<unsigned long long>(statistics.memoryBytes >> 20));
  std::fflush(stderr);
}

} // namespace understudy::tools
