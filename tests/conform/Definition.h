// SPDX-License-Identifier: Apache-2.0
//
// Does a thread conform to its contract? Decided by brute force, from the definition.
//
// Problem. Let T be the concrete thread (`ConcreteThread.h`) and T# the saturated contract below.
// T# abstracts T when every phased execution of T is abstracted by some phased execution of T#
// (Abstract Threads, section 2).
//
// T# = (Global, Local#, ->#, Init#, Wrong#), from contract-language.md, section 6, and appendix A:
// - Local# = Configurations x (Global or nothing). The second component is the shared state that
// the
//   thread left behind with its last step; at the start it is nothing. (In appendix A it is an
//   arbitrary state at the start; then T# would fail at once wherever some state is not related to
//   the present one, and every thread would conform. Section 6 assumes nothing of the start.)
// - (g, (m, h)) ->#  (g', (m', g')) iff m moves silently at g to some n, an edge from n, idle edges
//   included, allows (g, g') and leads to some n', and n' moves silently at g' to m'.
// - Init# = initial configurations x {nothing}.
// - (g, (m, h)) in Wrong# iff m moves silently at g to some n whose assertion is false at g, or h
// is a
//   state and (h, g) is not allowed by the rely of m. The first part is the saturation of Wrong: in
//   the composition a silent move is a step like any other, so a contract that can move silently
//   into a failure can fail. The rely is that of m, the configuration in which others found the
//   thread, and not that of n, in which it was not yet when they moved.
//
// Idea. For a phased execution e of T, the local states in which T# can be after matching all of e
// form a set F; F is a function of e. The least (shortest) execution that is not abstracted is
// found by exploring all pairs (l, F) breadth first: from (l, F) every g is tried.
// - Some member of F is in Wrong# at g: the execution of T# that leads to this member has the
// length
//   so far, ends in Wrong#, and abstracts every continuation of e through (g, l). Nothing to
//   explore.
// - Otherwise (g, l) in Wrong: no execution of T# of this length ends wrong, and no shorter one
// does
//   (else we would not be here), so e is not abstracted.
// - Otherwise each step (g, l) -> (g', l') leads to (l', F'), where F' is the image of F under ->#.
//   F' empty: no execution of T# matches the step and none failed before, so e is not abstracted.
// Conversely, if none of this happens anywhere, each execution of T has, by induction on its
// length, a matching one, or one that went wrong earlier. This is Theorem 2, with Local# as above.
//
// Section 6 adds obligations that are no part of abstraction. Stores outside the type and
// assertions inside atomic sections are in Wrong already. A marker demands that its state occurs in
// F' right after its step, a return that a final state does. For a function that returns without
// any step, the initial configurations closed at the start state count, whatever that is. A return
// while a mutex is held breaks it, too.
//
// Mutexes. A step that takes or releases one is matched by edges with this action only. Others do
// not change what is guarded by a mutex that the thread holds: such states are not tried.
#pragma once

#include "ConcreteThread.h"
#include "ContractMachine.h"

#include <compare>
#include <map>

namespace understudy::tests {

/// A local state of T#.
struct AbstractLocal {
  Configuration at = 0;
  std::optional<GlobalId> left;
  auto operator<=>(const AbstractLocal &) const = default;
};

class SaturatedContract {
public:
  explicit SaturatedContract(ContractMachine &machine) : machine_(machine) {}

  std::vector<AbstractLocal> initial() const;
  bool wrong(GlobalId g, const AbstractLocal &local);
  /// All m' with (g, local) ->#  (g', m'), for what the step does.
  const std::vector<AbstractLocal> &successors(GlobalId g, const AbstractLocal &local,
                                               const ConcreteThread::Step &step);
  /// Configurations that are reached by silent moves at g, the given one included.
  const std::vector<Configuration> &silent(Configuration from, GlobalId g);
  ContractMachine &machine() { return machine_; }

private:
  ContractMachine &machine_;
  std::map<std::pair<Configuration, GlobalId>, std::vector<Configuration>> silent_;
  std::map<std::tuple<GlobalId, AbstractLocal, GlobalId, std::optional<LockAction>>,
           std::vector<AbstractLocal>>
      successors_;
};

enum class Breach : uint8_t { Wrong, Step, Marker, Return };
std::string word(Breach breach);

struct Disproof {
  Breach breach = Breach::Step;
  size_t length = 0; ///< of the shortest phased execution that is not abstracted, or breaks a duty
  std::string story; ///< one line per step
};

constexpr size_t anyLength = SIZE_MAX;

/// The shortest disproof of length at most `longest`; none: every execution of such a length is
/// abstracted. Throws `TooLarge`.
std::optional<Disproof> disproof(ConcreteThread &thread, ContractMachine &contract,
                                 size_t longest = anyLength);

} // namespace understudy::tests
