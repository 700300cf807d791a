// SPDX-License-Identifier: Apache-2.0
#include "compose/proof/ObligationText.h"

#include "logic/SortFacts.h"
#include "logic/smtlib/SmtLib.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace understudy::compose::proof {

using logic::VariableUse;

namespace {

std::string sortText(logic::Sort sort) {
  if (sort.isArray())
    return "(Array Int " + sortText(sort.element()) + ")";
  return sort.isBool() ? "Bool" : "Int";
}

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

/// Why the text must not stand where SMT-LIB expects an expression; empty if it may. It may if it
/// is one balanced expression of parameters, numerals, names bound by `let` in our own manner, and
/// the operators of linear arithmetic, arrays and logic. Such a text cannot end the command it
/// stands in; whether it makes sense is for the solver to say.
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

} // namespace

std::string ObligationText::declare(VariableUse use) {
  if (!declared_.insert(use).second)
    return "";
  std::string symbol = logic::smtlib::smtSymbol(use);
  if (!symbols_.insert(symbol).second)
    throw InvalidEvidence("two variables of the program have the SMT-LIB symbol " + symbol);
  std::string text = "(declare-const " + symbol + " " + sortText(use.variable.sort()) + ")\n";
  Term variable = use.primed ? pool_.primed(use.variable) : pool_.var(use.variable);
  for (const Term &fact : logic::sortFacts(variable).facts)
    if (facts_.insert(fact).second)
      text += assertion(logic::smtlib::smtLib(fact));
  return text;
}

std::string ObligationText::define(const std::string &name, const std::vector<Variable> &parameters,
                                   const std::string &formula, const std::string &what) const {
  std::set<std::string> symbols;
  std::string list;
  for (Variable parameter : parameters) {
    std::string symbol = logic::smtlib::smtSymbol({parameter, false});
    if (!symbols.insert(symbol).second)
      throw InvalidEvidence("two variables of the program have the SMT-LIB symbol " + symbol);
    list += (list.empty() ? "(" : " (") + symbol + " " + sortText(parameter.sort()) + ")";
  }
  if (std::string fault = faultOfFormula(formula, symbols); !fault.empty())
    throw InvalidEvidence(what + " is not a formula over the program's variables: " + fault);
  return "(define-fun " + name + " (" + list + ") Bool\n  " + formula + ")\n";
}

std::string ObligationText::assertion(Term formula) const {
  std::string text;
  for (const Term &fact : logic::sortFacts(formula).facts)
    if (!facts_.contains(fact))
      text += assertion(logic::smtlib::smtLib(fact));
  return text + assertion(logic::smtlib::smtLib(formula));
}

std::string ObligationText::application(const std::string &name,
                                        const std::vector<Term> &arguments) {
  if (arguments.empty())
    return name;
  std::string text = "(" + name;
  for (const Term &argument : arguments)
    text += " " + logic::smtlib::smtLib(argument);
  return text + ")";
}

std::string placeNote(const SourceRange &range) {
  return range.known() ? " (" + range.file->name() + ":" + std::to_string(range.begin.line) + ")"
                       : "";
}

std::string stepText(const Template &thread, const Edge &edge) {
  return "'" + edge.text + "' of " + thread.name + placeNote(edge.range);
}

} // namespace understudy::compose::proof
