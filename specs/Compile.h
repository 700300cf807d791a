// SPDX-License-Identifier: Apache-2.0
//
// From syntax trees to `Program`: names and sorts are checked, then templates are built.
#pragma once

#include "compose/Program.h"
#include "specs/syntax/Parse.h"

#include <map>
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
  std::optional<syntax::DisciplineRef> discipline;
  SourceRange range; ///< of the name

  /// Set by a call: `shared bool gone @ kfree(dev);`
  bool isLifetime() const { return !paths.empty() && paths.front().kind == syntax::PathKind::Call; }
};

/// A mutex, a cond or a section.
struct LockBinding {
  syntax::TypeKind kind = syntax::TypeKind::Mutex;
  std::string name;
  bool recursive = false;
  std::vector<syntax::BindingPath> paths; ///< empty: the C global of its name
  SourceRange range;
};

/// `object dev : struct uart;`
struct ObjectBinding {
  std::string name;
  std::string tag; ///< `struct`, `union`, or empty: a typedef
  std::string type;
  SourceRange range;
};

/// `claim EXPR @ f(), q->slots[];`
struct ClaimBinding {
  compose::Claim claim;
  std::vector<syntax::BindingPath> paths;
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
  std::optional<syntax::WrapperRef> via;
  /// States that a thread is in only while it is inside a section, by location.
  std::map<compose::LocationId, syntax::InsideRef> inside;
  std::vector<syntax::Name> unboundedLocals;
};

struct Compiled {
  compose::Program program;
  std::vector<logic::Diagnostic> warnings;
  /// Threads of a contract that have no body: the code stands for itself.
  std::vector<std::string> withoutContract;
  std::vector<SharedBinding> shared; ///< of a contract, in file order, without mutexes and conds
  std::vector<LockBinding> locks;    ///< of a contract, in file order
  std::vector<ObjectBinding> objects;
  std::vector<ClaimBinding> claims;
  /// Globals of the program that stand for being inside a section; no code has them.
  std::vector<logic::Variable> insideFlags;
  std::vector<ThreadBinding> threads; ///< of a contract, in file order: template ids ascend
};

/// Throws `logic::Error` with all errors of the file, in file order.
Compiled compile(const syntax::Contract &contract, const CompileOptions &options);
Compiled compile(const syntax::ConcFile &program, const CompileOptions &options);

} // namespace understudy::specs
