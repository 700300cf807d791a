// SPDX-License-Identifier: Apache-2.0
//
// Which steps of a trace a reader is shown. Rounds of a loop that are equal, or in which numbers
// grow by the same amount each time, are printed once, followed by how often they repeat. What is
// still long loses its middle. `--full-trace`, JSON and `-o trace=FILE` show every step.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace understudy::tools::report {

/// A number that a step changes.
struct Counter {
  std::string name;
  int64_t before = 0;
  int64_t after = 0;
};

/// A step as the search for loops sees it: everything but its numbers, and its numbers.
struct TraceStep {
  std::string text;
  std::vector<Counter> counters;
};

struct OneStep {
  size_t index = 0;
};
/// The steps `first` to `last`, printed before, are taken `times` more.
struct Repeat {
  size_t first = 0;
  size_t last = 0;
  size_t times = 0;
  std::vector<Counter> counters; ///< that differ from round to round, over all repetitions
};
struct Gap {
  size_t steps = 0;
};
using Excerpt = std::vector<std::variant<OneStep, Repeat, Gap>>;

/// Loops folded, and at most 60 lines.
Excerpt excerpt(const std::vector<TraceStep> &steps);

/// Every step.
Excerpt everyStep(size_t count);

/// "steps 4-6 repeat 97 more times (n: 1 → 98)"; steps are numbered from 1.
std::string repeatText(const Repeat &repeat);
/// "… 940 steps omitted; --full-trace prints all".
std::string gapText(const Gap &gap);

} // namespace understudy::tools::report
