// SPDX-License-Identifier: Apache-2.0
//
// A counterexample as people tell it: who did what, where it is written, what changed, and what is
// wrong at the end. The text and the JSON report are two prints of this one story.
#pragma once

#include "compose/Trace.h"

#include <string>
#include <vector>

namespace understudy::tools::report {

struct VariableValue {
  compose::Variable variable;
  compose::Value value;
};

struct Change {
  compose::Variable variable;
  compose::Value before;
  compose::Value after;
};

/// A thread at the start, or one that a step created, removed or woke.
struct Actor {
  uint32_t number = 0;
  std::string name; ///< "PnpAdd #2"
  std::string kind; ///< "PnpAdd"
  std::string place;
  std::optional<int64_t> id; ///< only when the program speaks of ids
  std::vector<VariableValue> locals;
};

/// What a reader follows: the states of a contract, or the statements of a program.
enum class StepForm { Move, Statement };

struct StoryStep {
  Actor actor; ///< after the step
  StepForm form = StepForm::Statement;
  std::string from;
  std::string to;
  std::string text; ///< what the user wrote
  compose::SourceRange range;
  std::vector<Change> changes;
  std::vector<std::string> notes; ///< what happens besides, in words: "creates w #2"
  std::vector<Actor> created;
  std::vector<Actor> joined;
  std::vector<Actor> woken;
};

struct Story {
  std::vector<VariableValue> globals; ///< at the start; mutexes are not shown
  std::vector<Actor> threads;         ///< at the start
  std::vector<StoryStep> steps;
  /// The variables that a step or the failure speaks of. The others only fill the page.
  std::vector<compose::Variable> relevant;
  compose::FailureKind kind = compose::FailureKind::Assertion;
  std::string claim;    ///< what is violated, as the user wrote it
  std::string sentence; ///< what is wrong, in words
  compose::SourceRange range;
  std::vector<Actor> culprits;
};

Story tell(const compose::Program &program, const compose::Trace &trace);

/// "3 PnpAdd, 1 PnpStop": by kind, in order of first appearance.
std::string headCount(const std::vector<Actor> &threads);

/// "assertion", "out-of-range", … as in the JSON schema.
std::string word(compose::FailureKind kind);

} // namespace understudy::tools::report
