// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/read/SourceMap.h"

#include <llvm/IR/Function.h>

#include <map>
#include <set>

namespace understudy::passes::lower {

/// Which instructions lie between __VERIFIER_atomic_begin and __VERIFIER_atomic_end. Sections may
/// be nested; only the outermost begin and end count.
class AtomicSections {
public:
  /// Throws `logic::Unsupported` if a section is entered on some paths only, or not left before
  /// the function returns.
  AtomicSections(const llvm::Function &function, read::SourceMap &sources);

  bool inside(const llvm::Instruction &instruction) const { return inside_.contains(&instruction); }
  /// Of the begin or an end of an outermost section: its begin. Null for other calls.
  const llvm::Instruction *beginOf(const llvm::Instruction &call) const {
    auto found = borders_.find(&call);
    return found == borders_.end() ? nullptr : found->second;
  }

private:
  std::set<const llvm::Instruction *> inside_;
  std::map<const llvm::Instruction *, const llvm::Instruction *> borders_;
};

} // namespace understudy::passes::lower
