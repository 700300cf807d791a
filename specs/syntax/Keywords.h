// SPDX-License-Identifier: Apache-2.0
//
// The words and signs of the languages, in one place. A keyword of one language is an ordinary name
// in the others. `Formula` is the language of proof outlines: expressions, in which `T#2.x` is a
// name, too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::specs::syntax {

enum class Language : uint8_t { Contract, Conc, Net, Formula };

enum class Tok : uint8_t {
  End,
  Bad, ///< reported by the lexer; the grammars pass over it in silence
  Name,
  Number,
  String,
  // signs
  LBrace,
  RBrace,
  LParen,
  RParen,
  LBracket,
  RBracket,
  Semicolon,
  Colon,
  Comma,
  Dot,
  DotDot,
  Arrow,
  Assign,  ///< =
  Becomes, ///< :=
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Implies,
  Plus,
  Minus,
  Star,
  Slash,
  Percent,
  Not,
  AndAnd,
  OrOr,
  Question,
  Prime,
  At,
  Ampersand,
  Hash, ///< contracts only
  Pipe, ///< no operator of ours; known so that the message can name the right one
  // keywords
  KwAncestor,
  KwAs,
  KwAssert,
  KwAssume,
  KwAtomic,
  KwBool,
  KwBroadcast,
  KwBy,
  KwCall,
  KwClaim,
  KwCond,
  KwConst,
  KwData,
  KwDefine,
  KwDo,
  KwElder,
  KwElse,
  KwEnd,
  KwEnum,
  KwEnvironment,
  KwExcept,
  KwFalse,
  KwFinal,
  KwFor,
  KwFork,
  KwFree,
  KwGhost,
  KwGlobal,
  KwGoto,
  KwGuarded,
  KwHandler,
  KwHavoc,
  KwHeld,
  KwIf,
  KwIn,
  KwInitial,
  KwInitially,
  KwInside,
  KwInt,
  KwInvariant,
  KwJoin,
  KwLocal,
  KwLock,
  KwMutex,
  KwNever,
  KwNew,
  KwNext,
  KwObject,
  KwOf,
  KwOwned,
  KwParent,
  KwPid,
  KwPlace,
  KwReach,
  KwReading,
  KwRecursive,
  KwRelations,
  KwRely,
  KwReturn,
  KwRun,
  KwSection,
  KwShared,
  KwSignal,
  KwSkip,
  KwStart,
  KwState,
  KwSystem,
  KwThread,
  KwTransition,
  KwTrue,
  KwUnder,
  KwUnlock,
  KwVia,
  KwWait,
  KwWhen,
  KwWhile,
  KwWith,
  KwWritten,
};

inline bool isKeyword(Tok token) { return token >= Tok::KwAncestor; }

/// A keyword that C has, too, so that nothing in the code is called like that.
bool isWordOfC(Tok token);

/// The keyword that `word` is in `language`, if it is one.
std::optional<Tok> keyword(std::string_view word, Language language);

/// All keywords of a language, in alphabetical order.
std::vector<std::string> keywords(Language language);

/// The keyword of the language that `word` is most likely a misspelling of.
std::optional<std::string> nearestKeyword(std::string_view word, Language language);

} // namespace understudy::specs::syntax
