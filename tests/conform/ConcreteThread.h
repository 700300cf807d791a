// SPDX-License-Identifier: Apache-2.0
//
// The concrete thread T = (Global, Local, ->, Init, Wrong) of Abstract Threads, section 2, for a
// tree of `ThreadCode.h`.
//
// A local state is a place at which a step of the code is due, with the values of the C locals, or
// the end: returned, failed, or stuck in local moves that block or never end. Everything between
// two steps is local and invisible (contract-language.md, section 6), so a transition is one step
// followed by local moves up to the next such place; it has one target for each way in which the
// local moves can come out. A step after which they come to nothing is a step all the same: others
// see it.
//
// What nobody writes has the values that it has at the start, for ever: reading it is a local move,
// and changing it in the middle of an atomic section is a violation (section 5).
//
// Wrong holds in a failed state whatever the shared state is, because nothing happens between the
// last step and the failing test that the test could depend on, and others may have moved since. It
// also holds where the next step itself is a violation whatever the contract says: it stores a
// value that the variable's contract type does not have, it takes a mutex that the thread holds or
// releases one that it does not hold, or it is an atomic section that can fail inside. A store
// without the mutex that guards the variable is a violation of conformance; where the code itself
// is explored, it is a store like any other.
#pragma once

#include "ContractTree.h"

#include <map>
#include <set>
#include <stdexcept>

namespace understudy::tests {

using LocalId = uint32_t;

/// The thread, or something computed from it, has too many states for brute force.
struct TooLarge : std::runtime_error {
  TooLarge() : std::runtime_error("too many states") {}
};

/// One instruction of a thread whose helpers are expanded.
struct Instruction {
  enum class Kind : uint8_t {
    Assign,
    Any,
    Branch,
    Load,
    Store,
    Add,
    Exchange,
    CompareExchange,
    Begin,
    End,
    Assert,
    Assume,
    Marker,
    Elsewhere, ///< access to memory that the contract does not name
    Lock,      ///< weak: may fail; then `local` is 1, otherwise 0
    Unlock,
    Return,
  };
  Kind kind = Kind::Return;
  int local = -1;
  int variable = -1;
  int other = -1;
  int amount = 0;
  int lower = 0;
  int upper = 0;
  bool weak = false;
  bool after = false;   ///< Add: the result is the value after
  bool updates = false; ///< CompareExchange: the value found goes into `other`
  std::string name;     ///< Marker
  Expr expr;            ///< without reads
  size_t next = 0;      ///< Branch: if true
  size_t otherwise = 0; ///< Branch: if false
};

struct Instructions {
  std::vector<Instruction> list; ///< starts with the first
  size_t locals = 0;
};

/// Reads become loads into a temporary local, helpers are expanded; what a temporary or a helper's
/// local held is forgotten after use, to keep the states few.
Instructions lowered(const ThreadCode &code, const std::vector<SharedVariable> &variables);

/// Variables that nobody writes, and a shared state in which they have the values that they keep.
struct NeverWritten {
  std::set<int> variables;
  GlobalId at = 0;
};

/// How the rules about locks are read. All but the first are wrong: tests must be able to tell.
enum class Reading : uint8_t {
  AsWorded,
  TryNeverFails, ///< a mutex that is tried is taken
  FrozenForEver, ///< what is guarded does not differ in step 7, held or not
};

/// What the thread is explored for.
enum class World : uint8_t { Conformance, Code };

class ConcreteThread {
public:
  /// Is an access to memory that the contract does not name a step? Section 6 can be read both
  /// ways: such an access is one to shared memory, but leaves nothing to see. It matters only for
  /// returns that follow at once, in states where a contract assertion is false.
  enum class Elsewhere : uint8_t { Local, Step };

  struct Step {
    GlobalId after = 0;
    LocalId next = 0;
    std::optional<std::string> marker; ///< UNDERSTUDY_AT: the contract must be able to be there now
    std::optional<LockAction> action;
    auto operator<=>(const Step &) const = default;
  };
  enum class Phase : uint8_t { Running, Returned, Failed, Stuck };
  struct Local {
    Phase phase = Phase::Running;
    size_t place = 0; ///< of the instruction that is due, if running
    std::vector<int> values;
    std::set<int> held; ///< locks
    auto operator<=>(const Local &) const = default;
  };

  ConcreteThread(const SharedSpace &space, const ThreadCode &code,
                 Elsewhere elsewhere = Elsewhere::Local, NeverWritten neverWritten = {},
                 World world = World::Conformance, Reading reading = Reading::AsWorded);
  ConcreteThread(const ConcreteThread &) = delete;
  ConcreteThread &operator=(const ConcreteThread &) = delete;

  const std::vector<LocalId> &initial() const { return initial_; }
  bool wrong(GlobalId g, LocalId l);
  const std::vector<Step> &steps(GlobalId g, LocalId l) { return moves(g, l).steps; }
  const Local &local(LocalId l) const { return *locals_[l]; }
  bool returned(LocalId l) const { return local(l).phase == Phase::Returned; }
  /// May others change h to g here? Not what is guarded by a held mutex, nor the mutex.
  bool othersMay(LocalId l, GlobalId h, GlobalId g) const;
  size_t localCount() const { return locals_.size(); }
  const Instruction &instruction(size_t place) const { return instructions_.list[place]; }
  const SharedSpace &space() const { return space_; }
  /// Can the shared state be this one? What nobody writes has one value.
  bool possible(GlobalId g) const;

private:
  struct Moves {
    bool violates = false;
    std::vector<Step> steps;
  };
  /// A state inside a step.
  struct Inside {
    GlobalId g = 0;
    size_t place = 0;
    std::vector<int> values;
    std::set<int> held;
    auto operator<=>(const Inside &) const = default;
  };

  const Moves &moves(GlobalId g, LocalId l);
  Moves compute(GlobalId g, const Local &from);
  void section(Moves &moves, Inside begin);
  void lock(Moves &moves, Inside inside);
  void unlock(Moves &moves, Inside inside);
  void arrive(Moves &moves, const Inside &at, std::optional<std::string> marker,
              std::optional<LockAction> action = std::nullopt);
  std::vector<LocalId> settled(size_t place, std::vector<int> values, const std::set<int> &held);
  LocalId idOf(Local local);
  std::vector<Inside> access(Moves &moves, const Inside &from) const;
  std::vector<Inside> compareExchange(Moves &moves, const Inside &from) const;
  bool store(Moves &moves, Inside &inside, int variable, int value) const;

  const SharedSpace &space_;
  Elsewhere elsewhere_;
  NeverWritten neverWritten_;
  World world_;
  Reading reading_;
  Instructions instructions_;
  std::map<Local, LocalId> ids_;
  std::vector<const Local *> locals_;
  std::vector<LocalId> initial_;
  std::map<std::pair<GlobalId, LocalId>, Moves> moves_;
};

} // namespace understudy::tests
