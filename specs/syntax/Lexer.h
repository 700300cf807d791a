// SPDX-License-Identifier: Apache-2.0
//
// Text to tokens, before any grammar runs. Comments are collected here; characters, numbers,
// primes and the nesting of brackets are checked here, so that the grammars need not.
#pragma once

#include "logic/Error.h"
#include "specs/syntax/Keywords.h"
#include "specs/syntax/Syntax.h"

#include <string_view>
#include <vector>

namespace understudy::specs::syntax {

/// How deep brackets and expressions may nest.
inline constexpr uint32_t maxNesting = 1000;

struct Token {
  uint32_t begin = 0; ///< byte offsets
  uint32_t end = 0;
  Tok kind = Tok::End;
};

struct Lexed {
  std::vector<Token> tokens; ///< the last one is End
  std::vector<Comment> comments;
  std::vector<logic::Diagnostic> errors;
  uint32_t nesting = 0;   ///< the deepest nesting of brackets and conditionals
  bool truncated = false; ///< a comment or string runs to the end of the file
};

Lexed lex(const logic::SourceFilePtr &file, Language language);

} // namespace understudy::specs::syntax
