// SPDX-License-Identifier: Apache-2.0
#include "specs/syntax/Reporter.h"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace understudy::specs::syntax {

using logic::Diagnostic;
using logic::Severity;
using logic::SourceRange;

namespace {

constexpr size_t longestText = 1000;

/// Each once: a statement that is looked at several times may report the same several times.
std::vector<Diagnostic> inFileOrder(std::vector<Diagnostic> diagnostics) {
  auto key = [](const Diagnostic &d) {
    return std::tuple(d.range.begin, d.range.end, std::string_view(d.message));
  };
  std::sort(diagnostics.begin(), diagnostics.end(),
            [&](const Diagnostic &a, const Diagnostic &b) { return key(a) < key(b); });
  auto rest =
      std::unique(diagnostics.begin(), diagnostics.end(),
                  [&](const Diagnostic &a, const Diagnostic &b) { return key(a) == key(b); });
  diagnostics.erase(rest, diagnostics.end());
  return diagnostics;
}

/// The stretch of the file, line by line, as far as it can matter.
std::string slice(const SourceRange &range) {
  std::string result;
  for (uint32_t line = range.begin.line; line <= range.end.line; ++line) {
    std::string_view text = range.file->line(line);
    size_t from = line == range.begin.line ? range.begin.column - 1 : 0;
    size_t to = line == range.end.line ? range.end.column - 1 : text.size();
    to = std::min(to, text.size());
    if (from < to)
      result += text.substr(from, to - from);
    result += '\n';
    if (result.size() > 16 * longestText)
      break;
  }
  return result;
}

/// The offset after the comment that starts at `at`, or `at` if none does.
size_t afterComment(const std::string &text, size_t at) {
  if (text.compare(at, 2, "//") == 0)
    return std::min(text.find('\n', at), text.size());
  if (text.compare(at, 2, "/*") != 0)
    return at;
  size_t end = text.find("*/", at + 2);
  return end == std::string::npos ? text.size() : end + 2;
}

} // namespace

void Reporter::error(const SourceRange &range, const std::string &message,
                     const std::string &hint) {
  errors_.push_back({Severity::Error, range, message, hint});
}

void Reporter::warning(const SourceRange &range, const std::string &message,
                       const std::string &hint) {
  warnings_.push_back({Severity::Warning, range, message, hint});
}

void Reporter::throwIfFailed() const {
  if (!errors_.empty())
    throw logic::Error(inFileOrder(errors_));
}

std::vector<Diagnostic> Reporter::warnings() const { return inFileOrder(warnings_); }

std::string sourceText(const SourceRange &range) {
  if (!range.known())
    return {};
  std::string raw = slice(range);
  std::string result;
  bool gap = false;
  for (size_t at = 0; at < raw.size() && result.size() <= longestText;) {
    size_t next = afterComment(raw, at);
    if (next != at || std::isspace(static_cast<unsigned char>(raw[at]))) {
      gap = true;
      at = std::max(next, at + 1);
      continue;
    }
    if (gap && !result.empty())
      result += ' ';
    gap = false;
    result += raw[at++];
  }
  if (result.size() > longestText)
    return result.substr(0, longestText) + " …";
  while (!result.empty() && (result.back() == ';' || result.back() == ' '))
    result.pop_back();
  return result;
}

} // namespace understudy::specs::syntax
