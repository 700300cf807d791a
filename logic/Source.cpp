// SPDX-License-Identifier: Apache-2.0
#include "logic/Source.h"

#include <algorithm>

namespace understudy::logic {

SourceFile::SourceFile(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)), lineStarts_{0} {
  for (size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n')
      lineStarts_.push_back(i + 1);
}

Position SourceFile::positionOf(size_t offset) const {
  auto next = std::upper_bound(lineStarts_.begin(), lineStarts_.end(), offset);
  size_t index = static_cast<size_t>(next - lineStarts_.begin()) - 1;
  return {static_cast<uint32_t>(index + 1), static_cast<uint32_t>(offset - lineStarts_[index] + 1)};
}

std::string_view SourceFile::line(uint32_t number) const {
  if (number == 0 || number > lineStarts_.size())
    return {};
  size_t begin = lineStarts_[number - 1];
  size_t end = number < lineStarts_.size() ? lineStarts_[number] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r')
    --end;
  return std::string_view(text_).substr(begin, end - begin);
}

std::string SourceRange::text() const {
  if (!known())
    return "generated";
  return file->name() + ":" + std::to_string(begin.line) + ":" + std::to_string(begin.column);
}

} // namespace understudy::logic
