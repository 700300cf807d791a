// SPDX-License-Identifier: Apache-2.0
#include "tools/report/Columns.h"

#include <algorithm>
#include <sstream>

namespace understudy::tools::report {

namespace {

std::string withoutTrailing(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

} // namespace

size_t columns(const std::string &text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
  }));
}

std::string padded(const std::string &text, size_t width) {
  size_t used = columns(text);
  return used < width ? text + std::string(width - used, ' ') : text;
}

std::string wrapped(const std::string &head, const std::vector<std::string> &parts, size_t indent,
                    size_t width, const std::string &separator) {
  std::string lines;
  std::string line = head;
  for (size_t i = 0; i < parts.size(); ++i) {
    std::string part = parts[i] + (i + 1 < parts.size() ? separator : "");
    if (i > 0 && columns(withoutTrailing(line + part)) > width) {
      lines += withoutTrailing(line) + "\n";
      line = std::string(indent, ' ');
    }
    line += part;
  }
  return lines + withoutTrailing(line) + "\n";
}

std::vector<std::string> words(const std::string &text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string word; stream >> word;)
    result.push_back(word);
  return result;
}

} // namespace understudy::tools::report
