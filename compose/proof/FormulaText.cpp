// SPDX-License-Identifier: Apache-2.0
#include "compose/proof/FormulaText.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace understudy::compose::proof {

namespace {

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool isNumeral(std::string_view word) {
  return std::all_of(word.begin(), word.end(), isDigit) && (word.size() == 1 || word[0] != '0');
}

/// As `smtLib` names shared parts: t!1, t!2, …, and the dividend d!.
bool isLetName(std::string_view word) {
  return word == "d!" || (word.size() > 2 && word.starts_with("t!") && isNumeral(word.substr(2)));
}

bool isOperator(std::string_view word) {
  static constexpr std::string_view known[] = {
      "and", "or",    "not",   "=>",  "ite",  "=",    "<",      "<=",    ">",
      ">=",  "+",     "-",     "*",   "div",  "mod",  "select", "store", "let",
      "as",  "const", "Array", "Int", "Bool", "true", "false"};
  return std::find(std::begin(known), std::end(known), word) != std::end(known);
}

bool isSymbolCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("~!@$%^&*_-+=<>.?/").find(c) != std::string_view::npos;
}

/// The word or quoted symbol at the offset; empty if there is none.
std::string_view wordAt(std::string_view text, size_t at) {
  size_t end = at;
  if (text[at] == '|') {
    end = text.find('|', at + 1);
    return end == std::string_view::npos ? std::string_view() : text.substr(at, end + 1 - at);
  }
  while (end < text.size() && isSymbolCharacter(text[end]))
    ++end;
  return text.substr(at, end - at);
}

} // namespace

std::string faultOfFormula(const std::string &text, const std::set<std::string> &parameters) {
  size_t depth = 0;
  bool complete = false;
  for (size_t at = 0; at < text.size();) {
    char c = text[at];
    if (c == ' ' || c == '\n') {
      ++at;
      continue;
    }
    if (complete)
      return "something follows its end";
    if (c == '(' || c == ')') {
      if (c == ')' && depth == 0)
        return "a parenthesis closes that was not opened";
      depth = c == '(' ? depth + 1 : depth - 1;
      ++at;
    } else {
      std::string_view word = wordAt(text, at);
      if (word.empty())
        return std::string("the character '") + c + "' is not allowed";
      if (!isNumeral(word) && !isOperator(word) && !isLetName(word) &&
          !parameters.contains(std::string(word)))
        return "the word '" + std::string(word) + "' is not allowed";
      at += word.size();
    }
    complete = depth == 0;
  }
  return complete ? "" : "it is not complete";
}

} // namespace understudy::compose::proof
