// SPDX-License-Identifier: Apache-2.0
//
// `//@ invariant EXPR` on the lines above a loop of the C code.
//
// A stated invariant speaks of C locals and of the variables that the contract names (with the
// value that the thread saw last). It is a suggestion for the engine, which uses it only if it
// proves to be one; so nothing here has to be trusted, not even the debug information that says
// which value a local has.
#pragma once

#include "compose/sequential/Sequential.h"
#include "passes/encode/Encode.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace understudy::passes::encode {

struct StatedInvariant {
  std::string text;
  logic::SourceRange range;
  /// None: it speaks of a local on which nothing in the loop depends.
  std::optional<compose::sequential::LocationInvariant> invariant;
};

class StatedInvariants {
public:
  /// Throws `logic::Error` for a comment of this kind, in a function of the thread, that is not
  /// above a loop.
  StatedInvariants(const llvm::Function &checker, read::SourceMap &sources);

  /// The blocks in which the loops begin.
  std::set<const llvm::BasicBlock *> heads() const;

  /// Throws `logic::Error` for an expression with an error in it.
  std::vector<StatedInvariant> resolve(const Encoded &encoded, const EncodeContext &context) const;

private:
  struct Comment {
    logic::SourceRange range; ///< of the expression
    const llvm::BasicBlock *head = nullptr;
  };
  std::vector<Comment> comments_;

  void findAbove(const logic::SourceFilePtr &file, uint32_t begin, uint32_t end,
                 const std::map<uint32_t, std::vector<const llvm::BasicBlock *>> &loops);
};

} // namespace understudy::passes::encode
