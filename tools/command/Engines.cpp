// SPDX-License-Identifier: Apache-2.0
#include "tools/command/Engines.h"

#include "tools/command/Run.h"

#include <sys/resource.h>

namespace understudy::tools::command {

using compose::portfolio::EngineLimits;
using compose::portfolio::Question;

namespace {

Question questionOf(const compose::Program &program, const options::Options &options) {
  Question question;
  question.counts = threadCounts(program, options.threads);
  question.symmetry =
      options.symmetry == options::Switch::On ? Question::Symmetry::On : Question::Symmetry::Off;
  question.deadlock = options.deadlock == options::Switch::On ? Question::Deadlock::Check
                                                              : Question::Deadlock::Ignore;
  question.evidence = options.annotate == options::Switch::On ? Question::Evidence::Annotation
                      : options.certificate                   ? Question::Evidence::Wanted
                                                              : Question::Evidence::Unwanted;
  question.algorithm = options.algorithm;
  question.cover = options.cover;
  return question;
}

EngineLimits limitsOf(const options::Options &options) {
  EngineLimits limits;
  limits.maxStates = options.maxStates;
  limits.maxWidth = options.maxWidth;
  return limits;
}

/// The most that the process has had in memory.
uint64_t peakMemoryBytes() {
  constexpr uint64_t kilobyte = 1024;
  rusage usage{};
  return ::getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<uint64_t>(usage.ru_maxrss) * kilobyte
                                               : 0;
}

} // namespace

compose::portfolio::Outcome runEngines(const compose::Program &program,
                                       const options::Options &options, const compose::Watch &watch,
                                       const compose::Progress &progress) {
  EngineLimits limits = limitsOf(options);
  limits.stop = watch.token();
  limits.progress = progress;
  compose::portfolio::Outcome outcome =
      compose::portfolio::decide(program, questionOf(program, options), limits, options.engine);
  outcome.verdict.statistics.memoryBytes = peakMemoryBytes();
  return outcome;
}

} // namespace understudy::tools::command
