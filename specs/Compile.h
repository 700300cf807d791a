// SPDX-License-Identifier: Apache-2.0
//
// From syntax trees to `Program`: names and sorts are checked, then templates are built.
#pragma once

#include "compose/Program.h"
#include "specs/Parse.h"

#include <string>
#include <vector>

namespace understudy::specs {

enum class SpuriousWakeups { Off, On };

struct CompileOptions {
  SpuriousWakeups spurious = SpuriousWakeups::On; ///< contracts: on by default; CONC: off
};

struct Compiled {
  compose::Program program;
  std::vector<logic::Diagnostic> warnings;
  /// Threads of a contract that have no body: the code stands for itself.
  std::vector<std::string> withoutContract;
};

/// Throws `logic::Error` with all errors of the file, in file order.
Compiled compile(const Contract &contract, const CompileOptions &options);
Compiled compile(const ConcFile &program, const CompileOptions &options);

} // namespace understudy::specs
