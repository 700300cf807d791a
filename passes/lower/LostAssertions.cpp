// SPDX-License-Identifier: Apache-2.0
#include "passes/lower/LostAssertions.h"

#include "passes/lower/KnownFunctions.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace understudy::passes::lower {

namespace {

struct Use {
  std::string name;
  logic::Position at;
};

/// Finds names that are called like functions, outside of comments, literals and directives.
class Scanner {
public:
  Scanner(std::string_view text, logic::Position begin) : text_(text), at_(begin) {}

  std::vector<Use> run() {
    while (offset_ < text_.size())
      step();
    return std::move(uses_);
  }

private:
  std::string_view text_;
  size_t offset_ = 0;
  logic::Position at_;
  bool lineBegins_ = true;
  std::vector<Use> uses_;

  bool sees(std::string_view word) const { return text_.substr(offset_).starts_with(word); }

  void advance(size_t count) {
    for (; count > 0 && offset_ < text_.size(); --count, ++offset_)
      if (text_[offset_] == '\n') {
        ++at_.line;
        at_.column = 1;
        lineBegins_ = true;
      } else {
        ++at_.column;
      }
  }

  /// To the end of the line; backslashes continue it.
  void skipLine() {
    while (offset_ < text_.size() && text_[offset_] != '\n')
      advance(text_[offset_] == '\\' ? 2 : 1);
  }

  void skipLiteral(char quote) {
    advance(1);
    while (offset_ < text_.size() && text_[offset_] != quote && text_[offset_] != '\n')
      advance(text_[offset_] == '\\' ? 2 : 1);
    advance(1);
  }

  void step() {
    char c = text_[offset_];
    bool directive = c == '#' && lineBegins_;
    if (!llvm::isSpace(c))
      lineBegins_ = false;
    if (directive || sees("//"))
      return skipLine();
    if (sees("/*")) {
      size_t end = text_.find("*/", offset_ + 2);
      return advance(end == std::string_view::npos ? text_.size() : end + 2 - offset_);
    }
    if (c == '"' || c == '\'')
      return skipLiteral(c);
    if (llvm::isAlnum(c) || c == '_')
      return word();
    advance(1);
  }

  void word() {
    Use use{"", at_};
    bool isMember =
        text_.substr(0, offset_).ends_with('.') || text_.substr(0, offset_).ends_with("->");
    size_t end = offset_;
    while (end < text_.size() && (llvm::isAlnum(text_[end]) || text_[end] == '_'))
      ++end;
    use.name = text_.substr(offset_, end - offset_);
    advance(end - offset_);
    size_t next = text_.find_first_not_of(" \t", offset_);
    if (!isMember && next != std::string_view::npos && text_[next] == '(')
      uses_.push_back(std::move(use));
  }
};

bool asserts(llvm::StringRef name) {
  return name.contains_insensitive("assert") && !name.contains_insensitive("static_assert");
}

/// What the function calls, by line; "" stands for a failed assertion.
std::map<unsigned, std::set<std::string>> callsOf(const llvm::Function &function) {
  std::map<unsigned, std::set<std::string>> calls;
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function *callee = call != nullptr ? calleeOf(*call) : nullptr;
    if (callee == nullptr || !call->getDebugLoc())
      continue;
    std::set<std::string> &here = calls[call->getDebugLoc().getLine()];
    here.insert(memory::sourceName(*callee));
    if (meaningOf(*callee) == Known::AssertFail)
      here.insert("");
  }
  return calls;
}

using Spot = std::pair<uint32_t, uint32_t>; ///< line and column

Spot spotOf(const logic::Position &at) { return {at.line, at.column}; }

/// The brace behind the function; the end of its last line, if it never returns.
Spot lastSpot(const llvm::Function &function) {
  Spot last;
  bool returns = false;
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    if (const llvm::DebugLoc &location = instruction.getDebugLoc();
        location && Spot(location.getLine(), location.getCol()) >= last) {
      last = {location.getLine(), location.getCol()};
      returns = llvm::isa<llvm::ReturnInst>(instruction);
    }
  return returns ? last : Spot(last.first, UINT32_MAX);
}

/// Where the uses of the function begin: behind its name, if that is in its first line.
std::vector<Use>::const_iterator firstUse(const std::vector<Use> &uses, uint32_t line,
                                          const std::string &name) {
  auto own = std::find_if(uses.begin(), uses.end(),
                          [&](const Use &use) { return use.at.line == line && use.name == name; });
  return own != uses.end() ? own + 1 : uses.begin();
}

} // namespace

std::vector<std::string> lostAssertions(const llvm::Function &function, read::SourceMap &sources) {
  std::vector<std::string> result;
  logic::SourceRange range = sources.range(function.getSubprogram());
  if (!range.known() || range.begin.line > range.file->lineCount())
    return result;
  std::string_view rest = range.file->text();
  rest.remove_prefix(static_cast<size_t>(range.file->line(range.begin.line).data() - rest.data()));
  Spot last = lastSpot(function);
  auto calls = callsOf(function);
  std::vector<Use> uses = Scanner(rest, {range.begin.line, 1}).run();
  auto use = firstUse(uses, range.begin.line, memory::sourceName(function));
  for (; use != uses.end() && spotOf(use->at) <= last; ++use) {
    const std::set<std::string> &here = calls[use->at.line];
    if (!asserts(use->name) || here.contains(use->name) || here.contains(""))
      continue;
    logic::SourceRange at{range.file, use->at, {use->at.line, use->at.column + 1}};
    result.push_back(range.file->name() + ":" + std::to_string(use->at.line) + " " +
                     read::lineText(at));
  }
  return result;
}

} // namespace understudy::passes::lower
