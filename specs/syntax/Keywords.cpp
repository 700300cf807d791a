// SPDX-License-Identifier: Apache-2.0
#include "specs/syntax/Keywords.h"

#include "logic/Words.h"

#include <algorithm>
#include <array>

namespace understudy::specs::syntax {

namespace {

enum class In : uint8_t { Contract, Conc, Both };

struct Keyword {
  std::string_view text;
  Tok token;
  In in;
};

// In alphabetical order.
constexpr std::array keywordTable{
    Keyword{"as", Tok::KwAs, In::Contract},
    Keyword{"assert", Tok::KwAssert, In::Both},
    Keyword{"assume", Tok::KwAssume, In::Conc},
    Keyword{"atomic", Tok::KwAtomic, In::Conc},
    Keyword{"bool", Tok::KwBool, In::Both},
    Keyword{"broadcast", Tok::KwBroadcast, In::Both},
    Keyword{"by", Tok::KwBy, In::Contract},
    Keyword{"call", Tok::KwCall, In::Contract},
    Keyword{"claim", Tok::KwClaim, In::Contract},
    Keyword{"cond", Tok::KwCond, In::Both},
    Keyword{"const", Tok::KwConst, In::Contract},
    Keyword{"define", Tok::KwDefine, In::Contract},
    Keyword{"do", Tok::KwDo, In::Contract},
    Keyword{"else", Tok::KwElse, In::Conc},
    Keyword{"enum", Tok::KwEnum, In::Both},
    Keyword{"environment", Tok::KwEnvironment, In::Contract},
    Keyword{"except", Tok::KwExcept, In::Contract},
    Keyword{"false", Tok::KwFalse, In::Both},
    Keyword{"final", Tok::KwFinal, In::Contract},
    Keyword{"for", Tok::KwFor, In::Contract},
    Keyword{"fork", Tok::KwFork, In::Both},
    Keyword{"free", Tok::KwFree, In::Both},
    Keyword{"ghost", Tok::KwGhost, In::Contract},
    Keyword{"global", Tok::KwGlobal, In::Conc},
    Keyword{"goto", Tok::KwGoto, In::Conc},
    Keyword{"guarded", Tok::KwGuarded, In::Contract},
    Keyword{"handler", Tok::KwHandler, In::Contract},
    Keyword{"havoc", Tok::KwHavoc, In::Both},
    Keyword{"held", Tok::KwHeld, In::Both},
    Keyword{"if", Tok::KwIf, In::Conc},
    Keyword{"in", Tok::KwIn, In::Both},
    Keyword{"initial", Tok::KwInitial, In::Contract},
    Keyword{"initially", Tok::KwInitially, In::Both},
    Keyword{"inside", Tok::KwInside, In::Contract},
    Keyword{"int", Tok::KwInt, In::Both},
    Keyword{"invariant", Tok::KwInvariant, In::Both},
    Keyword{"join", Tok::KwJoin, In::Both},
    Keyword{"local", Tok::KwLocal, In::Both},
    Keyword{"lock", Tok::KwLock, In::Both},
    Keyword{"mutex", Tok::KwMutex, In::Both},
    Keyword{"never", Tok::KwNever, In::Both},
    Keyword{"object", Tok::KwObject, In::Contract},
    Keyword{"owned", Tok::KwOwned, In::Contract},
    Keyword{"reading", Tok::KwReading, In::Contract},
    Keyword{"recursive", Tok::KwRecursive, In::Contract},
    Keyword{"rely", Tok::KwRely, In::Contract},
    Keyword{"return", Tok::KwReturn, In::Conc},
    Keyword{"run", Tok::KwRun, In::Both},
    Keyword{"section", Tok::KwSection, In::Contract},
    Keyword{"shared", Tok::KwShared, In::Contract},
    Keyword{"signal", Tok::KwSignal, In::Both},
    Keyword{"skip", Tok::KwSkip, In::Conc},
    Keyword{"state", Tok::KwState, In::Contract},
    Keyword{"system", Tok::KwSystem, In::Contract},
    Keyword{"thread", Tok::KwThread, In::Both},
    Keyword{"true", Tok::KwTrue, In::Both},
    Keyword{"under", Tok::KwUnder, In::Contract},
    Keyword{"unlock", Tok::KwUnlock, In::Both},
    Keyword{"via", Tok::KwVia, In::Contract},
    Keyword{"wait", Tok::KwWait, In::Both},
    Keyword{"while", Tok::KwWhile, In::Conc},
    Keyword{"with", Tok::KwWith, In::Both},
    Keyword{"written", Tok::KwWritten, In::Contract},
};

bool belongsTo(const Keyword &entry, Language language) {
  return entry.in == In::Both || (entry.in == In::Contract) == (language == Language::Contract);
}

/// Words of C that nobody writes by mistake for one of ours.
constexpr std::string_view cWords[] = {"for",    "do",   "switch", "case",   "break",    "continue",
                                       "struct", "void", "char",   "static", "volatile", "default"};

} // namespace

bool isWordOfC(Tok token) {
  switch (token) {
  case Tok::KwBool:
  case Tok::KwConst:
  case Tok::KwDo:
  case Tok::KwEnum:
  case Tok::KwFalse:
  case Tok::KwFor:
  case Tok::KwInt:
  case Tok::KwTrue:
    return true;
  default:
    return false;
  }
}

std::optional<Tok> keyword(std::string_view word, Language language) {
  auto found = std::lower_bound(
      keywordTable.begin(), keywordTable.end(), word,
      [](const Keyword &entry, std::string_view text) { return entry.text < text; });
  if (found == keywordTable.end() || found->text != word || !belongsTo(*found, language))
    return std::nullopt;
  return found->token;
}

std::vector<std::string> keywords(Language language) {
  std::vector<std::string> result;
  for (const Keyword &entry : keywordTable)
    if (belongsTo(entry, language))
      result.emplace_back(entry.text);
  return result;
}

std::string_view spelling(Tok token) {
  for (const Keyword &entry : keywordTable)
    if (entry.token == token)
      return entry.text;
  return {};
}

std::optional<std::string> nearestKeyword(std::string_view word, Language language) {
  if (word.size() < 3 || word.size() > 14 ||
      std::find(std::begin(cWords), std::end(cWords), word) != std::end(cWords))
    return std::nullopt;
  std::vector<std::string> candidates = keywords(language);
  std::erase_if(candidates, [](const std::string &candidate) { return candidate.size() < 3; });
  const std::string *found = logic::nearest(std::string(word), candidates);
  return found ? std::optional(*found) : std::nullopt;
}

} // namespace understudy::specs::syntax
