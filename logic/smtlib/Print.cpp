// SPDX-License-Identifier: Apache-2.0
#include "logic/smtlib/Print.h"

#include "logic/Value.h"

#include <stdexcept>

namespace understudy::logic::smtlib {

namespace {

// Binding strength, as in C; `=>` is weakest, then `?:`.
enum Level {
  Implication,
  Conditional,
  Disjunction,
  Conjunction,
  Equality,
  Order,
  Sum,
  Product,
  Unary,
  Atom
};

std::string render(Term term, Level context);

std::string join(Term term, const char *separator, Level level) {
  std::string result;
  for (const Term &t : term.operands())
    result += (result.empty() ? "" : separator) + render(t, static_cast<Level>(level + 1));
  return result;
}

/// Unary minus. Two in a row would read as C's decrement.
std::string minusText(Term operand) {
  std::string inner = render(operand, Unary);
  return inner.starts_with('-') ? "-(" + inner + ")" : "-" + inner;
}

std::string sumText(Term term) {
  std::string result;
  for (const Term &t : term.operands()) {
    bool minus = false;
    std::string part;
    if (t.isConstant() && t.value() < 0 && t.value() != INT64_MIN) {
      minus = true;
      part = std::to_string(-t.value());
    } else if (t.op() == Op::Multiply && t.value() < 0 && t.value() != INT64_MIN) {
      minus = true;
      part = t.value() == -1 ? render(t.operand(0), Product)
                             : std::to_string(-t.value()) + " * " + render(t.operand(0), Unary);
    } else {
      part = render(t, Product);
    }
    if (result.empty())
      result = render(t, Product);
    else
      result += (minus ? " - " : " + ") + part;
  }
  return result;
}

/// "a < b", turned round when the constant would stand first: "x > 0", not "0 < x".
std::string comparison(Term term, const char *sign, const char *turned) {
  const Term &a = term.operand(0);
  const Term &b = term.operand(1);
  if (a.isConstant() && !b.isConstant())
    return render(b, Sum) + turned + render(a, Sum);
  return render(a, Sum) + sign + render(b, Sum);
}

/// !(a < b) is b <= a and so on: negation is pushed into one comparison, for readers.
std::string negation(Term inner, Level &level) {
  switch (inner.op()) {
  case Op::Equal:
    level = Equality;
    return render(inner.operand(0), Order) + " != " + render(inner.operand(1), Order);
  case Op::Less:
    level = Order;
    return comparison(inner, " >= ", " <= ");
  case Op::LessEqual:
    level = Order;
    return comparison(inner, " > ", " < ");
  default:
    level = Unary;
    return "!" + render(inner, Unary);
  }
}

std::string plain(Term term, Level &level) {
  switch (term.op()) {
  case Op::Constant:
    level = term.value() < 0 && !term.sort().isEnum() ? Unary : Atom;
    return valueText(term.value(), term.sort());
  case Op::Variable:
    return term.variable().name() + (term.primed() ? "'" : "");
  case Op::Not:
    return negation(term.operand(0), level);
  case Op::And:
    level = Conjunction;
    return join(term, " && ", level);
  case Op::Or:
    level = Disjunction;
    return join(term, " || ", level);
  case Op::Implies:
    level = Implication;
    return render(term.operand(0), Conditional) + " => " + render(term.operand(1), Implication);
  case Op::Ite:
    level = Conditional;
    return render(term.operand(0), Disjunction) + " ? " + render(term.operand(1), Conditional) +
           " : " + render(term.operand(2), Conditional);
  case Op::Equal:
    level = Equality;
    return render(term.operand(0), Order) + " == " + render(term.operand(1), Order);
  case Op::Less:
    level = Order;
    return comparison(term, " < ", " > ");
  case Op::LessEqual:
    level = Order;
    return comparison(term, " <= ", " >= ");
  case Op::Add:
    level = Sum;
    return sumText(term);
  case Op::Multiply:
    if (term.value() == -1) {
      level = Unary;
      return minusText(term.operand(0));
    }
    level = Product;
    return std::to_string(term.value()) + " * " + render(term.operand(0), Unary);
  case Op::Divide:
    level = Product;
    return render(term.operand(0), Product) + " / " + std::to_string(term.value());
  case Op::Remainder:
    level = Product;
    return render(term.operand(0), Product) + " % " + std::to_string(term.value());
  case Op::Select:
    if (term.operand(0).op() == Op::Variable && term.operand(0).primed())
      return term.operand(0).variable().name() + "'[" + render(term.operand(1), Implication) + "]";
    return render(term.operand(0), Atom) + "[" + render(term.operand(1), Implication) + "]";
  case Op::Store:
    return render(term.operand(0), Atom) + "[" + render(term.operand(1), Implication) +
           " := " + render(term.operand(2), Implication) + "]";
  case Op::ConstArray:
    return "[" + render(term.operand(0), Implication) + "]";
  }
  throw std::logic_error("unknown operation");
}

std::string render(Term term, Level context) {
  Level level = Atom;
  std::string result = plain(term, level);
  return level < context ? "(" + result + ")" : result;
}

} // namespace

std::string text(Term term) { return render(term, Implication); }

} // namespace understudy::logic::smtlib
