// SPDX-License-Identifier: Apache-2.0
//
// Pieces of Graphviz text that both pictures are made of.
#pragma once

#include <string>
#include <vector>

namespace understudy::tools::exports {

/// Text inside an HTML-like label.
std::string dotEscaped(const std::string &text);

/// Escaped, broken into lines of about `width`, preferably before && and ||, each with `lineEnd`.
std::string dotLines(const std::string &text, size_t width, const std::string &lineEnd);

/// `"a.b"` with quotes inside escaped.
std::string dotId(const std::string &text);

/// What comes first in every picture.
std::string dotHead(const std::string &name);

} // namespace understudy::tools::exports
