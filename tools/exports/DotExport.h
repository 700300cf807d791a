// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Program.h"
#include "compose/petri/PetriProgram.h"
#include "specs/syntax/Syntax.h"

#include <string>

namespace understudy::tools::exports {

/// A contract as a picture for Graphviz: a box around each thread, states with their assertions,
/// edges with their predicates and actions, and a legend with the shared variables.
std::string dotText(const specs::syntax::Contract &contract);

/// A CONC program as control-flow automata.
std::string dotText(const compose::Program &program);

/// A petrified program as a Petri net.
std::string dotText(const compose::petri::PetriProgram &petri, const compose::Program &program);

} // namespace understudy::tools::exports
