// SPDX-License-Identifier: Apache-2.0
//
// Reads the text of a term as a C programmer would, on one state. Shares nothing with the printer:
// the precedence table stands here a second time.
#pragma once

#include "logic/Value.h"

#include <cctype>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::tests {

class TextMeaning {
public:
  /// Value of a name (with its prime, if any); `index` is the element's number for `name[index]`.
  using Lookup = std::function<int64_t(const std::string &name, const int64_t *index)>;

  TextMeaning(std::string_view text, Lookup lookup) : text_(text), lookup_(std::move(lookup)) {}

  int64_t value() {
    int64_t result = implication();
    if (peek() != '\0')
      throw std::runtime_error("unread text");
    return result;
  }

private:
  std::string_view text_;
  Lookup lookup_;
  size_t at_ = 0;

  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ')
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(std::string_view token) {
    peek();
    if (text_.substr(at_, token.size()) != token)
      return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token))
      throw std::runtime_error("expected " + std::string(token));
  }

  int64_t implication() {
    int64_t left = conditional();
    if (!take("=>"))
      return left;
    int64_t right = implication();
    return left == 0 || right != 0 ? 1 : 0;
  }
  int64_t conditional() {
    int64_t condition = binary(0);
    if (!take("?"))
      return condition;
    int64_t yes = conditional();
    expect(":");
    int64_t no = conditional();
    return condition != 0 ? yes : no;
  }

  static const std::vector<std::vector<std::string_view>> &levels() {
    static const std::vector<std::vector<std::string_view>> table = {
        {"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}};
    return table;
  }

  int64_t binary(size_t level) {
    if (level == levels().size())
      return unary();
    int64_t left = binary(level + 1);
    while (true) {
      std::string_view taken;
      for (std::string_view op : levels()[level])
        // "=>" must not be taken for an end of ">=" or "=".
        if (taken.empty() && take(op))
          taken = op;
      if (taken.empty())
        return left;
      left = apply(taken, left, binary(level + 1));
    }
  }

  static int64_t apply(std::string_view op, int64_t a, int64_t b) {
    if (op == "+")
      return a + b;
    if (op == "-")
      return a - b;
    if (op == "*")
      return a * b;
    if (op == "/")
      return a / b;
    if (op == "%")
      return a % b;
    if (op == "||")
      return (a != 0) || (b != 0) ? 1 : 0;
    if (op == "&&")
      return (a != 0) && (b != 0) ? 1 : 0;
    return compare(op, a, b) ? 1 : 0;
  }

  static bool compare(std::string_view op, int64_t a, int64_t b) {
    if (op == "==")
      return a == b;
    if (op == "!=")
      return a != b;
    if (op == "<")
      return a < b;
    if (op == "<=")
      return a <= b;
    return op == ">" ? a > b : a >= b;
  }

  int64_t unary() {
    if (text_.substr(at_).starts_with("--"))
      throw std::runtime_error("decrement");
    if (take("!"))
      return unary() == 0 ? 1 : 0;
    if (take("-"))
      return -unary();
    if (take("(")) {
      int64_t inner = implication();
      expect(")");
      return inner;
    }
    return atom();
  }

  int64_t atom() {
    peek();
    size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                  text_[at_] == '_' || text_[at_] == '\''))
      ++at_;
    std::string word(text_.substr(begin, at_ - begin));
    if (word.empty())
      throw std::runtime_error("expected a name or a number");
    if (std::isdigit(static_cast<unsigned char>(word.front())))
      return std::stoll(word);
    if (word == "true" || word == "false")
      return word == "true" ? 1 : 0;
    if (!take("["))
      return lookup_(word, nullptr);
    int64_t index = implication();
    expect("]");
    return lookup_(word, &index);
  }
};

} // namespace understudy::tests
