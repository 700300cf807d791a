// SPDX-License-Identifier: Apache-2.0
//
// From syntax trees to `Program`: names and sorts are checked, then templates are built.
#pragma once

#include "compose/Program.h"
#include "specs/syntax/Parse.h"

#include <optional>
#include <string>
#include <vector>

namespace understudy::specs {

using logic::SourceRange;

enum class SpuriousWakeups { Off, On };

struct CompileOptions {
  SpuriousWakeups spurious = SpuriousWakeups::On; ///< contracts: on by default; CONC: off
};

/// What the C side must know of a shared variable of a contract.
struct SharedBinding {
  logic::Variable variable;
  bool ghost = false;
  std::vector<syntax::BindingPath> paths; ///< empty: the C global of the variable's name
  std::optional<std::string> guard;       ///< name of the mutex
  SourceRange range;                      ///< of the name
};

/// What the C side must know of a thread of a contract.
struct ThreadBinding {
  std::string name;
  compose::TemplateId id = 0;
  syntax::ThreadKind kind = syntax::ThreadKind::Thread;
  bool hasBody = true;             ///< false: the code stands for itself, the template is empty
  std::string function;            ///< of the C code
  std::optional<std::string> file; ///< of a static function
  SourceRange range;               ///< of the name
};

struct Compiled {
  compose::Program program;
  std::vector<logic::Diagnostic> warnings;
  /// Threads of a contract that have no body: the code stands for itself.
  std::vector<std::string> withoutContract;
  std::vector<SharedBinding> shared;  ///< of a contract, in file order, without mutexes and conds
  std::vector<ThreadBinding> threads; ///< of a contract, in file order: template ids ascend
};

/// Throws `logic::Error` with all errors of the file, in file order.
Compiled compile(const syntax::Contract &contract, const CompileOptions &options);
Compiled compile(const syntax::ConcFile &program, const CompileOptions &options);

} // namespace understudy::specs
