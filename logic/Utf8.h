// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace understudy::logic {

struct Utf8Character {
  uint32_t code = 0;
  size_t length = 1; ///< in bytes
};

/// The character at the start of `text`; none if the bytes there are not UTF-8 (or `text` is
/// empty).
std::optional<Utf8Character> decodeUtf8(std::string_view text);

/// Whether a terminal shows the character as itself: no control, direction or line separator.
bool isPrintable(uint32_t code);

} // namespace understudy::logic
