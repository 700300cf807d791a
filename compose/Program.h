// SPDX-License-Identifier: Apache-2.0
//
// The one program model. Everything that is verified is a `Program`: global variables, thread
// templates (control-flow automata), the threads alive at the start, and properties. Engines know
// nothing of contracts, CONC or C.
//
// Semantics (the reference interpreter, `Interpreter.h`, is its executable form):
// - A configuration is a valuation of the globals and a multiset of threads, each a template, a
//   location, an id and a valuation of the template's locals.
// - A step is one edge of one thread: the relation holds between the valuations before and after,
//   variables outside `modified` keep their values, then the action takes place, all at once.
// - Mutexes are data: `lock m` is an edge whose relation says !locked && locked' && held', where
//   `locked` is a global and `held` a local flag. The action on the edge names the operation for
//   readers, exports and conformance, and adds nothing to the relation. The same holds for unlock,
//   wait (the releasing half) and call.
// - Fork, join, signal and broadcast concern other threads and have their meaning here:
//   fork adds a thread; join removes a thread that is in a final location and has the template and
//   id asked for, and blocks while there is none; signal moves one thread (any) that waits on the
//   condition to its `wakesTo` location, broadcast moves all; without waiters both do nothing.
// - The program goes wrong when a thread takes an edge into an error location, when an invariant is
//   false, when two different threads are at the two locations of an exclusion, or when a step of a
//   thread breaks the rely of another thread, one that exists before and after the step, at the
//   location where it is before the step.
#pragma once

#include "logic/Source.h"
#include "logic/Term.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace understudy::compose {

using logic::SourceRange;
using logic::Term;
using logic::Variable;

using TemplateId = uint32_t;
using LocationId = uint32_t; ///< index into Template::locations
using EdgeId = uint32_t;     ///< index into Template::edges
using MutexId = uint32_t;
using CondId = uint32_t;

/// A formula with what a reader should be shown for it.
struct Claim {
  Term formula;
  std::string text; ///< as the user wrote it
  SourceRange range;
};

enum class LocationKind : uint8_t { Normal, Final, Error };

/// Where a thread that waits on `cond` goes when it is woken.
struct Waiting {
  CondId cond = 0;
  LocationId wakesTo = 0;
};

struct Location {
  std::string name; ///< contract state, CONC label or "line 12"
  LocationKind kind = LocationKind::Normal;
  /// Between the halves of a wait and the like: has no name in the source, exclusions ignore it.
  bool hidden = false;
  std::optional<Waiting> waiting;
  /// Two-state formulas over globals that every step of another thread must satisfy.
  std::vector<Claim> relies;
  SourceRange range;
};

struct Fork {
  TemplateId thread = 0;
  std::optional<Term> id;         ///< none: an id different from all ids alive
  std::vector<Term> arguments;    ///< values of the parameters, over the state before
  std::optional<Variable> result; ///< gets the id; in the edge's `modified`
};
struct Join {
  std::optional<TemplateId> thread; ///< none: of any template
  std::optional<Term> id;           ///< none: with any id
};
struct LockMutex {
  MutexId mutex = 0;
};
struct UnlockMutex {
  MutexId mutex = 0;
};
struct WaitCond {
  CondId cond = 0;
  std::optional<MutexId> mutex;
};
struct SignalCond {
  CondId cond = 0;
};
struct BroadcastCond {
  CondId cond = 0;
};
struct CallFunction {
  std::string name;
};

using Action = std::variant<std::monostate, Fork, Join, LockMutex, UnlockMutex, WaitCond,
                            SignalCond, BroadcastCond, CallFunction>;

/// Why an edge into an error location goes wrong.
enum class FailureKind : uint8_t {
  Assertion,   ///< an assertion is false
  OutOfRange,  ///< a value outside its bounded type is assigned
  OutOfBounds, ///< an index outside its array is used
  Relock,      ///< a mutex is locked by its holder
  NotHeld,     ///< a mutex is unlocked or waited with by a thread that does not hold it
  StillHeld,   ///< a thread ends while it holds a mutex
  Invariant,   ///< an invariant is false
  Exclusion,   ///< two threads are where they must not be together
  Rely,        ///< a step breaks another thread's rely
  Deadlock,    ///< no thread can move and some thread has not ended
};

struct Edge {
  LocationId source = 0;
  LocationId target = 0;
  /// Over globals and locals before, and the variables in `modified` after.
  Term relation;
  /// What may change; sorted, without duplicates. Everything else keeps its value.
  std::vector<Variable> modified;
  Action action;
  std::optional<FailureKind> failure; ///< set exactly when `target` is an error location
  std::string text;                   ///< what the user wrote, for stories: "x := x + 1"
  SourceRange range;
};

struct Template {
  std::string name;
  std::vector<Variable> parameters; ///< the first locals
  std::vector<Variable> locals;     ///< parameters included
  /// Over globals (their values when the thread is created) and locals; the ranges of bounded
  /// locals hold in addition. Parameters get their values from the fork.
  Term initial;
  std::vector<Location> locations;
  std::vector<LocationId> initials;
  std::vector<Edge> edges;
  SourceRange range;

  std::vector<EdgeId> edgesFrom(LocationId source) const;
};

/// Threads alive at the start. They have no thread id.
struct Start {
  TemplateId thread = 0;
  uint32_t count = 1;
  bool unbounded = false; ///< any number, zero included; `count` is then 0
};

struct Place {
  TemplateId thread = 0;
  LocationId location = 0;
};

/// No two different threads are at `first` and `second`.
struct Exclusion {
  Place first;
  Place second;
  std::string text;
  SourceRange range;
};

struct Mutex {
  std::string name;
  Variable locked; ///< global of sort Bool
};

enum class Origin : uint8_t { Contract, Conc };

struct Program {
  logic::TermPoolPtr pool;
  Origin origin = Origin::Conc;
  std::string name;
  std::vector<Variable> globals; ///< mutex flags included
  Term initial;                  ///< over globals; the ranges of bounded globals hold in addition
  std::vector<Mutex> mutexes;
  std::vector<std::string> conditions;
  std::vector<Template> templates;
  std::vector<Start> starts;
  std::vector<Claim> invariants; ///< one-state formulas over globals
  std::vector<Exclusion> exclusions;
  std::vector<std::string> assumptions; ///< what every verdict about this program rests on

  const Edge &edge(TemplateId thread, EdgeId id) const { return templates[thread].edges[id]; }
  std::optional<TemplateId> templateNamed(const std::string &name) const;
  bool isMutexFlag(Variable variable) const; ///< a `locked` flag, or a `held` flag of a template
};

/// Throws std::logic_error unless the program is well formed: indices in range, relations over the
/// right variables, `modified` covers every primed variable, failures exactly on error edges,
/// arguments match parameters. Front ends call it on what they produce.
void checkWellFormed(const Program &program);

/// The name of a thread's local flag "this thread holds m".
std::string heldName(const std::string &mutex);

} // namespace understudy::compose
