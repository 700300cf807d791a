// SPDX-License-Identifier: Apache-2.0
//
// The definition as a search: breadth-first through the reference interpreter, plain sets of whole
// configurations. Nothing is shared with the explicit engine.
#pragma once

#include "compose/Interpreter.h"
#include "compose/exploration/Explicit.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace understudy::tests {

/// What the counts of `run T*` mean.
enum class Starred { Exactly, OrFewer };

struct NaiveOptions {
  compose::ThreadCounts counts;
  Starred starred = Starred::Exactly;
  compose::exploration::ExplicitOptions::Deadlock deadlock =
      compose::exploration::ExplicitOptions::Deadlock::Ignore;
  size_t maxStates = 3000;
};

struct NaiveResult {
  /// Unknown: the interpreter cannot enumerate something, or there are too many states.
  compose::Answer answer = compose::Answer::Unknown;
  bool tooLarge = false;
  std::string reason;
  size_t states = 0;          ///< threads in order of creation; when safe
  size_t symmetricStates = 0; ///< multisets of threads; when safe
  uint32_t width = 0;         ///< when safe
  size_t length = 0;          ///< steps of a shortest failing execution, when unsafe
};

NaiveResult exploreNaively(const compose::Program &program, const NaiveOptions &options);

} // namespace understudy::tests
