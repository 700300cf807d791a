// SPDX-License-Identifier: Apache-2.0
//
// The door to everything that touches C: reading it, proving that threads conform to their
// contracts, and making templates of threads that stand for themselves. No LLVM type is seen here.
#pragma once

#include "compose/Verdict.h"
#include "compose/proof/Evidence.h"
#include "compose/sequential/Sequential.h"
#include "passes/read/Code.h"
#include "specs/Compile.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace understudy::passes {

using logic::SourceRange;

/// Contract language, section 7.
enum class OverflowMode : uint8_t {
  Assume, ///< a store does not exceed the type's maximum; below an unsigned minimum is a violation
  Check,  ///< both are violations
  Wrap,   ///< as C wraps
};

/// What is asked of a thread that conforms.
enum class VacuityReport {
  All,  ///< which code is never reached, and which parts of the contract are never used
  Code, ///< which code is never reached
  Off,
};

struct ConformOptions {
  std::vector<std::string> threads; ///< by contract name; empty: all
  OverflowMode overflow = OverflowMode::Assume;
  VacuityReport vacuity = VacuityReport::All;
  compose::sequential::SequentialOptions engine;
  /// Called when work on a thread begins.
  std::function<void(const std::string &thread)> progress;
};

enum class ConformAnswer : uint8_t { Conforms, Violates, Unknown };
/// "conforms", "violates", "unknown".
std::string word(ConformAnswer answer);

/// Why a thread does not conform; every kind has its own wording.
enum class ViolationKind : uint8_t {
  Step,      ///< a step that no contract state still possible allows
  Assertion, ///< a code assertion can fail where no contract state fails
  Atomic,    ///< a code assertion can fail inside an atomic section
  Return,    ///< the function returns while no final state is possible
  Marker,    ///< UNDERSTUDY_AT(S) is passed while S is not possible
  Range,     ///< a value outside the contract's enum or range is stored
  Underflow, ///< an unsigned variable would go below 0
  Overflow,  ///< a variable would exceed its C type (--overflow=check)
  Guard,     ///< a guarded variable is written without its mutex
  Lock,      ///< a mutex is taken twice, released without being held, or held at the end
  Start,     ///< a static initialiser disagrees with the contract's start values
};
/// "step", "assertion", …: as in the JSON schema.
std::string word(ViolationKind kind);

/// A shared variable with its value, as the contract sees it.
struct SharedValue {
  logic::Variable variable;
  logic::Value value;
};
struct SharedChange {
  logic::Variable variable;
  logic::Value before;
  logic::Value after;
};

/// One step of the code: others moved, then the thread did something, then these contract states
/// are still possible.
struct ConformStep {
  SourceRange range;
  std::string text;                  ///< "pendingIO++": the statement, as written
  std::vector<SharedValue> supplied; ///< what the step reads or the others changed before it
  std::vector<std::string> uses;     ///< names of the variables that the step may read or write
  std::vector<SharedChange> changes; ///< by the step itself
  std::vector<std::string> inputs;   ///< "nondet() returns 3": other values from outside
  std::vector<std::string> states;   ///< still possible after it: "Working", "Waiting(tries = 2)"
};

struct ConformStory {
  std::vector<std::string> initialStates;
  std::vector<ConformStep> steps; ///< the last one is the violating step, if a step violates
  ViolationKind kind = ViolationKind::Step;
  std::string sentence; ///< what is wrong, in words
  /// Step: what the contract allows from each state that was possible.
  std::vector<std::string> allowed;
  SourceRange range; ///< the place in the code
};

/// A part of the contract that the code does not use.
struct Unused {
  std::string text;
  SourceRange range;
};
struct Vacuity {
  std::vector<Unused> states; ///< never possible
  std::vector<Unused> edges;  ///< never taken
  std::vector<Unused> guards; ///< edges whose condition is never true where they could be taken
  std::vector<Unused> claims; ///< assertions that no code assertion or marker stands for
  bool claimsNothing = false; ///< the code has no assertion and no marker at all
};

/// The code that the proof of a thread says nothing about, each item with its line.
struct UnreachedCode {
  /// Assertions, markers and steps that no run gets to: proved.
  std::vector<Unused> never;
  /// Array accesses whose index can be outside; the run is not followed from there.
  std::vector<Unused> outside;
};

/// An inductive invariant of the checker, for the reader of the JSON.
struct LoopInvariant {
  std::string where;
  std::string formula;
  SourceRange range;
};

enum class StatedOutcome : uint8_t {
  Holds,
  NotConfirmed, ///< not inductive together with the others, or the solver could not tell
  NotNeeded,    ///< the proof did not look at it
};
/// "holds", "not confirmed", "not needed".
std::string word(StatedOutcome outcome);

/// `//@ invariant EXPR` above a loop of the code.
struct StatedInvariantReport {
  std::string text;
  SourceRange range;
  StatedOutcome outcome = StatedOutcome::NotNeeded;
};

struct ThreadConformance {
  std::string thread;
  std::string function;
  SourceRange range; ///< of the C function
  ConformAnswer answer = ConformAnswer::Unknown;
  std::string reason; ///< of unknown
  SourceRange where;  ///< of the construct behind an unknown, if there is one
  std::optional<ConformStory> story;
  std::optional<Vacuity> vacuity;         ///< of conforms; none: not decided
  std::optional<UnreachedCode> unreached; ///< of conforms; none: not decided
  std::vector<LoopInvariant> invariants;
  std::vector<StatedInvariantReport> stated;
  compose::proof::SequentialEvidence proof; ///< of conforms: about the program of `ConformTask`
  std::vector<std::string> assumptions;
  uint64_t sharedSteps = 0; ///< places in the code that are steps
  compose::sequential::SequentialStatistics statistics;
  /// The values that the nondeterministic functions of the checker return on the violating run, in
  /// the order of the calls.
  std::vector<int64_t> inputs;
};

struct ConformResult {
  std::vector<ThreadConformance> threads; ///< in contract order
  std::vector<std::string> assumptions;   ///< of the system as a whole
  /// "bluetooth.c:31: plain read of stopped": accesses that need sequential consistency.
  std::vector<std::string> plainAccesses;
  std::optional<ConformStory> start; ///< start values disagree
};

/// A contract bound to its code: made once in a run, and what all questions about it start from.
class System;

/// Throws `logic::Error` when contract and code do not fit: a thread without function, a shared
/// name without global, a type that does not fit. The contract must outlive the system.
std::shared_ptr<System> bind(const read::Code &code, const specs::Compiled &contract,
                             OverflowMode overflow);

/// Never throws for what it cannot decide. Throws `logic::Error` for a thread that the contract
/// does not have. `options.overflow` is that of the system.
ConformResult conform(System &system, const ConformOptions &options);
/// The same for a question that is the only one.
ConformResult conform(const read::Code &code, const specs::Compiled &contract,
                      const ConformOptions &options);

/// What conformance of one thread means: the program, which has one thread, never goes wrong.
struct ConformTask {
  std::string thread;
  compose::Program program;
  std::vector<std::string> assumptions;
};
struct ConformTasks {
  std::vector<ConformTask> threads;     ///< in contract order
  std::vector<std::string> assumptions; ///< of the system as a whole
  bool startsAgree = true;              ///< start values of code and contract
};

/// What `conform` with these options proves, without proving it. Throws as `conform` does, and
/// `logic::Unsupported` when a thread cannot be encoded.
ConformTasks conformTasks(System &system, const ConformOptions &options);

/// The threads whose code takes part in a composition.
enum class Threads : uint8_t {
  WithoutContract, ///< those that the contract file gives no body; contracts for the others
  All,             ///< the program on which a failure of the composition is tried
};

/// Throws `logic::Unsupported` when the code of a thread cannot be encoded.
compose::Program composition(System &system, Threads threads = Threads::WithoutContract);

/// A value of the code that is not modelled.
struct Doubt {
  std::string reason; ///< "a violation depends on what f returns, read on line 7"
  SourceRange where;
};

/// The value that the failure of the composition depends on, if there is one: then it may be none.
std::optional<Doubt> doubtIn(const compose::Trace &trace, System &system, Threads threads);

/// The instrumented module as LLVM assembly, for `-o checker=FILE` and tests.
std::string checkerModule(const read::Code &code, const specs::Compiled &contract,
                          OverflowMode overflow);

} // namespace understudy::passes
