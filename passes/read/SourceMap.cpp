// SPDX-License-Identifier: Apache-2.0
#include "passes/read/SourceMap.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instruction.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <cctype>

namespace understudy::passes::read {

using logic::SourceFile;
using logic::SourceFilePtr;
using logic::SourceRange;

namespace {

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The column after the name or number that begins at `column`; one character otherwise.
uint32_t tokenEnd(std::string_view line, uint32_t column) {
  uint32_t end = column;
  while (end <= line.size() && isWordCharacter(line[end - 1]))
    ++end;
  return std::max(end, column + 1);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\f\v";
  size_t begin = text.find_first_not_of(space);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

/// Where the string or character literal or comment that begins at `at` ends; `at` if there is
/// none.
size_t skipOpaque(std::string_view line, size_t at) {
  if (line.substr(at, 2) == "//")
    return line.size();
  if (line.substr(at, 2) == "/*") {
    size_t end = line.find("*/", at + 2);
    return end == std::string_view::npos ? line.size() : end + 2;
  }
  char quote = line[at];
  if (quote != '"' && quote != '\'')
    return at;
  size_t end = at + 1;
  while (end < line.size() && line[end] != quote)
    end += line[end] == '\\' ? 2 : 1;
  return std::min(end + 1, line.size());
}

bool isComment(std::string_view line, size_t at) {
  return line.substr(at, 2) == "//" || line.substr(at, 2) == "/*";
}

/// The statement that covers the offset: what lies between semicolons and braces that are not in
/// parentheses.
std::string statementAt(std::string_view line, size_t offset) {
  std::string statement;
  int depth = 0;
  for (size_t at = 0; at < line.size();) {
    size_t end = skipOpaque(line, at);
    if (end > at) {
      if (!isComment(line, at))
        statement += line.substr(at, end - at);
      at = end;
      continue;
    }
    char c = line[at];
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth <= 0 && (c == ';' || c == '{' || c == '}')) {
      if (at >= offset && !trimmed(statement).empty())
        break;
      statement.clear();
    } else {
      statement += c;
    }
    ++at;
  }
  return std::string(trimmed(statement));
}

} // namespace

SourceFilePtr SourceMap::file(const llvm::DIFile *file) {
  llvm::SmallString<128> path(file->getFilename());
  if (!llvm::sys::path::is_absolute(path)) {
    path = file->getDirectory();
    llvm::sys::path::append(path, file->getFilename());
  }
  SourceFilePtr &known = files_[std::string(path)];
  if (known)
    return known;
  std::string text;
  if (file->getSource())
    text = file->getSource()->str();
  else if (auto buffer = llvm::MemoryBuffer::getFile(path))
    text = (*buffer)->getBuffer().str();
  known = std::make_shared<SourceFile>(file->getFilename().str(), std::move(text));
  return known;
}

SourceRange SourceMap::range(const llvm::DIFile *where, uint32_t line, uint32_t column) {
  if (!where || line == 0)
    return {};
  SourceFilePtr source = file(where);
  if (column == 0) {
    std::string_view text = source->line(line);
    size_t first = text.find_first_not_of(" \t");
    column = first == std::string_view::npos ? 1 : static_cast<uint32_t>(first + 1);
  }
  return {source, {line, column}, {line, tokenEnd(source->line(line), column)}};
}

SourceRange SourceMap::range(const llvm::DebugLoc &location) {
  if (!location)
    return {};
  return range(location->getFile(), location.getLine(), location.getCol());
}

SourceRange SourceMap::range(const llvm::Instruction &instruction) {
  auto located = [](const llvm::Instruction *i) {
    return i->getDebugLoc() && i->getDebugLoc().getLine() != 0;
  };
  for (const auto *i = &instruction; i; i = i->getPrevNode())
    if (located(i))
      return range(i->getDebugLoc());
  for (const auto *i = instruction.getNextNode(); i; i = i->getNextNode())
    if (located(i))
      return range(i->getDebugLoc());
  return {};
}

SourceRange SourceMap::range(const llvm::GlobalVariable &global) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> infos;
  global.getDebugInfo(infos);
  if (infos.empty())
    return {};
  const llvm::DIGlobalVariable *info = infos.front()->getVariable();
  SourceRange line = range(info->getFile(), info->getLine(), 1);
  if (!line.known())
    return line;
  size_t column = line.file->line(info->getLine()).find(info->getName().str());
  return column == std::string_view::npos
             ? line
             : range(info->getFile(), info->getLine(), static_cast<uint32_t>(column + 1));
}

SourceRange SourceMap::range(const llvm::DISubprogram *function) {
  return function ? range(function->getFile(), function->getLine(), 0) : SourceRange{};
}

std::string lineText(const SourceRange &range) {
  if (!range.known())
    return {};
  std::string_view line = range.file->line(range.begin.line);
  std::string statement = statementAt(line, range.begin.column > 0 ? range.begin.column - 1 : 0);
  return statement.empty() ? std::string(trimmed(line)) : statement;
}

} // namespace understudy::passes::read
