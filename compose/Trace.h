// SPDX-License-Identifier: Apache-2.0
//
// Configurations, steps and traces: the evidence of an unsafe verdict. A trace names threads by
// number (order of creation, the threads of `run` first), so that it can be replayed step by step.
#pragma once

#include "compose/Program.h"
#include "logic/Value.h"

#include <optional>
#include <string>
#include <vector>

namespace understudy::compose {

using logic::Value;

struct Thread {
  uint32_t number = 0; ///< unique in a run, from 1, in order of creation
  TemplateId thread = 0;
  LocationId location = 0;
  std::optional<int64_t> id; ///< none for the threads of `run`
  std::vector<Value> locals; ///< in the order of Template::locals
  bool operator==(const Thread &) const = default;
};

struct Configuration {
  std::vector<Value> globals;  ///< in the order of Program::globals
  std::vector<Thread> threads; ///< by ascending number
  uint32_t created = 0;        ///< threads created so far: the next one gets created + 1
  bool operator==(const Configuration &) const = default;

  const Thread *find(uint32_t number) const;
};

/// One step of thread `thread` along `edge`; `others` are the threads that the action created
/// (fork), removed (join) or woke (signal, broadcast), by ascending number.
struct Step {
  uint32_t thread = 0;
  TemplateId templateId = 0;
  EdgeId edge = 0;
  std::vector<uint32_t> others;
  Configuration after;
};

/// What is wrong at the end of a trace.
struct Failure {
  FailureKind kind = FailureKind::Assertion;
  /// Error edges: the failing thread. Rely: the thread that relies, then the one that breaks it.
  /// Exclusion: the two threads. Invariant and deadlock: empty.
  std::vector<uint32_t> threads;
  std::string text; ///< the claim that is violated, as the user wrote it
  SourceRange range;
};

struct Trace {
  Configuration start;
  std::vector<Step> steps;
  Failure failure;

  const Configuration &end() const { return steps.empty() ? start : steps.back().after; }
};

} // namespace understudy::compose
