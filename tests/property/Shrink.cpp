// SPDX-License-Identifier: Apache-2.0
#include "Shrink.h"

#include <algorithm>
#include <sstream>
#include <vector>

namespace understudy::tests {
namespace {

using Lines = std::vector<std::string>;

Lines split(const std::string &text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

std::string joined(const Lines &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return text;
}

/// The line that closes the block opened in line `open`, or `open` itself if it opens none.
size_t closing(const Lines &lines, size_t open) {
  if (!lines[open].ends_with("{"))
    return open;
  int depth = 1;
  for (size_t i = open + 1; i < lines.size(); ++i) {
    const std::string &line = lines[i];
    if (line.find('}') != std::string::npos && line.find('{') == std::string::npos)
      --depth;
    else if (line.ends_with("{") && line.find('}') == std::string::npos)
      ++depth;
    if (depth == 0 || (depth == 1 && line.find("} else {") != std::string::npos))
      return i;
  }
  return open;
}

Lines without(const Lines &lines, size_t from, size_t to) {
  Lines left(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(from));
  left.insert(left.end(), lines.begin() + static_cast<std::ptrdiff_t>(to), lines.end());
  return left;
}

/// Smaller texts at this line: without the block, without its braces, without a stretch of lines.
std::vector<Lines> smaller(const Lines &lines, size_t at) {
  std::vector<Lines> candidates;
  const size_t end = closing(lines, at);
  if (end > at) {
    candidates.push_back(without(lines, at, end + 1));
    candidates.push_back(without(without(lines, end, end + 1), at, at + 1));
    Lines simple = lines;
    simple[end] = "}";
    candidates.push_back(without(simple, at + 1, end));
  }
  for (size_t length : {8, 4, 2, 1})
    if (at + length <= lines.size())
      candidates.push_back(without(lines, at, at + length));
  return candidates;
}

} // namespace

std::string shrink(const std::string &text, const std::function<bool(const std::string &)> &fails) {
  Lines lines = split(text);
  for (bool progress = true; progress;) {
    progress = false;
    for (size_t at = 0; at < lines.size();) {
      const std::vector<Lines> candidates = smaller(lines, at);
      const auto found = std::find_if(candidates.begin(), candidates.end(), [&](const Lines &c) {
        return c.size() < lines.size() && fails(joined(c));
      });
      if (found == candidates.end()) {
        ++at;
        continue;
      }
      lines = *found;
      progress = true;
    }
  }
  return joined(lines);
}

} // namespace understudy::tests
