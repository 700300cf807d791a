// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/Conform.h"
#include "passes/lower/StepForm.h"
#include "passes/memory/Binding.h"
#include "passes/memory/Memory.h"

#include <set>
#include <string>
#include <vector>

namespace understudy::passes::lower {

/// A thread's function in step form (`StepForm.h`).
struct Lowered {
  llvm::Function *function = nullptr;
  std::vector<Place> places; ///< by id
  std::set<std::string> assumptions;
  uint64_t steps = 0;
  uint64_t assertions = 0; ///< code assertions
  uint64_t markers = 0;
  bool isSilent =
      true; ///< no assertion or marker is in the code, not even one that is plainly true
  std::vector<logic::SourceRange> dropped; ///< steps, assertions and markers that no run can reach
  logic::SourceRange end;                  ///< where the function returns
};

struct LowerOptions {
  OverflowMode overflow = OverflowMode::Assume;
  std::set<std::string> actions; ///< functions whose calls are steps: `do call f`
  /// Why operations on locks are refused; empty: they are steps, or local if the contract does not
  /// name the lock.
  std::string locks = {};
  /// Why timed waits on a condition of the contract are refused; empty: they are not.
  std::string timedWaits = {};
  std::set<const llvm::Function *> threads = {}; ///< functions of the contract's threads
};

/// Inlines, classifies every access and rewrites. The module gets a new function `NAME`; nothing
/// else in it changes. Throws `logic::Unsupported`, naming the construct.
/// Precondition: locals of the module are promoted.
Lowered lower(llvm::Function &thread, const std::string &name, const memory::Memory &memory,
              read::SourceMap &sources, const LowerOptions &options);

} // namespace understudy::passes::lower
