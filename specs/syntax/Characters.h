// SPDX-License-Identifier: Apache-2.0
//
// What the lexer says about numbers and about characters that have no place in a file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace understudy::specs::syntax {

struct NumberCheck {
  int64_t value = 0;
  bool isNumber = true; ///< although perhaps too large
  bool isLeast = false; ///< too large by one: with '-' before it, `value` is right
  std::string message;  ///< empty: the number is fine
  std::string hint;
};

/// Decimal, or hexadecimal with 0x; must fit in 64 bits with sign.
NumberCheck checkNumber(std::string_view digits);

struct BadCharacter {
  size_t length = 1; ///< in bytes
  std::string message;
  std::string hint;
};

/// Describes the character at the start of `text`, which is not empty.
BadCharacter describeCharacter(std::string_view text);

/// Valid UTF-8 without control characters.
bool isPrintableText(std::string_view text);

} // namespace understudy::specs::syntax
