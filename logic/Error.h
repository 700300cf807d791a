// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "logic/Source.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace understudy::logic {

enum class Severity { Error, Warning, Note };

/// One message about an input. `hint` says how to mend it and may be empty.
struct Diagnostic {
  Severity severity = Severity::Error;
  SourceRange range;
  std::string message;
  std::string hint;
};

/// Bad input (exit code 2). Carries every diagnostic of the input, in file order.
class Error : public std::runtime_error {
public:
  explicit Error(const std::string &message)
      : std::runtime_error(message), diagnostics_{{Severity::Error, {}, message, {}}} {}
  Error(SourceRange range, const std::string &message, std::string hint = {})
      : std::runtime_error(message),
        diagnostics_{{Severity::Error, std::move(range), message, std::move(hint)}} {}
  explicit Error(std::vector<Diagnostic> diagnostics)
      : std::runtime_error(diagnostics.empty() ? "bad input" : diagnostics.front().message),
        diagnostics_(std::move(diagnostics)) {}

  const std::vector<Diagnostic> &diagnostics() const { return diagnostics_; }

private:
  std::vector<Diagnostic> diagnostics_;
};

/// A construct that the asked-for method cannot decide (verdict `unknown`, exit code 3).
class Unsupported : public std::runtime_error {
public:
  explicit Unsupported(const std::string &reason, SourceRange range = {})
      : std::runtime_error(reason), range_(std::move(range)) {}
  const SourceRange &range() const { return range_; }

private:
  SourceRange range_;
};

/// A value left the 64-bit integers in which concrete evaluation is carried out.
class Overflow : public Unsupported {
public:
  Overflow() : Unsupported("a value leaves the range of 64-bit integers") {}
};

} // namespace understudy::logic
