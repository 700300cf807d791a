// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "logic/Error.h"

#include <string>
#include <vector>

namespace understudy::specs::syntax {

/// Collects what is wrong with a file, so that one run reports all of it.
class Reporter {
public:
  void error(const logic::SourceRange &range, const std::string &message,
             const std::string &hint = {});
  void warning(const logic::SourceRange &range, const std::string &message,
               const std::string &hint = {});

  /// Null if there is none.
  const logic::Diagnostic *firstError() const {
    return errors_.empty() ? nullptr : &errors_.front();
  }
  size_t errorCount() const { return errors_.size(); }
  /// Throws `logic::Error` with all errors in file order, if there are any.
  void throwIfFailed() const;
  /// In file order.
  std::vector<logic::Diagnostic> warnings() const;

private:
  std::vector<logic::Diagnostic> errors_;
  std::vector<logic::Diagnostic> warnings_;
};

/// The text of the range as one line: comments and line breaks become single spaces, a semicolon
/// at the end is dropped, and very long texts are cut.
std::string sourceText(const logic::SourceRange &range);

} // namespace understudy::specs::syntax
