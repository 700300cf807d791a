// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/checker/Machine.h"
#include "passes/lower/Lower.h"

#include <map>
#include <string>
#include <vector>

namespace understudy::passes::checker {

enum class Coverage {
  Off,
  On,    ///< `understudy_edge(number, taken)` is told of every edge after every step
  Goals, ///< the checker goes wrong where something wanted is used or reached, and only there
};

/// What the vacuity report asks for: states that become possible, edges that are taken, states that
/// are possible where the code asserts something; one number for each, in this order. And places:
/// steps, markers and assertions that are reached, array accesses that are outside.
struct Goals {
  size_t states = 0;                                 ///< locations of the thread's template
  size_t edges = 0;                                  ///< edges of the thread's template
  std::vector<llvm::GlobalVariable *> wanted;        ///< i1, never written
  std::vector<llvm::GlobalVariable *> hit;           ///< i1, of the last step or assertion
  std::map<uint32_t, llvm::GlobalVariable *> places; ///< i1, never written: is the place wanted?

  size_t state(size_t location) const { return location; }
  size_t edge(size_t edge) const { return states + edge; }
  size_t claim(size_t location) const { return states + edges + location; }
  size_t count() const { return 2 * states + edges; }
};

/// The conformance checker of one thread: a sequential function, and where to find its parts.
struct Checker {
  llvm::Function *function = nullptr;
  std::vector<llvm::GlobalVariable *> nodes; ///< F: one i1 for each node of the machine
  /// Variables that the code does not see: ghosts, flags of mutexes, those of other files.
  std::map<logic::Variable, llvm::GlobalVariable *> unseen;
  uint32_t othersMoved = 0; ///< id of the notes after a move of the others
  uint32_t returns = 0;     ///< id of the place where the function returns
  Goals goals;              ///< with Coverage::Goals
};

/// Turns the lowered function into the checker `understudy_check_T` (Abstract Threads, section 3.1,
/// for the contract with its silent moves).
Checker instrument(lower::Lowered &lowered, const Machine &machine, const memory::Binding &binding,
                   Coverage coverage);

} // namespace understudy::passes::checker
