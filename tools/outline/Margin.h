// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "logic/Source.h"

#include <map>
#include <string>
#include <vector>

namespace understudy::tools::outline {

/// A source with comment lines between its lines. A line is broken where a comment must stand
/// within it; nothing else of the source changes.
class Margin {
public:
  explicit Margin(const logic::SourceFile &file) : file_(file) {}

  /// Before all but the comments at the top.
  void head(const std::string &comment) { head_.push_back(comment); }
  void before(logic::Position position, const std::string &comment) {
    before_[position].push_back(comment);
  }
  void after(uint32_t line, const std::string &comment) { after_[line].push_back(comment); }

  std::string print() const;

private:
  const logic::SourceFile &file_;
  std::vector<std::string> head_;
  std::map<logic::Position, std::vector<std::string>> before_;
  std::map<uint32_t, std::vector<std::string>> after_;

  std::string printLine(uint32_t number) const;
};

} // namespace understudy::tools::outline
