// SPDX-License-Identifier: Apache-2.0
#include "logic/Utf8.h"

namespace understudy::logic {

std::optional<Utf8Character> decodeUtf8(std::string_view text) {
  if (text.empty())
    return std::nullopt;
  auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80)
    return Utf8Character{lead, 1};
  size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length)
    return std::nullopt;
  uint32_t code = lead & (0xFFU >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0) != 0x80)
      return std::nullopt;
    code = (code << 6) | (next & 0x3FU);
  }
  constexpr uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < smallest[length] || code > 0x10FFFF || surrogate)
    return std::nullopt;
  return Utf8Character{code, length};
}

bool isPrintable(uint32_t code) {
  bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  bool invisible = (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
                   (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF || code == 0xAD;
  return !control && !invisible;
}

} // namespace understudy::logic
