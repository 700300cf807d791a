// SPDX-License-Identifier: Apache-2.0
//
// From relations to guarded commands, for notations that assign instead of relate: "when the guard
// holds, assign, all at once". A relation becomes a choice of commands by disjunctive normal form;
// in each disjunct, equations `x' == e` are solved and what they determine is replaced.
#pragma once

#include "logic/Source.h"
#include "logic/Term.h"

#include <string>
#include <vector>

namespace understudy::tools::exports::promela {

struct Assignment {
  logic::Variable variable;
  logic::Term value;
};

/// One way to satisfy the relation. `guard` speaks of known variables only. The assignments are
/// simultaneous. The variables in `open` may take any values that satisfy `constraints`; values of
/// assignments may mention them. Some of them are no variables of the program but elements of an
/// array after the step (`isElement`), and are not assigned.
struct GuardedCommand {
  std::vector<logic::Term> guard;
  std::vector<Assignment> assignments;
  std::vector<logic::VariableUse> open;
  std::vector<logic::Term> constraints;
};

/// Named after the element, as in "a'[i]".
bool isElement(logic::VariableUse use);

/// All commands of the relation, whose unknowns are as given (primed ones for a step, unprimed ones
/// for a start). Values of bounded sorts are guarded. Throws `logic::Unsupported`, naming `what`,
/// when there are too many.
std::vector<GuardedCommand> guardedCommands(logic::Term relation,
                                            std::vector<logic::VariableUse> unknowns,
                                            const std::string &what,
                                            const logic::SourceRange &where);

/// The same choice without constraints: open variables that are constrained, or that values
/// mention, are given each of their values in turn. Open variables that remain are unconstrained.
/// Throws `logic::Unsupported` when they have too many values.
std::vector<GuardedCommand> enumerated(const std::vector<GuardedCommand> &commands,
                                       const std::string &what, const logic::SourceRange &where);

} // namespace understudy::tools::exports::promela
