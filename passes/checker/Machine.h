// SPDX-License-Identifier: Apache-2.0
//
// The contract of one thread as conformance sees it: a finite automaton over the shared state.
// A node is a state with a valuation of the contract's locals; F, the set of nodes that can still
// match, is a set of numbers of nodes.
#pragma once

#include "logic/Value.h"
#include "specs/Compile.h"

#include <set>
#include <string>
#include <vector>

namespace understudy::passes::checker {

using logic::Term;
using logic::Variable;

struct MachineNode {
  compose::LocationId state = 0;
  std::string name; ///< "Working", "Trying(count = 2)"
  bool initial = false;
  bool final = false;
  Term assertion; ///< over the shared state; the system's invariants are in it
  Term rely;      ///< over the shared state before and after the others moved
};

/// A move of the contract that is not an idle one.
struct MachineEdge {
  uint32_t source = 0;
  uint32_t target = 0;
  compose::EdgeId edge = 0;
  Term match;         ///< over the shared state before and after, frames included, ghosts left out
  Term silent;        ///< over the shared state: taken while it stays; false if there is an action
  std::string action; ///< "call f", "lock m"; empty: none
};

struct Machine {
  const specs::ThreadBinding *binding = nullptr;
  const compose::Program *program = nullptr;
  /// Ghosts and the flags of mutexes: no memory of the code. The others may change them, but for
  /// the flag of a mutex that the thread holds.
  std::vector<Variable> unseen;
  std::vector<Variable> shared; ///< the other globals, in the order of the program
  std::vector<MachineNode> nodes;
  std::vector<MachineEdge> edges;
  Term unchanged; ///< no variable of `shared` differs: an idle move
  /// The nodes in an order in which silent moves lead forwards, but for moves inside a group.
  std::vector<std::vector<uint32_t>> silentOrder;

  const compose::Template &thread() const { return program->templates[binding->id]; }
  std::vector<uint32_t> nodesOf(const std::string &state) const;
};

/// Throws `logic::Unsupported` if the contract's locals have too many valuations.
Machine makeMachine(const specs::Compiled &contract, const specs::ThreadBinding &thread);

/// The seven steps of section 6 on concrete values: the reference for what the checker computes,
/// used to tell stories.
class MachineRun {
public:
  using Nodes = std::set<uint32_t>;
  /// Values of all globals of the program, in its order.
  using State = std::vector<logic::Value>;

  explicit MachineRun(const Machine &machine) : machine_(machine) {}

  Nodes initial() const;
  Nodes close(Nodes nodes, const State &at) const;
  /// The targets of moves from the nodes that allow the step; `action` empty: idle moves too.
  Nodes move(const Nodes &nodes, const State &before, const State &after,
             const std::string &action) const;
  bool holds(Term formula, const State &at) const;

private:
  const Machine &machine_;
  bool relates(Term formula, const State &before, const State &after) const;
};

} // namespace understudy::passes::checker
