// SPDX-License-Identifier: Apache-2.0
//
// One source text, several opinions: the explicit engine with and without symmetry, the naive
// search, the engine on the formatted text, and for scalar CONC the literal semantics.
#pragma once

#include "Naive.h"
#include "specs/Compile.h"

#include <cstdint>
#include <optional>
#include <string>

namespace understudy::tests {

enum class Language { Conc, Contract };

std::string extension(Language language);

/// What is looked at of the formatted text. Compiling is the dear part: it asks the solver.
enum class RoundTrip { Text, Verdict };

struct CompareOptions {
  RoundTrip roundTrip = RoundTrip::Verdict;
  compose::exploration::ExplicitOptions::Deadlock deadlock =
      compose::exploration::ExplicitOptions::Deadlock::Ignore;
  specs::SpuriousWakeups spurious = specs::SpuriousWakeups::Off;
};

/// The options a seed stands for: some runs check deadlocks, some allow spurious wake-ups, some
/// verify the formatted text as well.
CompareOptions optionsOf(uint64_t seed);

enum class Outcome { Rejected, TooLarge, Unknown, Safe, Unsafe };

struct Comparison {
  Outcome outcome = Outcome::Rejected;
  std::string note;                  ///< why rejected or unknown
  std::optional<std::string> defect; ///< what the opinions differ in
  size_t states = 0;
};

Comparison compare(Language language, const std::string &text, const CompareOptions &options);

/// How often each outcome came.
struct Tally {
  size_t attempts = 0;
  size_t rejected = 0;
  size_t tooLarge = 0;
  size_t unknown = 0;
  size_t safe = 0;
  size_t unsafe = 0;
  size_t states = 0;

  void add(const Comparison &comparison);
  size_t accepted() const { return attempts - rejected; }
  std::string text() const;
};

} // namespace understudy::tests
