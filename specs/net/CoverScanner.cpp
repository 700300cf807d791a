// SPDX-License-Identifier: Apache-2.0
#include "specs/net/CoverScanner.h"

namespace understudy::specs::net {

namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWordStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isWordPart(char c) { return isWordStart(c) || isDigit(c) || c == '.' || c == '@' || c == '$'; }

} // namespace

void CoverScanner::skipBlanks() {
  while (at_ < text_.size() && isBlank(text_[at_]))
    ++at_;
  if (peek() == '#')
    while (!atLineEnd())
      ++at_;
}

void CoverScanner::skipLines() {
  for (;;) {
    skipBlanks();
    if (atEnd() || peek() != '\n')
      return;
    ++at_;
    ++line_;
  }
}

bool CoverScanner::accept(std::string_view word) {
  if (text_.substr(at_, word.size()) != word)
    return false;
  at_ += word.size();
  return true;
}

std::string CoverScanner::found() const {
  if (atEnd())
    return "the end of the input";
  if (atLineEnd())
    return "the end of the line";
  size_t end = at_;
  auto c = static_cast<unsigned char>(text_[end]);
  if (isWordPart(text_[end]))
    while (end < text_.size() && isWordPart(text_[end]) && end - at_ < 24)
      ++end;
  else if (c >= 0x80 || c < 0x20)
    return "an unexpected character";
  else
    ++end;
  return "'" + std::string(text_.substr(at_, end - at_)) + "'";
}

void CoverScanner::expect(std::string_view word, const std::string &message,
                          const std::string &hint) {
  skipBlanks();
  if (!accept(word))
    fail("expected " + message + ", found " + found(), hint);
}

uint32_t CoverScanner::number(const std::string &what) {
  skipBlanks();
  if (!atNumber())
    fail("expected " + what + ", found " + found());
  constexpr uint64_t most = 4'294'967'294;
  size_t begin = at_;
  uint64_t value = 0;
  while (atNumber()) {
    value = value * 10 + static_cast<uint64_t>(text_[at_] - '0');
    if (value > most)
      failAt(begin, "the number is too large", "at most " + std::to_string(most));
    ++at_;
  }
  return static_cast<uint32_t>(value);
}

bool CoverScanner::atWord() const { return isWordStart(peek()); }

std::string_view CoverScanner::word(const std::string &what) {
  skipBlanks();
  if (!atWord())
    fail("expected " + what + ", found " + found());
  size_t begin = at_;
  while (at_ < text_.size() && isWordPart(text_[at_]))
    ++at_;
  return text_.substr(begin, at_ - begin);
}

logic::SourceRange CoverScanner::rangeAt(size_t offset) const {
  logic::Position begin = file_->positionOf(offset);
  size_t end = offset;
  while (end < text_.size() && isWordPart(text_[end]))
    ++end;
  if (end == offset)
    ++end;
  auto length = static_cast<uint32_t>(end - offset);
  return {file_, begin, {begin.line, begin.column + length}};
}

void CoverScanner::failAt(size_t offset, const std::string &message,
                          const std::string &hint) const {
  throw logic::Error(rangeAt(offset), message, hint);
}

} // namespace understudy::specs::net
