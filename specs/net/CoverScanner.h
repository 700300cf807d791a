// SPDX-License-Identifier: Apache-2.0
//
// Characters, numbers and words of the net formats. Written by hand: files have up to a million
// lines, and their grammar needs one token of look-ahead.
#pragma once

#include "logic/Error.h"
#include "logic/Source.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace understudy::specs::net {

class CoverScanner {
public:
  explicit CoverScanner(logic::SourceFilePtr file) : file_(std::move(file)), text_(file_->text()) {}

  size_t offset() const { return at_; }
  uint32_t line() const { return line_; }
  bool atEnd() const { return at_ == text_.size(); }
  char peek() const { return atEnd() ? '\0' : text_[at_]; }

  /// Blanks within the line, and a comment up to its end.
  void skipBlanks();
  /// Blanks, comments and line breaks.
  void skipLines();
  bool atLineEnd() const { return atEnd() || peek() == '\n'; }

  /// If the text goes on with `word`, reads it.
  bool accept(std::string_view word);
  void expect(std::string_view word, const std::string &message, const std::string &hint = {});
  bool atNumber() const { return peek() >= '0' && peek() <= '9'; }
  /// `what` completes "expected …"; at most 4,294,967,294.
  uint32_t number(const std::string &what);
  bool atWord() const;
  std::string_view word(const std::string &what);

  [[noreturn]] void fail(const std::string &message, const std::string &hint = {}) const {
    failAt(at_, message, hint);
  }
  [[noreturn]] void failAt(size_t offset, const std::string &message,
                           const std::string &hint = {}) const;
  logic::SourceRange rangeAt(size_t offset) const;

private:
  logic::SourceFilePtr file_;
  std::string_view text_;
  size_t at_ = 0;
  uint32_t line_ = 1;

  std::string found() const;
};

} // namespace understudy::specs::net
