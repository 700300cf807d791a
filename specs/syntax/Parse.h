// SPDX-License-Identifier: Apache-2.0
//
// The door to the grammars. Spirit stays behind it: no header of this folder includes X3.
#pragma once

#include "logic/Error.h"
#include "specs/syntax/Syntax.h"

#include <vector>

namespace understudy::specs::syntax {

/// A tree with the comments that stood beside it.
template <typename Tree>
struct Parsed {
  Tree tree;
  std::vector<Comment> comments; ///< in file order
  std::vector<logic::Diagnostic> warnings;
};

/// Parses a whole file. Throws `logic::Error` with all syntax errors of the file, in file order.
Parsed<Contract> parseContract(const logic::SourceFilePtr &file);
Parsed<ConcFile> parseConc(const logic::SourceFilePtr &file);
Parsed<NetFile> parseNet(const logic::SourceFilePtr &file);
/// A file that is one expression, of a proof outline.
Parsed<ExprPtr> parseFormula(const logic::SourceFilePtr &file);

} // namespace understudy::specs::syntax
