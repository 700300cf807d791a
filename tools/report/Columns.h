// SPDX-License-Identifier: Apache-2.0
//
// Text in columns of a terminal. Widths count characters of UTF-8, not bytes.
#pragma once

#include <string>
#include <vector>

namespace understudy::tools::report {

size_t columns(const std::string &text);
std::string padded(const std::string &text, size_t width);

/// `head`, then the parts with the separator between them, broken before a part that would pass
/// `width`; further lines are indented. No trailing blanks; ends with a line break.
std::string wrapped(const std::string &head, const std::vector<std::string> &parts, size_t indent,
                    size_t width, const std::string &separator = ", ");

/// The text cut at blanks.
std::vector<std::string> words(const std::string &text);

} // namespace understudy::tools::report
