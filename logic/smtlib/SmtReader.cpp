// SPDX-License-Identifier: Apache-2.0
#include "logic/smtlib/SmtReader.h"

#include "logic/SortFacts.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

namespace understudy::logic::smtlib {

namespace {

[[noreturn]] void refuse(const std::string &reason) { throw NoFormula(reason); }

bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("~!@$%^&*_-+=<>.?/").find(c) != std::string_view::npos;
}

class Tokens {
public:
  explicit Tokens(std::string_view text) : text_(text) { advance(); }

  std::string_view now() const { return now_; } ///< empty: the end
  void advance() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n'))
      ++at_;
    const size_t begin = at_;
    if (at_ == text_.size()) {
      now_ = {};
      return;
    }
    if (text_[at_] == '(' || text_[at_] == ')') {
      ++at_;
    } else if (text_[at_] == '|') {
      const size_t end = text_.find('|', at_ + 1);
      if (end == std::string_view::npos)
        refuse("a quoted name does not end");
      at_ = end + 1;
    } else {
      while (at_ < text_.size() && isWordCharacter(text_[at_]))
        ++at_;
      if (at_ == begin)
        refuse(std::string("the character '") + text_[at_] + "' is not allowed");
    }
    now_ = text_.substr(begin, at_ - begin);
  }
  void expect(std::string_view token) {
    if (now_ != token)
      refuse("expected '" + std::string(token) + "', found " +
             (now_.empty() ? "the end" : "'" + std::string(now_) + "'"));
    advance();
  }

private:
  std::string_view text_;
  std::string_view now_;
  size_t at_ = 0;
};

/// By recursive descent, with a limit on the depth.
class Reader {
public:
  Reader(TermPool &pool, const std::string &text, const SymbolTable &symbols)
      : pool_(pool), tokens_(text), symbols_(symbols) {}

  Term read() {
    const Term result = expression();
    if (!tokens_.now().empty())
      refuse("something follows its end");
    return result;
  }

private:
  TermPool &pool_;
  Tokens tokens_;
  const SymbolTable &symbols_;
  std::vector<std::pair<std::string, Term>> bound_; ///< by `let`, the last one counts
  size_t depth_ = 0;

  Term expression() {
    if (++depth_ > deepestFormula)
      refuse("it is nested too deeply");
    const Term result = tokens_.now() == "(" ? compound() : atom();
    --depth_;
    return result;
  }

  Term atom() {
    const std::string word(tokens_.now());
    if (word.empty())
      refuse("it is not complete");
    if (word == ")")
      refuse("a parenthesis closes too early");
    tokens_.advance();
    if (word == "true" || word == "false")
      return pool_.boolean(word == "true");
    for (size_t i = bound_.size(); i-- > 0;)
      if (bound_[i].first == word)
        return bound_[i].second;
    if (auto found = symbols_.find(word); found != symbols_.end())
      return pool_.var(found->second);
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0)
      return pool_.integer(numeral(word));
    refuse("the word '" + word + "' is unknown");
  }

  static int64_t numeral(const std::string &word) {
    int64_t value = 0;
    const char *end = word.data() + word.size();
    const auto [stop, failed] = std::from_chars(word.data(), end, value);
    if (failed != std::errc() || stop != end || (word.size() > 1 && word[0] == '0'))
      refuse("'" + word + "' is not a 64-bit integer");
    return value;
  }

  Term compound() {
    tokens_.advance();
    if (tokens_.now() == "(")
      return constantArray();
    const std::string op(tokens_.now());
    tokens_.advance();
    if (op == "let")
      return let();
    std::vector<Term> operands;
    while (tokens_.now() != ")")
      operands.push_back(expression());
    tokens_.advance();
    return apply(op, operands);
  }

  Term let() {
    const size_t before = bound_.size();
    tokens_.expect("(");
    std::vector<std::pair<std::string, Term>> now;
    while (tokens_.now() == "(") {
      tokens_.advance();
      const std::string name(tokens_.now());
      const bool isOwn = name == "d!" || (name.size() > 2 && name.starts_with("t!"));
      if (!isOwn || symbols_.contains(name))
        refuse("the name '" + name + "' may not be bound");
      tokens_.advance();
      now.emplace_back(name, expression());
      tokens_.expect(")");
    }
    tokens_.expect(")");
    bound_.insert(bound_.end(), now.begin(), now.end());
    const Term result = expression();
    tokens_.expect(")");
    bound_.resize(before);
    return result;
  }

  /// ((as const (Array Int X)) element)
  Term constantArray() {
    for (const char *token : {"(", "as", "const", "(", "Array", "Int"})
      tokens_.expect(token);
    const std::string element(tokens_.now());
    for (const std::string &token : {element, std::string(")"), std::string(")")})
      tokens_.expect(token);
    const Term value = expression();
    tokens_.expect(")");
    std::optional<Sort> sort;
    for (const auto &[name, variable] : symbols_) {
      const Sort own = variable.sort();
      if (!own.isArray() || own.element().isBool() != (element == "Bool"))
        continue;
      if (sort && *sort != own)
        refuse("it is not clear how long a constant array is");
      sort = own;
    }
    if (!sort || value.sort().isArray() || value.sort().isBool() != sort->element().isBool())
      refuse("a constant array does not fit the program");
    return pool_.constArray(*sort,
                            sort->element().isEnum() ? enumerated(value, sort->element()) : value);
  }

  static void require(bool fits, const std::string &op) {
    if (!fits)
      refuse("'" + op + "' has operands that do not fit");
  }
  static bool isBool(Term term) { return term.sort().isBool(); }
  static bool isNumber(Term term) { return term.sort().isNumeric(); }

  Term apply(const std::string &op, const std::vector<Term> &operands) {
    const size_t count = operands.size();
    const auto all = [&](bool (*fits)(Term)) {
      return std::all_of(operands.begin(), operands.end(), fits);
    };
    if (op == "and" || op == "or" || op == "not" || op == "=>") {
      require(all(isBool) && (op == "not" ? count == 1 : op == "=>" ? count == 2 : count > 0), op);
      return op == "and"   ? pool_.conjunction(operands)
             : op == "or"  ? pool_.disjunction(operands)
             : op == "not" ? pool_.negate(operands[0])
                           : pool_.implies(operands[0], operands[1]);
    }
    if (op == "=") {
      require(count == 2, op);
      return equality(operands[0], operands[1]);
    }
    if (op == "<" || op == "<=" || op == ">" || op == ">=") {
      require(count == 2 && all(isNumber), op);
      const Term a = asNumber(operands[0]), b = asNumber(operands[1]);
      return op == "<"    ? pool_.less(a, b)
             : op == "<=" ? pool_.lessEqual(a, b)
             : op == ">"  ? pool_.less(b, a)
                          : pool_.lessEqual(b, a);
    }
    if (op == "ite") {
      require(count == 3 && isBool(operands[0]), op);
      return choice(operands[0], operands[1], operands[2]);
    }
    if (op == "select" || op == "store") {
      require(count == (op == "select" ? 2 : 3) && operands[0].sort().isArray() &&
                  isNumber(operands[1]),
              op);
      if (op == "select")
        return pool_.select(operands[0], asNumber(operands[1]));
      const Sort element = operands[0].sort().element();
      require(element.isBool() == isBool(operands[2]) && !operands[2].sort().isArray(), op);
      const Term value = element.isEnum()   ? enumerated(operands[2], element)
                         : element.isBool() ? operands[2]
                                            : asNumber(operands[2]);
      return pool_.store(operands[0], asNumber(operands[1]), value);
    }
    require(all(isNumber) && count > 0, op);
    return arithmetic(op, operands);
  }

  Term arithmetic(const std::string &op, std::vector<Term> operands) {
    for (Term &operand : operands)
      operand = asNumber(operand);
    const size_t count = operands.size();
    if (op == "+")
      return pool_.sum(operands);
    if (op == "-" && count == 1)
      return operands[0].isConstant() && operands[0].value() != INT64_MIN
                 ? pool_.integer(-operands[0].value())
                 : pool_.multiply(-1, operands[0]);
    if (op == "-") {
      for (size_t i = 1; i < count; ++i)
        operands[i] = pool_.multiply(-1, operands[i]);
      return pool_.sum(operands);
    }
    if (op == "*") {
      require(count == 2 && (operands[0].isConstant() || operands[1].isConstant()), op);
      const bool first = operands[0].isConstant();
      return pool_.multiply(operands[first ? 0 : 1].value(), operands[first ? 1 : 0]);
    }
    if (op == "div" || op == "mod") {
      require(count == 2 && operands[1].isConstant() && operands[1].value() > 0, op);
      const int64_t divisor = operands[1].value();
      const Term down = quotientDown(operands[0], divisor);
      return op == "div" ? down : pool_.subtract(operands[0], pool_.multiply(divisor, down));
    }
    refuse("the operator '" + op + "' is unknown");
  }

  /// SMT-LIB rounds quotients down where terms truncate.
  Term quotientDown(Term a, int64_t divisor) {
    const Term above = pool_.add(pool_.multiply(-1, a), pool_.integer(divisor - 1));
    return pool_.ite(pool_.lessEqual(pool_.integer(0), a), pool_.divide(a, divisor),
                     pool_.multiply(-1, pool_.divide(above, divisor)));
  }

  Term choice(Term condition, Term yes, Term no) {
    if (yes.sort() == no.sort() || (isBool(yes) && isBool(no)))
      return pool_.ite(condition, yes, no);
    require(isNumber(yes) && isNumber(no), "ite");
    return pool_.ite(condition, asNumber(yes), asNumber(no));
  }

  Term equality(Term a, Term b) {
    if (isNumber(a) && isNumber(b)) {
      if (b.sort().isEnum())
        std::swap(a, b);
      if (a.sort().isEnum() && b.isConstant() && !b.sort().isEnum()) {
        const auto values = a.sort().values();
        return std::find(values->begin(), values->end(), b.value()) == values->end()
                   ? pool_.boolean(false)
                   : pool_.equal(a, pool_.enumerator(a.sort(), b.value()));
      }
      return a.sort() == b.sort() ? pool_.equal(a, b) : pool_.equal(asNumber(a), asNumber(b));
    }
    require(a.sort() == b.sort(), "=");
    return pool_.equal(a, b);
  }

  Term enumerated(Term value, Sort sort) {
    if (value.sort() == sort)
      return value;
    const auto values = sort.values();
    if (!value.isConstant() ||
        std::find(values->begin(), values->end(), value.value()) == values->end())
      refuse("a number stands where an enumerator is needed");
    return pool_.enumerator(sort, value.value());
  }
};

} // namespace

Term readSmtLib(TermPool &pool, const std::string &text, const SymbolTable &symbols) {
  if (text.size() > longestFormula)
    refuse("it has more than " + std::to_string(longestFormula) + " characters");
  return Reader(pool, text, symbols).read();
}

} // namespace understudy::logic::smtlib
