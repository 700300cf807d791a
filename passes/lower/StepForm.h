// SPDX-License-Identifier: Apache-2.0
//
// Step form: what the parts of passes/ hand to one another.
//
// `Lower` turns the function of a thread into a function in step form, a clone with all callees
// inlined, in which only the following is left:
// - integers (i1 to i64) and their arithmetic, comparisons, selects, phis, branches, switches;
//   pointers only as addresses of memory objects (below), or as opaque values that are compared
//   with null;
// - memory objects: allocas, and globals that are named by the contract or made by us, of integer
//   type or (nested) arrays of one integer type; every load and store has the element's type, and
//   its address is the object or one `getelementptr` from it;
// - steps: every access to a named variable, but for reads of one that is never written, lies
// between a call of `understudy_step_begin(id)` and
//   one of `understudy_step_end(id)`. What lies between is one atomic step; read-modify-write and
//   compare-exchange have become load, operation and store; atomic sections keep their control
//   flow. A path may leave a step only through its end, or where it blocks or goes wrong;
// - inputs: calls of `__VERIFIER_nondet_X()`. Results of functions without body, device registers,
//   what is volatile, reads of memory that is not followed: all have become inputs. An input that
//   stands for a value that is merely not modelled is a guess: it carries the id of a place in the
//   metadata `understudy.guess`, and a violation must not depend on it. Operations that `Encode`
//   may not be able to do exactly carry such an id, too, and are guessed where it is not;
// - `__VERIFIER_assume(i32)`: the path goes on only if the argument is not 0; one that excludes
//   an index outside of its array carries the id of its place in the metadata `understudy.inside`;
// - `understudy_assert_fail(id)`, followed by `unreachable`: a code assertion is false here;
// - `understudy_marker(id)`: UNDERSTUDY_AT(S); itself not between begin and end;
// - `understudy_violation(id)`, followed by `unreachable`: an obligation of the code itself fails
//   (a range, an underflow);
// - `understudy_needs_lock(id)`: the thread must hold the lock of the place here;
// - a step may take or release a lock of the contract: its place says so;
// - `ret void`, and `unreachable` after `abort`-like calls: the run ends, no error.
// Ids index the table of places (`Place`), which knows what to show a reader.
//
// `Instrument` turns a function in step form into the conformance checker: the calls above, but for
// inputs and assumptions, have become bookkeeping (Abstract Threads, section 3.1), and what remains
// is
// - `understudy_note(id)`: nothing happens; the reader of a trace looks here;
// - `reach_error()`, followed by `unreachable`;
// - calls of functions of ours with a body of one block, without loops.
//
// `Encode` turns either into a template of `compose::Program`.
#pragma once

#include "logic/Source.h"

#include <cstdint>
#include <string>
#include <vector>

namespace understudy::passes::lower {

namespace names {
inline constexpr const char *stepBegin = "understudy_step_begin";
inline constexpr const char *stepEnd = "understudy_step_end";
inline constexpr const char *assertFail = "understudy_assert_fail";
inline constexpr const char *at = "understudy_marker";
inline constexpr const char *violation = "understudy_violation";
inline constexpr const char *needsLock = "understudy_needs_lock";
inline constexpr const char *note = "understudy_note";
inline constexpr const char *assume = "__VERIFIER_assume";
inline constexpr const char *nondet = "__VERIFIER_nondet_"; ///< prefix
inline constexpr const char *guess = "understudy.guess";    ///< metadata: the id of a place
inline constexpr const char *inside = "understudy.inside";  ///< metadata: the id of a place
inline constexpr const char *reachError = "reach_error";
/// Prefix; only between inlining and lowering: the action `call NAME` happens here.
inline constexpr const char *action = "understudy_call_";
/// Prefix, likewise: here the compiler may call a function of this name that the code defines.
inline constexpr const char *ownCopy = "understudy_own_";
} // namespace names

enum class PlaceKind : uint8_t {
  Step,
  Assertion,
  AtomicAssertion, ///< inside an atomic section
  Marker,
  Return,
  Range,
  Underflow,
  Overflow,
  Guard,
  NeverWritten, ///< an atomic section changes a variable that no edge of the system changes
  OthersMoved,  ///< a note after the environment's move that follows a step
  Guess,        ///< a value that is not modelled is read: any
  Index,        ///< an array is accessed; outside of it the run is not followed
};

/// What a place has to do with a lock of the contract.
enum class LockUse : uint8_t {
  None,
  Takes,
  Releases,
  Needs, ///< Guard: it has to be held
};

/// What an id stands for.
struct Place {
  PlaceKind kind = PlaceKind::Step;
  logic::SourceRange range;
  std::string text;                   ///< the statement, as written in the source
  std::string detail;                 ///< Marker: the state; Range and the like: the variable
  std::vector<std::string> variables; ///< Step: named variables it may read or write
  std::vector<std::string> plain;     ///< Step: "read of stopped" for accesses that are not atomic
  std::string action;                 ///< Step: "call f", "lock m"; empty: none
  LockUse lockUse = LockUse::None;
  std::string lock = {};    ///< the mutex, unless `lockUse` is None
  bool weak = false;        ///< Step: atomic, and not sequentially consistent
  std::string how = "read"; ///< Guess: or "computed", or "taken"
};

/// "a violation depends on what f returns, read on line 7", of a guess.
std::string dependsOn(const Place &guess);

} // namespace understudy::passes::lower
