// SPDX-License-Identifier: Apache-2.0
//
// The reference interpreter: the semantics of `Program`, executable and literal. It follows the
// small-step rules of Figure 3 of the petrification paper (threads as a multiset, fork and join by
// id) and section 2.2 of the widening paper (signal and broadcast); everything else in the tool is
// measured against it, so it is written for reading, not for speed.
#pragma once

#include "compose/IdUse.h"
#include "compose/Trace.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace understudy::compose {

/// How many threads of each unbounded start (`run T*`) take part.
using ThreadCounts = std::map<TemplateId, uint32_t>;

class Interpreter {
public:
  /// The program must outlive the interpreter.
  explicit Interpreter(const Program &program) : program_(program), ids_(analyseIds(program)) {}

  /// All start configurations. Throws `Unsupported` when there are infinitely many, naming why.
  std::vector<Configuration> starts(const ThreadCounts &counts = {}) const;

  /// All steps possible, error edges included, in a deterministic order. Of the fresh ids only
  /// representatives are tried: those that an id variable or constant holds, and one that occurs
  /// nowhere (see `IdUse.h` for when that is enough).
  /// Throws `Unsupported` when the steps cannot be enumerated, naming the edge.
  std::vector<Step> steps(const Configuration &before) const;
  /// Those of one thread of the configuration.
  std::vector<Step> stepsOf(const Configuration &before, const Thread &thread) const;

  /// Does the definition allow this step? Checks it literally, without enumerating.
  bool allows(const Configuration &before, const Step &step) const;

  /// Does the definition allow this start?
  bool isStart(const Configuration &configuration) const;

  /// Invariants and exclusions violated in the configuration.
  std::optional<Failure> stateFailure(const Configuration &configuration) const;

  /// The failure that the step itself is: an error edge taken or a rely broken.
  std::optional<Failure> stepFailure(const Configuration &before, const Step &step) const;

  /// No thread can move and some thread is not in a final location.
  bool isDeadlock(const Configuration &configuration) const;

private:
  const Program &program_;
  IdUse ids_;
};

/// Replays the trace: the start, every step and the failure at the end. Returns what is wrong with
/// it ("step 3: …"), or nothing if the trace is an execution of the program that goes wrong.
std::optional<std::string> replay(const Program &program, const Trace &trace);

} // namespace understudy::compose
