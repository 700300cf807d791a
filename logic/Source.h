// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::logic {

/// A place in a text: line and column count from 1, a tab is one column, columns count bytes.
struct Position {
  uint32_t line = 0;
  uint32_t column = 0;
  auto operator<=>(const Position &) const = default;
};

/// The text of one input file and the name under which the user knows it.
class SourceFile {
public:
  SourceFile(std::string name, std::string text);

  const std::string &name() const { return name_; }
  std::string_view text() const { return text_; }
  Position positionOf(size_t offset) const;
  /// The line without its line break; empty when the file has no such line.
  std::string_view line(uint32_t number) const;
  size_t lineCount() const { return lineStarts_.size(); }

private:
  std::string name_;
  std::string text_;
  std::vector<size_t> lineStarts_;
};

using SourceFilePtr = std::shared_ptr<const SourceFile>;

/// A half-open stretch of a file. `file == nullptr` means "generated, has no source".
struct SourceRange {
  SourceFilePtr file;
  Position begin;
  Position end;

  bool known() const { return file != nullptr; }
  /// "name:line:column", or "generated".
  std::string text() const;
};

} // namespace understudy::logic
