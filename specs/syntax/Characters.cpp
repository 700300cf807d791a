// SPDX-License-Identifier: Apache-2.0
#include "specs/syntax/Characters.h"

#include "logic/Utf8.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <limits>

namespace understudy::specs::syntax {

namespace {

/// Signs that word processors and mathematicians write for ours.
constexpr std::array<std::pair<uint32_t, std::string_view>, 16> lookalikes{{
    {0x2192, "->"},
    {0x21D2, "=>"},
    {0x2264, "<="},
    {0x2265, ">="},
    {0x2260, "!="},
    {0x2227, "&&"},
    {0x2228, "||"},
    {0x00AC, "!"},
    {0x2212, "-"},
    {0x2013, "-"},
    {0x00D7, "*"},
    {0x2032, "'"},
    {0x2019, "'"},
    {0x201C, "\""},
    {0x201D, "\""},
    {0x2026, ".."},
}};

std::string hex(uint32_t value, int digits) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "%0*X", digits, value);
  return buffer;
}

std::string_view asciiHint(char c) {
  switch (c) {
  case '#':
    return "comments start with '//'; there is no preprocessor";
  case '~':
  case '^':
    return "bitwise operators are not supported; '!' negates";
  case '\\':
    return "an expression may continue on the next line without it";
  default:
    return {};
  }
}

} // namespace

NumberCheck checkNumber(std::string_view digits) {
  NumberCheck result;
  bool hexadecimal = digits.size() > 1 && digits[0] == '0' && (digits[1] | 0x20) == 'x';
  std::string_view body = hexadecimal ? digits.substr(2) : digits;
  const char *end = body.data() + body.size();
  constexpr auto largest = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  uint64_t value = 0;
  auto [stop, problem] = std::from_chars(body.data(), end, value, hexadecimal ? 16 : 10);
  result.value = static_cast<int64_t>(value);
  std::string shown(digits.substr(0, 40));
  if (digits.size() > shown.size())
    shown += "...";
  if (stop != end || body.empty()) {
    result.isNumber = false;
    result.message = "'" + shown + "' is neither a number nor a name";
    result.hint =
        "numbers are written 42 or 0x2A, without a suffix; names do not start with a digit";
  } else if (problem == std::errc::result_out_of_range || value > largest) {
    result.isLeast = problem != std::errc::result_out_of_range && value == largest + 1;
    result.message = "the number " + shown + " is too large";
    result.hint = "the largest number is " + std::to_string(largest);
  } else if (!hexadecimal && digits.size() > 1 && digits[0] == '0') {
    result.message = "'" + shown + "' starts with 0, which means octal in C";
    result.hint = "octal numbers are not supported: drop the 0, or write 0x for hexadecimal";
  }
  return result;
}

BadCharacter describeCharacter(std::string_view text) {
  BadCharacter bad;
  auto byte = static_cast<unsigned char>(text[0]);
  if (byte == 0) {
    bad.message = "unexpected NUL byte";
  } else if (byte < 0x20 || byte == 0x7F) {
    bad.message = "unexpected control character (0x" + hex(byte, 2) + ")";
  } else if (byte < 0x80) {
    bad.message = "unexpected character '" + std::string(1, text[0]) + "'";
    bad.hint = asciiHint(text[0]);
  } else if (auto character = logic::decodeUtf8(text)) {
    bad.length = character->length;
    bad.message = "unexpected character '" + std::string(text.substr(0, bad.length)) + "' (U+" +
                  hex(character->code, 4) + ")";
    if (!logic::isPrintable(character->code))
      bad.message = "unexpected character U+" + hex(character->code, 4);
    for (const auto &[code, ours] : lookalikes)
      if (code == character->code)
        bad.hint = "write " + std::string(ours);
    if (bad.hint.empty())
      bad.hint = "names consist of letters a-z, digits and '_'";
  } else {
    bad.message = "invalid UTF-8 byte (0x" + hex(byte, 2) + ")";
  }
  return bad;
}

bool isPrintableText(std::string_view text) {
  while (!text.empty()) {
    auto character = logic::decodeUtf8(text);
    if (!character || !logic::isPrintable(character->code))
      return false;
    text.remove_prefix(character->length);
  }
  return true;
}

} // namespace understudy::specs::syntax
