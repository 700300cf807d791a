// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Program.h"
#include "passes/System.h"
#include "passes/checker/Instrument.h"
#include "passes/encode/Encode.h"
#include "passes/encode/StatedInvariants.h"
#include "passes/memory/Binding.h"

namespace understudy::passes::checker {

/// A checker as a program of one thread.
struct CheckerProgram {
  compose::Program program;
  encode::Encoded encoded;
  std::vector<encode::StatedInvariant> stated;

  /// The options, with the stated invariants.
  compose::sequential::SequentialOptions with(compose::sequential::SequentialOptions options) const;
};

CheckerProgram encodeChecker(const Checker &checker, const lower::Lowered &lowered,
                             const memory::Binding &binding, const logic::TermPoolPtr &pool,
                             const std::string &thread, read::SourceMap &sources);

/// Adds the checker of every thread with a contract to the system's module and removes the bodies
/// of functions that are known by name. Throws `logic::Unsupported` for what cannot be lowered.
void instrumentAll(System &system, Coverage coverage);

} // namespace understudy::passes::checker
