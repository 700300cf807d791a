// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "logic/Source.h"

#include <map>
#include <string>

namespace llvm {
class DebugLoc;
class DIFile;
class DISubprogram;
class GlobalVariable;
class Instruction;
} // namespace llvm

namespace understudy::passes::read {

/// From debug locations to places in the C sources. Files are read once; one that cannot be read
/// has its name and no text.
class SourceMap {
public:
  /// Innermost line of an inlined location; the token there is the range. Unknown without a line.
  logic::SourceRange range(const llvm::DebugLoc &location);
  /// Without a location of its own: that of the nearest located instruction before it in its block,
  /// then after it.
  logic::SourceRange range(const llvm::Instruction &instruction);
  logic::SourceRange range(const llvm::DISubprogram *function);
  /// Where a global is declared.
  logic::SourceRange range(const llvm::GlobalVariable &global);

private:
  std::map<std::string, logic::SourceFilePtr> files_; ///< by path

  logic::SourceFilePtr file(const llvm::DIFile *file);
  logic::SourceRange range(const llvm::DIFile *file, uint32_t line, uint32_t column);
};

/// The statement, or part of one, that is at the range's begin in its line: without surrounding
/// space, comment and final semicolon. Empty if the text is not known.
std::string lineText(const logic::SourceRange &range);

} // namespace understudy::passes::read
