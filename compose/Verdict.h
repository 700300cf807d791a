// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace understudy::compose {

enum class Answer : uint8_t { Safe, Unsafe, Unknown };

/// "safe", "unsafe", "unknown".
std::string word(Answer answer);

enum class EngineName : uint8_t { Explicit, Count, Refine, Cover, Sequential };

/// As in `--engine` and in reports: "explicit", "count", …
std::string word(EngineName engine);

struct Statistics {
  uint64_t states = 0;      ///< states stored (canonical ones, with symmetry)
  uint64_t transitions = 0; ///< steps computed
  uint64_t depth = 0;       ///< length of the longest shortest path
  uint64_t counters = 0;    ///< of a counter system, whose steps are then the transitions
  uint64_t refinements = 0; ///< runs excluded by an automaton
  uint64_t predicates = 0;  ///< of those automata
  uint64_t events = 0;      ///< of the largest unfolding
  uint64_t memoryBytes = 0; ///< of the state store; in a report, of the process
  double seconds = 0;
};

/// What an engine answers. `unsafe` has a trace that the interpreter replays; `unknown` has a
/// reason; `safe` states its scope ("for 5 or fewer PnpAdd threads") and what it assumes.
struct Verdict {
  Answer answer = Answer::Unknown;
  std::optional<EngineName> engine; ///< none: no engine ran
  std::string reason;               ///< of unknown
  SourceRange where;                ///< of the construct behind an unknown, if there is one
  std::string scope;                ///< of safe, empty if unrestricted
  std::optional<Trace> trace;       ///< of unsafe
  std::optional<uint32_t> width;    ///< thread width, when the whole program was explored
  std::vector<std::string> assumptions;
  bool deadlockChecked = false;
  Statistics statistics;
};

} // namespace understudy::compose
