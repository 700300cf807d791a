// SPDX-License-Identifier: Apache-2.0
#include "specs/syntax/Keywords.h"

#include "logic/Words.h"

#include <algorithm>
#include <array>

namespace understudy::specs::syntax {

namespace {

// Languages, as bits.
constexpr unsigned contract = 1, conc = 2, net = 4, formula = 8;
constexpr unsigned programs = contract | conc, everywhere = programs | net;

struct Keyword {
  std::string_view text;
  Tok token;
  unsigned in;
};

// In alphabetical order.
constexpr std::array keywordTable{
    Keyword{"ancestor", Tok::KwAncestor, net},
    Keyword{"as", Tok::KwAs, contract},
    Keyword{"assert", Tok::KwAssert, programs},
    Keyword{"assume", Tok::KwAssume, conc},
    Keyword{"atomic", Tok::KwAtomic, conc},
    Keyword{"bool", Tok::KwBool, everywhere},
    Keyword{"broadcast", Tok::KwBroadcast, programs},
    Keyword{"by", Tok::KwBy, contract},
    Keyword{"call", Tok::KwCall, contract},
    Keyword{"claim", Tok::KwClaim, contract},
    Keyword{"cond", Tok::KwCond, programs},
    Keyword{"const", Tok::KwConst, contract | net},
    Keyword{"data", Tok::KwData, net},
    Keyword{"define", Tok::KwDefine, contract},
    Keyword{"do", Tok::KwDo, contract},
    Keyword{"elder", Tok::KwElder, net},
    Keyword{"else", Tok::KwElse, conc},
    Keyword{"end", Tok::KwEnd, net},
    Keyword{"enum", Tok::KwEnum, everywhere},
    Keyword{"environment", Tok::KwEnvironment, contract},
    Keyword{"except", Tok::KwExcept, contract},
    Keyword{"false", Tok::KwFalse, everywhere | formula},
    Keyword{"final", Tok::KwFinal, contract | net},
    Keyword{"for", Tok::KwFor, contract},
    Keyword{"fork", Tok::KwFork, programs},
    Keyword{"free", Tok::KwFree, programs | formula},
    Keyword{"ghost", Tok::KwGhost, contract},
    Keyword{"global", Tok::KwGlobal, conc},
    Keyword{"goto", Tok::KwGoto, conc},
    Keyword{"guarded", Tok::KwGuarded, contract},
    Keyword{"handler", Tok::KwHandler, contract},
    Keyword{"havoc", Tok::KwHavoc, programs},
    Keyword{"held", Tok::KwHeld, programs | formula},
    Keyword{"if", Tok::KwIf, conc},
    Keyword{"in", Tok::KwIn, everywhere | formula},
    Keyword{"initial", Tok::KwInitial, contract},
    Keyword{"initially", Tok::KwInitially, programs},
    Keyword{"inside", Tok::KwInside, contract},
    Keyword{"int", Tok::KwInt, everywhere},
    Keyword{"invariant", Tok::KwInvariant, programs},
    Keyword{"join", Tok::KwJoin, programs},
    Keyword{"local", Tok::KwLocal, programs},
    Keyword{"lock", Tok::KwLock, programs},
    Keyword{"mutex", Tok::KwMutex, programs},
    Keyword{"never", Tok::KwNever, everywhere},
    Keyword{"new", Tok::KwNew, net},
    Keyword{"next", Tok::KwNext, net},
    Keyword{"object", Tok::KwObject, contract},
    Keyword{"of", Tok::KwOf, net},
    Keyword{"owned", Tok::KwOwned, contract},
    Keyword{"parent", Tok::KwParent, net},
    Keyword{"pid", Tok::KwPid, net},
    Keyword{"place", Tok::KwPlace, net},
    Keyword{"reach", Tok::KwReach, net},
    Keyword{"reading", Tok::KwReading, contract},
    Keyword{"recursive", Tok::KwRecursive, contract},
    Keyword{"relations", Tok::KwRelations, net},
    Keyword{"rely", Tok::KwRely, contract},
    Keyword{"return", Tok::KwReturn, conc},
    Keyword{"run", Tok::KwRun, programs},
    Keyword{"section", Tok::KwSection, contract},
    Keyword{"shared", Tok::KwShared, contract},
    Keyword{"signal", Tok::KwSignal, programs},
    Keyword{"skip", Tok::KwSkip, conc},
    Keyword{"start", Tok::KwStart, net},
    Keyword{"state", Tok::KwState, contract},
    Keyword{"system", Tok::KwSystem, contract},
    Keyword{"thread", Tok::KwThread, programs},
    Keyword{"transition", Tok::KwTransition, net},
    Keyword{"true", Tok::KwTrue, everywhere | formula},
    Keyword{"under", Tok::KwUnder, contract},
    Keyword{"unlock", Tok::KwUnlock, programs},
    Keyword{"via", Tok::KwVia, contract},
    Keyword{"wait", Tok::KwWait, programs},
    Keyword{"when", Tok::KwWhen, net},
    Keyword{"while", Tok::KwWhile, conc},
    Keyword{"with", Tok::KwWith, programs},
    Keyword{"written", Tok::KwWritten, contract},
};

bool belongsTo(const Keyword &entry, Language language) {
  return (entry.in & 1u << static_cast<unsigned>(language)) != 0;
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
