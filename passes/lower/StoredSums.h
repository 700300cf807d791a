// SPDX-License-Identifier: Apache-2.0
//
// Which sums stand in a store itself.
//
// The problem: a store to a named variable is assumed not to exceed its type, and the arithmetic of
// locals is exact (contract language, section 7). Of `x = c + 1` the sum is the store's; after
// `c = c + 1; x = c;` it is a local's, which may have wrapped. Once locals are promoted the two
// look alike. The idea: tell them apart before that. As the front end wrote the code, a local is
// loaded from its place in memory, so a sum that is stored as it is stands in the store's own
// expression. Sum and store get a mark of their own, which they keep when they are copied; a store
// counts only together with its sum. Deviation: what the optimiser has seen no longer tells, and
// counts as `Perhaps`. Code that does not say whether it was optimised is taken at its form, and
// the verdict has to list that.
#pragma once

#include "passes/read/SourceMap.h"

#include <cstdint>

namespace llvm {
class Function;
class Module;
class Value;
} // namespace llvm

namespace understudy::passes::lower {

/// Precondition: locals are not promoted yet.
void markStoredSums(llvm::Module &module, read::SourceMap &sources);

/// Sums of constants stay as they are until this is called: when nothing is inlined any more.
void endCopies(llvm::Function &function);

enum class InStore : uint8_t {
  No,
  Perhaps,
  ByForm, ///< yes, if the function is what it looks like: not optimised
  Yes,
};

/// Is the value a sum, difference or product, perhaps cut to a smaller type, that stands in the
/// store itself?
InStore isInStore(const llvm::Value &value, const llvm::Instruction &store);

} // namespace understudy::passes::lower
