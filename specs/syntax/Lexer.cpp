// SPDX-License-Identifier: Apache-2.0
#include "specs/syntax/Lexer.h"

#include "specs/syntax/Characters.h"

#include <algorithm>
#include <limits>

namespace understudy::specs::syntax {

namespace {

using logic::Diagnostic;
using logic::Severity;

bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isNamePart(char c) { return isNameStart(c) || isDigit(c); }

struct Sign {
  std::string_view text;
  Tok token;
};

// Longer signs first.
constexpr Sign signs[] = {
    {"->", Tok::Arrow},     {":=", Tok::Becomes},      {"==", Tok::Equal},   {"!=", Tok::NotEqual},
    {"<=", Tok::LessEqual}, {">=", Tok::GreaterEqual}, {"=>", Tok::Implies}, {"&&", Tok::AndAnd},
    {"||", Tok::OrOr},      {"..", Tok::DotDot},       {"{", Tok::LBrace},   {"}", Tok::RBrace},
    {"(", Tok::LParen},     {")", Tok::RParen},        {"[", Tok::LBracket}, {"]", Tok::RBracket},
    {";", Tok::Semicolon},  {":", Tok::Colon},         {",", Tok::Comma},    {".", Tok::Dot},
    {"=", Tok::Assign},     {"<", Tok::Less},          {">", Tok::Greater},  {"+", Tok::Plus},
    {"-", Tok::Minus},      {"*", Tok::Star},          {"/", Tok::Slash},    {"%", Tok::Percent},
    {"!", Tok::Not},        {"?", Tok::Question},      {"@", Tok::At},       {"&", Tok::Ampersand},
    {"|", Tok::Pipe},       {"#", Tok::Hash},
};

class Lexer {
public:
  Lexer(const logic::SourceFilePtr &file, Language language)
      : file_(file), text_(file->text()), language_(language) {}

  Lexed run() {
    if (text_.size() >= std::numeric_limits<uint32_t>::max())
      throw logic::Error(file_->name() + ": the file is larger than 4 GB");
    if (text_.substr(0, 3) == "\xEF\xBB\xBF")
      at_ = start_ = 3; // a byte order mark
    while (at_ < text_.size())
      step();
    emit(Tok::End, text_.size());
    return std::move(result_);
  }

private:
  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void step() {
    char c = text_[at_];
    if (isSpace(c))
      ++at_;
    else if (c == '/' && peek(1) == '/')
      lineComment();
    else if (c == '/' && peek(1) == '*')
      blockComment();
    else if (isNameStart(c))
      word();
    else if (isDigit(c))
      number();
    else if (c == '"')
      string();
    else if (c == '\'')
      prime();
    else if (!sign())
      badCharacter();
  }

  SourceRange range(size_t begin, size_t end) const {
    return {file_, file_->positionOf(begin), file_->positionOf(end)};
  }
  void error(size_t begin, size_t end, std::string message, std::string hint = {}) {
    // One message more than is ever shown tells the parser that there were more.
    if (result_.errors.size() < 1000)
      result_.errors.push_back(
          {Severity::Error, range(begin, end), std::move(message), std::move(hint)});
  }
  void emit(Tok kind, size_t end) {
    result_.tokens.push_back({static_cast<uint32_t>(at_), static_cast<uint32_t>(end), kind});
    at_ = end;
  }

  void addComment(size_t end) {
    size_t textEnd = end;
    while (textEnd > at_ && isSpace(text_[textEnd - 1]))
      --textEnd;
    size_t lineStart = at_;
    while (lineStart > 0 && text_[lineStart - 1] != '\n' && isSpace(text_[lineStart - 1]))
      --lineStart;
    bool ownLine = lineStart <= start_ || text_[lineStart - 1] == '\n';
    result_.comments.push_back(
        {std::string(text_.substr(at_, textEnd - at_)), range(at_, textEnd), ownLine});
    at_ = end;
  }
  void lineComment() {
    size_t end = text_.find('\n', at_);
    addComment(end == std::string_view::npos ? text_.size() : end);
  }
  void blockComment() {
    size_t close = text_.find("*/", at_ + 2);
    if (close != std::string_view::npos)
      return addComment(close + 2);
    error(at_, at_ + 2, "unterminated comment", "end it with '*/'");
    result_.truncated = true;
    at_ = text_.size();
  }

  void word() {
    size_t end = at_;
    while (end < text_.size() && isNamePart(text_[end]))
      ++end;
    if (size_t owned = ownedEnd(end); owned != end)
      return emit(Tok::Name, owned);
    emit(keyword(text_.substr(at_, end - at_), language_).value_or(Tok::Name), end);
  }
  /// The end of `T#2.x` or `T#2.held(m)`, of which `T` ends at `end`; `end` if it is neither.
  size_t ownedEnd(size_t end) const {
    auto behind = [this](size_t at, auto &&isPart) {
      while (at < text_.size() && isPart(text_[at]))
        ++at;
      return at;
    };
    auto is = [this](size_t at, char c) { return at < text_.size() && text_[at] == c; };
    if (language_ != Language::Formula || !is(end, '#'))
      return end;
    const size_t number = behind(end + 1, isDigit);
    const size_t name = behind(number + 1, isNamePart);
    if (number == end + 1 || !is(number, '.') || name == number + 1)
      return end;
    if (text_.substr(number + 1, name - number - 1) != "held" || !is(name, '('))
      return name;
    const size_t mutex = behind(name + 1, isNamePart);
    return is(mutex, ')') ? mutex + 1 : name;
  }

  void number() {
    size_t end = at_;
    while (end < text_.size() && isNamePart(text_[end]))
      ++end;
    if (end + 1 < text_.size() && text_[end] == '.' && isDigit(text_[end + 1])) {
      ++end;
      while (end < text_.size() && isNamePart(text_[end]))
        ++end;
      error(at_, end, "only integers are allowed");
      return emit(Tok::Bad, end);
    } else {
      std::string_view digits = text_.substr(at_, end - at_);
      NumberCheck check = checkNumber(digits);
      const bool isSigned = !result_.tokens.empty() && result_.tokens.back().kind == Tok::Minus;
      if (!check.message.empty() && !(check.isLeast && isSigned)) // a sign, or an operator
        error(at_, end, check.message, check.hint);
      if (!check.isNumber)
        return emit(Tok::Bad, end);
    }
    emit(Tok::Number, end);
  }

  void string() {
    size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"' && text_[end] != '\n')
      ++end;
    if (end == text_.size() || text_[end] == '\n') {
      error(at_, at_ + 1, "unterminated string", "a file name ends with '\"' on the same line");
      return emit(Tok::Bad, end);
    }
    std::string_view content = text_.substr(at_ + 1, end - at_ - 1);
    if (content.empty() || !isPrintableText(content)) {
      error(at_, end + 1,
            content.empty() ? "the file name is empty"
                            : "the file name contains unprintable characters");
      return emit(Tok::Bad, end + 1);
    }
    emit(Tok::String, end + 1);
  }

  void prime() {
    const Token *before = result_.tokens.empty() ? nullptr : &result_.tokens.back();
    bool touches = before && before->end == at_;
    if (touches && (before->kind == Tok::Name || isKeyword(before->kind)))
      return emit(Tok::Prime, at_ + 1);
    if (touches && before->kind == Tok::Prime)
      error(at_, at_ + 1, "a name can have only one prime",
            "x is the value before the step, x' the value after it");
    else if (before && before->kind == Tok::RBracket)
      error(at_, at_ + 1, "the prime must directly follow the name of the array", "write a'[i]");
    else
      error(at_, at_ + 1, "a prime must directly follow a name", "write x', without a space");
    emit(Tok::Bad, at_ + 1);
  }

  bool sign() {
    for (const Sign &candidate : signs)
      if (text_.substr(at_, candidate.text.size()) == candidate.text &&
          (candidate.token != Tok::Hash || isCount())) {
        trackNesting(candidate.token);
        emit(candidate.token, at_ + candidate.text.size());
        return true;
      }
    return false;
  }
  /// `#T` in a contract; any other '#' is a character without a meaning.
  bool isCount() const { return language_ == Language::Contract && isNameStart(peek(1)); }
  /// Brackets nest, and so does what stands between `?` and `:`.
  void trackNesting(Tok token) {
    switch (token) {
    case Tok::LBrace:
    case Tok::LParen:
    case Tok::LBracket:
      ++brackets_;
      return checkNesting("brackets are");
    case Tok::Question:
      ++questions_;
      return checkNesting("conditionals are");
    case Tok::Colon:
      questions_ -= questions_ > 0 ? 1 : 0;
      return;
    case Tok::RBrace:
    case Tok::RParen:
    case Tok::RBracket:
      brackets_ -= brackets_ > 0 ? 1 : 0;
      return;
    case Tok::Semicolon:
      questions_ = 0;
      return;
    default:
      return;
    }
  }
  void checkNesting(const std::string &what) {
    uint32_t depth = brackets_ + questions_;
    if (depth > maxNesting && result_.nesting <= maxNesting)
      error(at_, at_ + 1, what + " nested deeper than " + std::to_string(maxNesting));
    result_.nesting = std::max(result_.nesting, depth);
  }

  void badCharacter() {
    BadCharacter bad = describeCharacter(text_.substr(at_));
    size_t end = at_ + bad.length;
    // A run of the same trouble is one message.
    bool repeated = !result_.tokens.empty() && result_.tokens.back().kind == Tok::Bad &&
                    result_.tokens.back().end == at_;
    if (!repeated)
      error(at_, end, bad.message, bad.hint);
    emit(Tok::Bad, end);
  }

  logic::SourceFilePtr file_;
  std::string_view text_;
  Language language_;
  size_t start_ = 0; ///< of the text behind a byte order mark
  size_t at_ = 0;
  uint32_t brackets_ = 0;
  uint32_t questions_ = 0; ///< without their `:` so far
  Lexed result_;
};

} // namespace

Lexed lex(const logic::SourceFilePtr &file, Language language) {
  return Lexer(file, language).run();
}

} // namespace understudy::specs::syntax
