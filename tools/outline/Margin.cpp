// SPDX-License-Identifier: Apache-2.0
#include "tools/outline/Margin.h"

namespace understudy::tools::outline {

namespace {

std::string comments(const std::vector<std::string> &lines, const std::string &indent) {
  std::string text;
  for (const std::string &line : lines)
    text += indent + "// " + line + "\n";
  return text;
}

} // namespace

std::string Margin::print() const {
  std::string text;
  bool headed = false;
  for (uint32_t number = 1; number <= file_.lineCount(); ++number) {
    const std::string line(file_.line(number));
    if (number == file_.lineCount() && line.empty())
      break;
    if (!headed && !line.starts_with("//") && !line.empty()) {
      text += comments(head_, "");
      headed = true;
    }
    text += printLine(number);
  }
  return text;
}

std::string Margin::printLine(uint32_t number) const {
  const std::string line(file_.line(number));
  const std::string indent = line.substr(0, line.find_first_not_of(" \t"));
  std::string text;
  size_t done = 0;
  for (auto entry = before_.lower_bound({number, 0});
       entry != before_.end() && entry->first.line == number; ++entry) {
    const size_t at = entry->first.column - 1;
    std::string inner = line[at] == '}' && at <= indent.size() ? indent + "  " : indent;
    if (at > indent.size()) {
      std::string head = line.substr(done, at - done);
      head.erase(head.find_last_not_of(" \t") + 1);
      text += (done == 0 ? "" : indent + "  ") + head + "\n";
      done = at;
      inner = indent + "  ";
    }
    text += comments(entry->second, inner);
  }
  text += (done == 0 ? "" : indent + (line[done] == '}' ? "" : "  ")) + line.substr(done) + "\n";
  if (auto found = after_.find(number); found != after_.end())
    text += comments(found->second, indent);
  return text;
}

} // namespace understudy::tools::outline
