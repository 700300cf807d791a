// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Interpreter.h"
#include "specs/syntax/Syntax.h"

#include <string>

namespace understudy::tools::exports {

/// A contract as a CONC program that has the same verdict. A state becomes a label, an edge an
/// atomic section; a state with several edges chooses one of them first, so that a thread can be
/// stuck with a choice that is not possible: deadlocks are not preserved. Throws
/// `logic::Unsupported`, naming what CONC cannot say.
std::string concText(const specs::syntax::Contract &contract, const compose::Program &program,
                     const compose::ThreadCounts &counts);

} // namespace understudy::tools::exports
