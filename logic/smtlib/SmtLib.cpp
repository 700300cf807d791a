// SPDX-License-Identifier: Apache-2.0
#include "logic/smtlib/SmtLib.h"

#include "logic/SortFacts.h"
#include "logic/Value.h"
#include "logic/smtlib/SmtReserved.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

namespace understudy::logic::smtlib {

namespace {

// A subterm is named by `let` when it occurs again and is longer than this, or when it is so long
// that repeating it in its parents' texts would make printing quadratic.
constexpr size_t longEnoughToShare = 40;
constexpr size_t tooLongToCopy = 4096;

bool isSimpleSymbol(const std::string &name) {
  auto allowed = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("~!@$%^&*_-+=<>.?/").find(c) != std::string_view::npos;
  };
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name.front())) &&
         std::all_of(name.begin(), name.end(), allowed);
}

std::string numeral(int64_t value) {
  std::string text = std::to_string(value);
  return value < 0 ? "(- " + text.substr(1) + ")" : text;
}

std::string sortText(Sort sort) {
  if (sort.isArray())
    return "(Array Int " + sortText(sort.element()) + ")";
  return sort.isBool() ? "Bool" : "Int";
}

/// `div` and `mod` round down for positive divisors; C truncates. The dividend is named because it
/// is needed twice.
std::string truncating(const char *operation, const std::string &dividend, int64_t divisor) {
  std::string op = std::string("(") + operation + " ";
  std::string by = " " + std::to_string(divisor) + ")";
  return "(let ((d! " + dividend + ")) (ite (>= d! 0) " + op + "d!" + by + " (- " + op + "(- d!)" +
         by + ")))";
}

const char *operatorOf(Op op) {
  switch (op) {
  case Op::Not:
    return "not";
  case Op::And:
    return "and";
  case Op::Or:
    return "or";
  case Op::Implies:
    return "=>";
  case Op::Ite:
    return "ite";
  case Op::Equal:
    return "=";
  case Op::Less:
    return "<";
  case Op::LessEqual:
    return "<=";
  case Op::Add:
    return "+";
  case Op::Select:
    return "select";
  case Op::Store:
    return "store";
  default:
    throw std::logic_error("operation without an operator");
  }
}

class Printer {
public:
  std::string print(Term term) {
    countUses(term);
    std::vector<Term> work{term};
    while (!work.empty()) {
      Term t = work.back();
      size_t before = work.size();
      if (!texts_.contains(t))
        for (size_t i = t.operands().size(); i > 0; --i)
          if (!texts_.contains(t.operand(i - 1)))
            work.push_back(t.operand(i - 1));
      if (work.size() > before)
        continue;
      work.pop_back();
      if (!texts_.contains(t))
        texts_.emplace(t, named(t, compute(t)));
    }
    return lets_ + texts_.at(term) + std::string(letCount_, ')');
  }

private:
  std::unordered_map<Term, std::string> texts_;
  std::unordered_map<Term, size_t> uses_;
  std::string lets_;
  size_t letCount_ = 0;

  void countUses(Term term) {
    std::vector<Term> work{term};
    while (!work.empty()) {
      Term t = work.back();
      work.pop_back();
      if (uses_[t]++ == 0)
        work.insert(work.end(), t.operands().begin(), t.operands().end());
    }
  }

  std::string named(Term term, std::string text) {
    bool shared = uses_.at(term) > 1 && text.size() > longEnoughToShare;
    if (!shared && text.size() < tooLongToCopy)
      return text;
    std::string name = "t!" + std::to_string(++letCount_);
    lets_ += "(let ((" + name + " " + text + ")) ";
    return name;
  }

  /// Elements of an array of fixed size are stored one by one, see SortFacts.h.
  std::string constArray(Term term) const {
    Term stores = asStores(term);
    if (stores == term)
      return "((as const " + sortText(term.sort()) + ") " + texts_.at(term.operand(0)) + ")";
    int64_t size = *term.sort().arraySize();
    std::string result;
    for (int64_t i = 0; i < size; ++i)
      result += "(store ";
    result +=
        "((as const " + sortText(term.sort()) + ") " +
        (term.sort().element().isBool() ? "false"
                                        : numeral(defaultValue(term.sort().element()).number())) +
        ")";
    for (int64_t i = 0; i < size; ++i)
      result += " " + std::to_string(i) + " " + texts_.at(term.operand(0)) + ")";
    return result;
  }

  std::string compute(Term term) const {
    switch (term.op()) {
    case Op::Constant:
      return term.sort().isBool() ? (term.value() != 0 ? "true" : "false") : numeral(term.value());
    case Op::Variable:
      return smtSymbol({term.variable(), term.primed()});
    case Op::Multiply:
      return "(* " + numeral(term.value()) + " " + texts_.at(term.operand(0)) + ")";
    case Op::Divide:
      return truncating("div", texts_.at(term.operand(0)), term.value());
    case Op::Remainder:
      return truncating("mod", texts_.at(term.operand(0)), term.value());
    case Op::ConstArray:
      return constArray(term);
    default: {
      std::string result = std::string("(") + operatorOf(term.op());
      for (const Term &t : term.operands())
        result += " " + texts_.at(t);
      return result + ")";
    }
    }
  }
};

} // namespace

std::string smtSymbol(VariableUse use) {
  std::string name = use.variable.fullName();
  if (isReservedInSmtLib(name))
    name += "!";
  if (use.primed)
    name += "!n";
  if (isSimpleSymbol(name))
    return name;
  std::replace_if(name.begin(), name.end(), [](char c) { return c == '|' || c == '\\'; }, '_');
  return "|" + name + "|";
}

std::string smtLib(Term term) { return Printer().print(term); }

std::string smtAssertions(std::span<const Term> assertions) {
  std::map<VariableUse, Sort> variables;
  std::vector<Term> facts;
  std::unordered_set<Term> seenFacts;
  for (const Term &assertion : assertions) {
    SortFacts found = sortFacts(assertion);
    for (const Term &v : found.variables)
      variables.emplace(VariableUse{v.variable(), v.primed()}, v.sort());
    for (const Term &fact : found.facts)
      if (seenFacts.insert(fact).second)
        facts.push_back(fact);
  }
  std::string result;
  std::unordered_set<std::string> symbols;
  for (const auto &[use, sort] : variables) {
    std::string symbol = smtSymbol(use);
    if (!symbols.insert(symbol).second)
      throw std::logic_error("two variables have the SMT-LIB symbol " + symbol);
    result += "(declare-const " + symbol + " " + sortText(sort) + ")\n";
  }
  for (const Term &fact : facts)
    result += "(assert " + smtLib(fact) + ")\n";
  for (const Term &assertion : assertions)
    result += "(assert " + smtLib(assertion) + ")\n";
  return result;
}

} // namespace understudy::logic::smtlib
