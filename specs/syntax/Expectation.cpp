// SPDX-License-Identifier: Apache-2.0
#include "specs/syntax/Expectation.h"

#include <charconv>

namespace understudy::specs::syntax {

namespace {

/// Reads words from a comment.
class Reader {
public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool take(std::string_view word) {
    skipSpace();
    if (!rest_.starts_with(word))
      return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  std::optional<uint32_t> number() {
    skipSpace();
    uint32_t value = 0;
    auto [stop, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (problem != std::errc())
      return std::nullopt;
    rest_.remove_prefix(static_cast<size_t>(stop - rest_.data()));
    return value;
  }
  bool atEnd() {
    skipSpace();
    return rest_.empty() || (rest_.front() == '(' && rest_.back() == ')');
  }

private:
  void skipSpace() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t'))
      rest_.remove_prefix(1);
  }
  std::string_view rest_;
};

} // namespace

std::optional<Expectation> readExpectation(ParseState &state) {
  if (state.lexed().comments.empty())
    return std::nullopt;
  const Comment &comment = state.lexed().comments.front();
  Reader reader(comment.text);
  if (comment.range.begin.line != 1 || !comment.ownLine || !reader.take("//") ||
      !reader.take("expect:"))
    return std::nullopt;
  Expectation result;
  result.range = comment.range;
  bool known = true;
  if (reader.take("unsafe"))
    result.safe = false;
  else
    known = reader.take("safe");
  if (known && reader.take(",")) {
    known = reader.take("width");
    result.width = reader.number();
    known = known && result.width;
  }
  if (known && reader.atEnd())
    return result;
  state.warning(comment.range, "malformed expectation, ignored",
                "write // expect: safe, or // expect: unsafe, width 2");
  return std::nullopt;
}

} // namespace understudy::specs::syntax
