// SPDX-License-Identifier: Apache-2.0
#include "specs/syntax/Keywords.h"

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
    Keyword{"cond", Tok::KwCond, In::Both},
    Keyword{"const", Tok::KwConst, In::Contract},
    Keyword{"define", Tok::KwDefine, In::Contract},
    Keyword{"do", Tok::KwDo, In::Contract},
    Keyword{"else", Tok::KwElse, In::Conc},
    Keyword{"enum", Tok::KwEnum, In::Both},
    Keyword{"environment", Tok::KwEnvironment, In::Contract},
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
    Keyword{"int", Tok::KwInt, In::Both},
    Keyword{"invariant", Tok::KwInvariant, In::Both},
    Keyword{"join", Tok::KwJoin, In::Both},
    Keyword{"local", Tok::KwLocal, In::Both},
    Keyword{"lock", Tok::KwLock, In::Both},
    Keyword{"mutex", Tok::KwMutex, In::Both},
    Keyword{"never", Tok::KwNever, In::Both},
    Keyword{"rely", Tok::KwRely, In::Contract},
    Keyword{"return", Tok::KwReturn, In::Conc},
    Keyword{"run", Tok::KwRun, In::Both},
    Keyword{"shared", Tok::KwShared, In::Contract},
    Keyword{"signal", Tok::KwSignal, In::Both},
    Keyword{"skip", Tok::KwSkip, In::Conc},
    Keyword{"state", Tok::KwState, In::Contract},
    Keyword{"system", Tok::KwSystem, In::Contract},
    Keyword{"thread", Tok::KwThread, In::Both},
    Keyword{"true", Tok::KwTrue, In::Both},
    Keyword{"unlock", Tok::KwUnlock, In::Both},
    Keyword{"wait", Tok::KwWait, In::Both},
    Keyword{"while", Tok::KwWhile, In::Conc},
    Keyword{"with", Tok::KwWith, In::Both},
};

bool belongsTo(const Keyword &entry, Language language) {
  return entry.in == In::Both || (entry.in == In::Contract) == (language == Language::Contract);
}

/// Words of C that nobody writes by mistake for one of ours.
constexpr std::string_view cWords[] = {"for",    "do",   "switch", "case",   "break",    "continue",
                                       "struct", "void", "char",   "static", "volatile", "default"};

/// Edit distance where swapping two neighbours counts as one edit.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i)
    d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j)
    d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i)
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t change = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

} // namespace

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
  std::string lower(word);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  std::optional<std::string> best;
  size_t bestDistance = word.size() < 5 ? 2 : 3;
  for (const Keyword &entry : keywordTable) {
    if (!belongsTo(entry, language) || entry.text.size() < 3)
      continue;
    size_t d = distance(lower, entry.text);
    if (d < bestDistance) {
      bestDistance = d;
      best = std::string(entry.text);
    }
  }
  return best;
}

} // namespace understudy::specs::syntax
