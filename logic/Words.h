// SPDX-License-Identifier: Apache-2.0
//
// Words for messages: lists, numbers with their noun, and names that a user may have meant.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::logic {

/// "a, b, c"; with another last separator "a, b and c".
std::string joined(const std::vector<std::string> &parts, std::string_view last = ", ");

/// The same, of what `textOf` says about each element.
template <typename Range, std::invocable<typename Range::const_reference> TextOf>
std::string joined(const Range &range, TextOf textOf, std::string_view last = ", ") {
  std::vector<std::string> parts;
  for (const auto &element : range)
    parts.push_back(textOf(element));
  return joined(parts, last);
}

/// "1 step", "2 steps".
std::string plural(uint64_t count, std::string_view noun);

/// The candidate nearest in spelling, or null when none is near. Capitals do not matter; the name
/// itself is none.
const std::string *nearest(const std::string &name, const std::vector<std::string> &candidates);

/// "did you mean 'X'?" with the nearest candidate, or "".
std::string didYouMean(const std::string &name, const std::vector<std::string> &candidates);

/// The same, or "known TITLE: a, b" when none is near; empty when nothing is known.
std::string suggestion(const std::string &name, const std::vector<std::string> &known,
                       const std::string &title);

} // namespace understudy::logic
