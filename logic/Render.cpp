// SPDX-License-Identifier: Apache-2.0
#include "logic/Render.h"

#include "logic/Utf8.h"
#include "logic/Words.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace understudy::logic {

namespace {

constexpr size_t maxShown = 100; ///< characters of a line that are shown

/// A source line as it is shown: one cell for each thing that takes room.
struct Cell {
  std::string text;
  size_t width = 1;  ///< in columns of a terminal
  size_t offset = 0; ///< of its first byte in the line
};

std::string hexByte(unsigned char byte) {
  std::array<char, 8> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "<%02X>", byte);
  return buffer.data();
}

/// Only the bytes near the caret are looked at, so that a line of megabytes costs nothing.
std::vector<Cell> cellsOf(std::string_view line, size_t from, size_t to) {
  std::vector<Cell> cells;
  for (size_t at = from; at < to;) {
    auto character = decodeUtf8(line.substr(at));
    if (line[at] == '\t') {
      cells.push_back({"  ", 2, at++});
    } else if (character && isPrintable(character->code)) {
      cells.push_back({std::string(line.substr(at, character->length)), 1, at});
      at += character->length;
    } else {
      cells.push_back({hexByte(static_cast<unsigned char>(line[at])), 4, at});
      ++at;
    }
  }
  return cells;
}

struct Shown {
  std::string line;
  std::string caret;
};

/// The bytes [begin, end) of the line are marked.
Shown showLine(std::string_view line, size_t begin, size_t end) {
  begin = std::min(begin, line.size());
  end = std::clamp(end, begin, line.size());
  size_t from = 0;
  size_t to = line.size();
  if (line.size() > maxShown) {
    from = begin > maxShown / 2 ? begin - maxShown / 2 : 0;
    from = std::min(from, line.size() - maxShown);
    to = from + maxShown;
    while (from > 0 && from < begin && (static_cast<unsigned char>(line[from]) & 0xC0) == 0x80)
      ++from; // not in the middle of a character
    while (to > end && to < line.size() && (static_cast<unsigned char>(line[to]) & 0xC0) == 0x80)
      --to;
  }
  Shown shown;
  if (from > 0)
    shown.line = "...";
  shown.caret = std::string(shown.line.size(), ' ');
  for (const Cell &cell : cellsOf(line, from, to)) {
    shown.line += cell.text;
    bool isFirst = cell.offset <= begin && shown.caret.find('^') == std::string::npos;
    if (cell.offset >= begin && cell.offset < end)
      shown.caret += (cell.offset == begin || shown.caret.find('^') == std::string::npos)
                         ? "^" + std::string(cell.width - 1, '~')
                         : std::string(cell.width, '~');
    else if (cell.offset < begin && isFirst)
      shown.caret += std::string(cell.width, ' ');
  }
  if (shown.caret.find('^') == std::string::npos)
    shown.caret += '^';
  if (to < line.size())
    shown.line += "...";
  return shown;
}

std::string_view severityWord(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    break;
  }
  return "note";
}

std::string excerpt(const SourceRange &range) {
  if (range.begin.line == 0 || range.begin.line > range.file->lineCount())
    return {};
  std::string_view line = range.file->line(range.begin.line);
  size_t begin = range.begin.column - 1;
  size_t end = range.end.line > range.begin.line ? line.size() : range.end.column - 1;
  Shown shown = showLine(line, begin, end);
  std::string number = std::to_string(range.begin.line);
  std::string margin(number.size() < 5 ? 5 - number.size() : 0, ' ');
  std::string first = margin + number + " | " + shown.line;
  while (first.back() == ' ')
    first.pop_back();
  return first + "\n" + std::string(margin.size() + number.size(), ' ') + " | " + shown.caret +
         "\n";
}

} // namespace

std::string printable(std::string_view text) {
  std::string shown;
  for (const Cell &cell : cellsOf(text, 0, text.size()))
    shown += cell.text;
  return shown;
}

std::string render(const Diagnostic &diagnostic) {
  std::string text;
  if (diagnostic.range.known())
    text = diagnostic.range.text() + ": ";
  text += std::string(severityWord(diagnostic.severity)) + ": " + diagnostic.message + "\n";
  if (diagnostic.range.known())
    text += excerpt(diagnostic.range);
  if (!diagnostic.hint.empty())
    text += "     hint: " + diagnostic.hint + "\n";
  return text;
}

std::string render(const std::vector<Diagnostic> &diagnostics) {
  std::string text;
  size_t errors = 0;
  size_t warnings = 0;
  for (const Diagnostic &diagnostic : diagnostics) {
    text += render(diagnostic);
    errors += diagnostic.severity == Severity::Error ? 1 : 0;
    warnings += diagnostic.severity == Severity::Warning ? 1 : 0;
  }
  std::vector<std::string> counts;
  if (errors > 0)
    counts.push_back(plural(errors, "error"));
  if (warnings > 0)
    counts.push_back(plural(warnings, "warning"));
  return counts.empty() ? text : text + joined(counts) + "\n";
}

} // namespace understudy::logic
