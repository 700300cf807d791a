// SPDX-License-Identifier: Apache-2.0
#include "specs/syntax/ParseState.h"

#include <algorithm>
#include <tuple>

namespace understudy::specs::syntax {

using logic::Diagnostic;
using logic::Severity;

namespace {

constexpr size_t maxDiagnostics = 100;

bool isSystemItem(Tok kind) {
  switch (kind) {
  case Tok::KwShared:
  case Tok::KwObject:
  case Tok::KwClaim:
  case Tok::KwConst:
  case Tok::KwDefine:
  case Tok::KwHandler:
  case Tok::KwEnvironment:
  case Tok::KwGlobal:
  case Tok::KwEnum:
  case Tok::KwThread:
  case Tok::KwRun:
  case Tok::KwInitially:
  case Tok::KwInvariant:
  case Tok::KwNever:
  case Tok::KwPlace:
  case Tok::KwData:
  case Tok::KwStart:
  case Tok::KwRelations:
  case Tok::KwTransition:
  case Tok::KwReach:
    return true;
  default:
    return false;
  }
}

bool isStatementWord(Tok kind) {
  switch (kind) {
  case Tok::KwLocal:
  case Tok::KwSkip:
  case Tok::KwHavoc:
  case Tok::KwAssume:
  case Tok::KwAssert:
  case Tok::KwIf:
  case Tok::KwWhile:
  case Tok::KwGoto:
  case Tok::KwReturn:
  case Tok::KwAtomic:
  case Tok::KwFork:
  case Tok::KwJoin:
  case Tok::KwLock:
  case Tok::KwUnlock:
  case Tok::KwWait:
  case Tok::KwSignal:
  case Tok::KwBroadcast:
    return true;
  default:
    return false;
  }
}

std::string describe(const ParseState &state, TokenIt token) {
  if (token->kind == Tok::End)
    return state.language() == Language::Formula ? "the end of the formula" : "the end of the file";
  std::string text(state.text(token).substr(0, 40));
  if (token->kind == Tok::String || token->kind == Tok::Number)
    return text;
  return "'" + text + "'";
}

/// Something that closes or ends: better shown where it is missing than where the next thing is.
bool isClosing(std::string_view expected) {
  return expected.starts_with("';'") || expected.starts_with("')'") ||
         expected.starts_with("']'") || expected.starts_with("',' or") ||
         expected.starts_with("'{' or ';'");
}

bool expectsName(std::string_view expected) {
  return !expected.starts_with("'") && (expected.find("name") != std::string_view::npos ||
                                        expected.find("target state") != std::string_view::npos ||
                                        expected.find("label") != std::string_view::npos);
}

void sortByPosition(std::vector<Diagnostic> &diagnostics) {
  std::sort(diagnostics.begin(), diagnostics.end(), [](const Diagnostic &a, const Diagnostic &b) {
    return std::tie(a.range.begin, a.severity, a.message) <
           std::tie(b.range.begin, b.severity, b.message);
  });
}

} // namespace

ParseState::ParseState(logic::SourceFilePtr file, Language language)
    : file_(std::move(file)), language_(language), lexed_(lex(file_, language)),
      quietAtEnd_(lexed_.truncated) {}

std::string_view ParseState::text(TokenIt token) const {
  return file_->text().substr(token->begin, token->end - token->begin);
}

SourceRange ParseState::range(TokenIt first, TokenIt last) const {
  size_t begin = first->begin;
  size_t end = last > first ? last[-1].end : first->begin;
  return {file_, file_->positionOf(begin), file_->positionOf(end)};
}

Name ParseState::name(TokenIt token) const {
  return {std::string(text(token)), range(token, token + 1)};
}

bool ParseState::isName(TokenIt token) const {
  if (token->kind == Tok::Name)
    return true;
  const bool reserves = language_ != Language::Contract && language_ != Language::Formula;
  if (reserves || !isKeyword(token->kind) || isWordOfC(token->kind))
    return false;
  // A forgotten name at the end of a line is not the keyword of the next, where that is followed by
  // what cannot follow a name.
  Tok next = token == end() ? Tok::End : token[1].kind;
  bool isOperator = next == Tok::KwIn && token + 1 != end() && token[2].kind != Tok::LBrace &&
                    token[2].kind != Tok::Semicolon && token[2].kind != Tok::KwInside;
  bool goesOn = next == Tok::Name || (isKeyword(next) && !isOperator) || next == Tok::Number ||
                next == Tok::Not;
  return !(goesOn && startsPart(token, Sync::InState) && firstOnLine(token));
}

void ParseState::error(SourceRange range, std::string message, std::string hint) {
  if (errors_.size() <= maxDiagnostics)
    errors_.push_back({Severity::Error, std::move(range), std::move(message), std::move(hint)});
}

void ParseState::warning(SourceRange range, std::string message, std::string hint) {
  if (warnings_.size() <= maxDiagnostics)
    warnings_.push_back({Severity::Warning, std::move(range), std::move(message), std::move(hint)});
}

bool ParseState::firstOnLine(TokenIt token) const {
  if (token == begin())
    return true;
  return file_->text().substr(token[-1].end, token->begin - token[-1].end).find('\n') !=
         std::string_view::npos;
}

/// Whether an error at `where` only follows from one that was reported already.
bool ParseState::isCascade(TokenIt where) const {
  if (where->kind == Tok::Bad || (where != begin() && where[-1].kind == Tok::Bad))
    return true;
  if (where->kind == Tok::End && quietAtEnd_)
    return true;
  return where == lastError_;
}

void ParseState::syntaxError(TokenIt where, const std::string &expected) {
  bool silent = isCascade(where);
  lastError_ = where;
  lastExpected_ = expected;
  if (where->kind == Tok::End)
    quietAtEnd_ = true;
  if (silent || errors_.size() > maxDiagnostics)
    return;
  std::string hint = syntaxHint(*this, where, expected);
  std::string message = "expected " + expected;
  SourceRange shown = range(where, where->kind == Tok::End ? where : where + 1);
  if (expectsName(expected) && isKeyword(where->kind)) {
    message += ", but '" + std::string(text(where)) + "' is a keyword";
  } else if (isClosing(expected) && where != begin() && firstOnLine(where)) {
    logic::Position behind = file_->positionOf(where[-1].end);
    shown = {file_, behind, behind};
  } else {
    message += ", found " + describe(*this, where);
  }
  error(std::move(shown), std::move(message), std::move(hint));
}

/// Something has just ended or begun, so that a keyword is meant as one.
bool ParseState::canBegin(TokenIt token) const {
  if (firstOnLine(token))
    return true;
  Tok before = token[-1].kind;
  return before == Tok::Semicolon || before == Tok::LBrace || before == Tok::RBrace;
}

bool ParseState::startsPart(TokenIt token, Sync sync) const {
  if (isSystemItem(token->kind) || (language_ == Language::Net && token->kind == Tok::KwFinal))
    return language_ != Language::Contract || canBegin(token);
  if (sync == Sync::InBlock)
    return isStatementWord(token->kind) && firstOnLine(token);
  if (sync != Sync::InThread && sync != Sync::InState)
    return false;
  if (token->kind == Tok::KwInitial || token->kind == Tok::KwState || token->kind == Tok::KwFinal ||
      token->kind == Tok::KwLocal)
    return canBegin(token);
  bool isMember =
      token->kind == Tok::Arrow || token->kind == Tok::KwAssert || token->kind == Tok::KwRely;
  return sync == Sync::InState && isMember && firstOnLine(token);
}

TokenIt ParseState::skipHeader(TokenIt where) const {
  for (TokenIt token = where; token != end(); ++token) {
    if (token->kind == Tok::LBrace)
      return token + 1;
    if (isSystemItem(token->kind))
      return token;
  }
  return end();
}

TokenIt ParseState::recover(TokenIt first, TokenIt where, Sync sync) {
  if (sync == Sync::Header) {
    TokenIt next = skipHeader(where);
    // Without its '{' the system need not be closed either.
    quietAtEnd_ = quietAtEnd_ || next == begin() || next[-1].kind != Tok::LBrace;
    return next;
  }
  if (errors_.size() > maxDiagnostics)
    return end();
  // A forgotten `;` at the end of a line costs nothing else.
  if (lastExpected_.starts_with("';'") && where != first && firstOnLine(where))
    return where;
  int depth = 0;
  for (TokenIt token = first; token != where; ++token)
    depth += token->kind == Tok::LBrace ? 1 : token->kind == Tok::RBrace && depth > 0 ? -1 : 0;
  TokenIt token = startOfSearch(first, where);
  for (; token != end(); ++token) {
    bool closes = token->kind == Tok::RBrace;
    bool starts = token != first && startsPart(token, sync) && (depth == 0 || firstOnLine(token));
    if (starts || (closes && depth == 0))
      break;
    depth += token->kind == Tok::LBrace ? 1 : closes ? -1 : 0;
    if (depth == 0 && (closes || token->kind == Tok::Semicolon)) {
      ++token;
      break;
    }
  }
  return token == first && token != end() ? token + 1 : token;
}

TokenIt ParseState::startOfSearch(TokenIt first, TokenIt where) const {
  // A keyword in the place of a name starts no new part.
  if (isKeyword(where->kind) && expectsName(lastExpected_) && !firstOnLine(where))
    return where + 1;
  // The semicolons of C's `for` end no statement.
  if (text(first) == "for" && where->kind == Tok::LParen) {
    int open = 0;
    for (TokenIt token = where; token != end() && token->kind != Tok::LBrace; ++token) {
      open += token->kind == Tok::LParen ? 1 : token->kind == Tok::RParen ? -1 : 0;
      if (open == 0)
        return token;
    }
  }
  return where;
}

bool ParseState::repair(TokenIt first, TokenIt where, Sync sync) {
  if (first->kind != Tok::Name || where - first > 1 || sync == Sync::Header)
    return false;
  if (where != first && !lastExpected_.starts_with("':='"))
    return false;
  auto nearest = nearestKeyword(text(first), language_);
  if (!nearest)
    return false;
  Tok meant = *keyword(*nearest, language_);
  bool isMember = meant == Tok::KwAssert || meant == Tok::KwRely;
  bool isState = meant == Tok::KwInitial || meant == Tok::KwState || meant == Tok::KwFinal ||
                 meant == Tok::KwLocal;
  bool fits = (sync == Sync::Item && isSystemItem(meant)) ||
              (sync == Sync::InThread && (isMember || isState)) ||
              (sync == Sync::InState && isMember) ||
              (sync == Sync::InBlock && isStatementWord(meant));
  if (fits)
    lexed_.tokens[static_cast<size_t>(first - begin())].kind = meant;
  return fits;
}

std::vector<Diagnostic> ParseState::finish() {
  errors_.insert(errors_.end(), lexed_.errors.begin(), lexed_.errors.end());
  sortByPosition(warnings_);
  if (errors_.empty())
    return std::move(warnings_);
  errors_.insert(errors_.end(), warnings_.begin(), warnings_.end());
  sortByPosition(errors_);
  if (errors_.size() > maxDiagnostics) {
    errors_.resize(maxDiagnostics);
    errors_.push_back(
        {Severity::Note,
         errors_.back().range,
         "too many errors; only the first " + std::to_string(maxDiagnostics) + " are shown",
         {}});
  }
  throw logic::Error(std::move(errors_));
}

} // namespace understudy::specs::syntax
