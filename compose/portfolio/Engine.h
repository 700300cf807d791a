// SPDX-License-Identifier: Apache-2.0
//
// An engine as a value. What the command line offers, what reports print and what `auto` tries come
// from the table of engines; nothing else knows their names.
#pragma once

#include "compose/Interpreter.h"
#include "compose/Limits.h"
#include "compose/cover/Cover.h"
#include "compose/empire/Annotate.h"
#include "compose/exploration/Explicit.h"
#include "compose/proof/Evidence.h"
#include "compose/refine/Refine.h"
#include "logic/Log.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::compose::portfolio {

/// What is asked of a program, besides whether it is safe.
struct Question {
  enum class Evidence : uint8_t {
    Unwanted,
    Wanted,
    Annotation, ///< one that can be shown at the lines of the source
  };
  /// Among others an engine leaves to them what they do better.
  enum class Company : uint8_t { Alone, AmongOthers };
  using Symmetry = exploration::ExplicitOptions::Symmetry;
  using Deadlock = exploration::ExplicitOptions::Deadlock;

  ThreadCounts counts; ///< for threads of `run T*`
  Symmetry symmetry = Symmetry::On;
  Deadlock deadlock = Deadlock::Ignore;
  Evidence evidence = Evidence::Unwanted;
  Company company = Company::Alone;
  std::optional<refine::Algorithm> algorithm; ///< of refine
  cover::CoverOptions cover;                  ///< how cover searches; its limits are not looked at
};

/// The one set of limits. What is not set is up to the engine. Memory is that of the process.
struct EngineLimits : Limits {
  std::optional<uint64_t> maxMemoryBytes;
  std::optional<uint64_t> maxStates;
  std::optional<uint32_t> maxWidth; ///< most threads of one kind alive together
};

/// What an engine says that found no answer.
struct Attempt {
  EngineName engine;
  std::string reason;
  Statistics statistics;
};

/// What there is to know about a run of an engine.
struct Outcome {
  Verdict verdict;
  std::optional<proof::Evidence> evidence{};         ///< of safe, if it is wanted
  std::vector<refine::RefineIteration> iterations{}; ///< of refine: its checks, one by one
  /// Of refine, if evidence is wanted: what its annotation cost.
  std::optional<empire::AnnotateStatistics> annotation{};
  std::string withoutEvidence{};   ///< of safe, if evidence is wanted: why there is none
  std::vector<Attempt> attempts{}; ///< of `auto` without an answer: one for each engine that ran
};

/// A statistic with its name: "counters" in JSON, "7 counters" in text; without a noun "depth 12".
struct NamedCount {
  std::string key;
  std::string noun;
  uint64_t count = 0;
};

/// Why an engine does not take a question on, and what can be done.
struct Refusal {
  std::string reason;
  std::string advice;
};

struct Engine {
  EngineName name;
  logic::Topic topic;    ///< of the log
  std::string_view help; ///< what it is for, as in "explicit for fixed numbers of threads"
  /// Of `safe` without evidence: why there is none.
  std::string_view withoutEvidence;
  std::optional<Refusal> (*refusal)(const Question &question, const EngineLimits &limits);
  /// Never throws for what it cannot decide: that is `unknown` with the reason. The explicit engine
  /// alone looks at numbers of threads; `decide` gives others a program that starts with them.
  Outcome (*run)(const Program &program, const Question &question, const EngineLimits &limits);
  /// What counts in its verdicts, in the order of reports.
  std::vector<NamedCount> (*counts)(const Statistics &statistics);
};

/// All engines, in the order of help texts.
std::span<const Engine> engines();

/// Precondition: it has a row.
const Engine &engineOf(EngineName name);

} // namespace understudy::compose::portfolio
