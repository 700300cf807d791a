// SPDX-License-Identifier: Apache-2.0
//
// What the grammars of one run share: the tokens, the messages, and how to go on after an error.
// Free of Spirit.
#pragma once

#include "specs/syntax/Lexer.h"
#include "specs/syntax/Parse.h"

#include <string>
#include <string_view>

namespace understudy::specs::syntax {

using TokenIt = const Token *;

/// Where parsing goes on after an error inside a part of the given kind.
enum class Sync : uint8_t { Header, Item, InThread, InState, InBlock };

class ParseState {
public:
  ParseState(logic::SourceFilePtr file, Language language);

  const logic::SourceFilePtr &file() const { return file_; }
  Language language() const { return language_; }
  const Lexed &lexed() const { return lexed_; }
  TokenIt begin() const { return lexed_.tokens.data(); }
  /// The End token.
  TokenIt end() const { return lexed_.tokens.data() + lexed_.tokens.size() - 1; }
  std::string_view text(TokenIt token) const;
  /// From the first token to the one before `last`.
  SourceRange range(TokenIt first, TokenIt last) const;
  Name name(TokenIt token) const;
  /// Whether the token can be a name here: keywords of contracts are reserved only where a part of
  /// a contract can begin.
  bool isName(TokenIt token) const;

  void error(SourceRange range, std::string message, std::string hint = {});
  void warning(SourceRange range, std::string message, std::string hint = {});

  /// The one handler of syntax errors: at `where`, `expected` (in the user's words) is missing.
  void syntaxError(TokenIt where, const std::string &expected);
  /// If a keyword is misspelled at the start of the part that began at `first`, reads it as that
  /// keyword from now on: the part can be parsed again.
  bool repair(TokenIt first, TokenIt where, Sync sync);
  /// The token from which to go on after an error at `where` in a part that began at `first`.
  /// Always later than `first`, unless that is the end.
  TokenIt recover(TokenIt first, TokenIt where, Sync sync);

  /// Sorts the messages and throws if there are errors; otherwise the warnings.
  std::vector<logic::Diagnostic> finish();
  std::vector<Comment> takeComments() { return std::move(lexed_.comments); }

private:
  bool firstOnLine(TokenIt token) const;
  bool canBegin(TokenIt token) const;
  bool startsPart(TokenIt token, Sync sync) const;
  TokenIt skipHeader(TokenIt where) const;
  bool isCascade(TokenIt where) const;
  TokenIt startOfSearch(TokenIt first, TokenIt where) const;

  logic::SourceFilePtr file_;
  Language language_;
  Lexed lexed_;
  std::vector<logic::Diagnostic> errors_;
  std::vector<logic::Diagnostic> warnings_;
  TokenIt lastError_ = nullptr;
  std::string lastExpected_;
  bool quietAtEnd_ = false; ///< what is missing at the end was already reported in other words
};

/// A hint for `expected` missing at `where`, from what stands around; may be empty.
std::string syntaxHint(const ParseState &state, TokenIt where, std::string_view expected);

} // namespace understudy::specs::syntax
