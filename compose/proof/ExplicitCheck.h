// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Interpreter.h"
#include "compose/proof/Evidence.h"

#include <optional>
#include <string>

namespace understudy::compose::proof {

enum class DeadlockClaim : uint8_t { None, Free };

/// Why the states do not prove the program safe, in words; nothing if they do: every start is among
/// them, every step leads from one to one, and nothing is wrong in any. Follows the reference
/// interpreter and needs no solver. States are equal if they are up to the order of their threads
/// and the values of variables that are dead, and after a renaming of ids that the evidence
/// carries: it is checked to be one and applied, never searched for. Throws `logic::Unsupported`
/// for what the interpreter cannot enumerate, and when no finite choice of thread ids is enough.
std::optional<std::string> faultOfStates(const Program &program, const ExplicitEvidence &evidence,
                                         const ThreadCounts &counts, DeadlockClaim deadlock);

/// "for 3 or fewer PnpAdd threads", "for any number of PnpAdd threads": what a proof for these
/// counts, and any number where none is given, covers. Empty if the program fixes all numbers.
std::string scopeText(const Program &program, const ThreadCounts &counts);

} // namespace understudy::compose::proof
