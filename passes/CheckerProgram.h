// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Program.h"
#include "passes/Binding.h"
#include "passes/Encode.h"
#include "passes/Instrument.h"
#include "passes/StatedInvariants.h"
#include "passes/System.h"

namespace understudy::passes {

/// A checker as a program of one thread.
struct CheckerProgram {
  compose::Program program;
  Encoded encoded;
  std::vector<StatedInvariant> stated;

  /// The options, with the stated invariants.
  compose::SequentialOptions with(compose::SequentialOptions options) const;
};

CheckerProgram encodeChecker(const Checker &checker, const Lowered &lowered, const Binding &binding,
                             const logic::TermPoolPtr &pool, const std::string &thread,
                             SourceMap &sources);

/// Adds the checker of every thread with a contract to the system's module and removes the bodies
/// of functions that are known by name. Throws `logic::Unsupported` for what cannot be lowered.
void instrumentAll(System &system, Coverage coverage);

} // namespace understudy::passes
