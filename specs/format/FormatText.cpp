// SPDX-License-Identifier: Apache-2.0
#include "specs/format/FormatText.h"

#include "specs/format/Format.h"

#include <algorithm>

namespace understudy::specs::format {

void Text::write(std::string_view text) {
  text_ += text;
  size_t lineBreak = text.rfind('\n');
  column_ =
      lineBreak == std::string_view::npos ? column_ + text.size() : text.size() - lineBreak - 1;
}
void Text::trimBlanks() {
  while (!text_.empty() && text_.back() == ' ')
    text_.pop_back();
}
void Text::newLine(size_t indent) {
  trimBlanks();
  text_ += '\n';
  text_.append(indent, ' ');
  column_ = indent;
}
void Text::endLine() {
  trimBlanks();
  if (!text_.empty() && text_.back() != '\n')
    text_ += '\n';
  column_ = 0;
}
void Text::padTo(size_t column) {
  if (column_ < column) {
    text_.append(column - column_, ' ');
    column_ = column;
  }
}

namespace {

/// Parts of a broken expression are not indented deeper than this.
constexpr size_t maxIndent = 60;

Binding bindingOf(const syntax::Expr &expr) {
  switch (expr.kind) {
  case syntax::ExprKind::Implies:
    return Binding::Implies;
  case syntax::ExprKind::Conditional:
    return Binding::Conditional;
  case syntax::ExprKind::Chain: {
    const std::string &op = expr.operators.front();
    return op == "||"               ? Binding::Or
           : op == "&&"             ? Binding::And
           : op == "+" || op == "-" ? Binding::Sum
                                    : Binding::Product;
  }
  case syntax::ExprKind::Compare: {
    const std::string &op = expr.operators.front();
    return op == "==" || op == "!=" ? Binding::Equality : Binding::Relation;
  }
  case syntax::ExprKind::In:
    return Binding::Relation;
  case syntax::ExprKind::Unary:
    return Binding::Unary;
  case syntax::ExprKind::Number:
    return expr.number < 0 ? Binding::Unary : Binding::Primary;
  default:
    return Binding::Primary;
  }
}

Binding tighter(Binding binding) { return static_cast<Binding>(static_cast<int>(binding) + 1); }

/// The loosest binding that operand `i` may have without parentheses.
Binding operandBinding(const syntax::Expr &expr, size_t i) {
  switch (expr.kind) {
  case syntax::ExprKind::Conditional:
    return i == 0 ? Binding::Or : i == 1 ? Binding::Implies : Binding::Conditional;
  case syntax::ExprKind::Index:
  case syntax::ExprKind::Apply:
  case syntax::ExprKind::Related:
    return Binding::Implies;
  case syntax::ExprKind::Unary:
    return Binding::Unary;
  default:
    return tighter(bindingOf(expr));
  }
}

std::string leafText(const syntax::Expr &expr) {
  switch (expr.kind) {
  case syntax::ExprKind::Number:
    return expr.text.empty() ? std::to_string(expr.number) : expr.text;
  case syntax::ExprKind::Boolean:
    return expr.number ? "true" : "false";
  case syntax::ExprKind::Held:
    return "held(" + expr.text + ")";
  case syntax::ExprKind::Free:
    return "free(" + expr.text + ")";
  case syntax::ExprKind::Havoc:
    return "havoc " + expr.text;
  case syntax::ExprKind::Count:
    return "#" + expr.text;
  default:
    return expr.text + (expr.primed ? "'" : "");
  }
}

/// What stands before operand i > 0, with its spaces.
std::string glue(const syntax::Expr &expr, size_t i) {
  switch (expr.kind) {
  case syntax::ExprKind::Conditional:
    return i == 1 ? " ? " : " : ";
  case syntax::ExprKind::In:
    return i == 1 ? " in " : "..";
  case syntax::ExprKind::Implies:
    return " => ";
  case syntax::ExprKind::Apply:
  case syntax::ExprKind::Related:
    return ", ";
  default:
    return " " + expr.operators[i - 1] + " ";
  }
}

/// What stands before the first operand of Unary, Index, Apply and Related.
std::string prefixText(const syntax::Expr &expr) {
  if (expr.kind == syntax::ExprKind::Index)
    return leafText(expr) + "[";
  if (expr.kind == syntax::ExprKind::Apply || expr.kind == syntax::ExprKind::Related)
    return leafText(expr) + "(";
  if (expr.kind != syntax::ExprKind::Unary)
    return {};
  const syntax::Expr &operand = *expr.operands[0];
  bool doubled = expr.operators[0] == "-" && !operand.parenthesized &&
                 ((operand.kind == syntax::ExprKind::Unary && operand.operators[0] == "-") ||
                  (operand.kind == syntax::ExprKind::Number && operand.number < 0));
  return doubled ? "- " : expr.operators[0];
}

/// What stands behind the last operand.
std::string_view suffixText(const syntax::Expr &expr) {
  return expr.kind == syntax::ExprKind::Index                                             ? "]"
         : expr.kind == syntax::ExprKind::Apply || expr.kind == syntax::ExprKind::Related ? ")"
                                                                                          : "";
}

bool isBreakable(const syntax::Expr &expr) {
  return expr.kind == syntax::ExprKind::Chain || expr.kind == syntax::ExprKind::Implies ||
         expr.kind == syntax::ExprKind::Conditional;
}

class ExprWriter {
public:
  ExprWriter(Text &text, size_t limit) : text_(text), limit_(limit) {}

  void write(const syntax::Expr &expr, Binding loosest) {
    bool parentheses = expr.parenthesized || bindingOf(expr) < loosest;
    if (parentheses)
      text_.write("(");
    if (expr.operands.empty())
      text_.write(leafText(expr));
    else
      writeOperands(expr);
    if (parentheses)
      text_.write(")");
  }

private:
  /// The width on one line, or anything larger than `budget`.
  size_t width(const syntax::Expr &expr, Binding loosest, size_t budget) const {
    size_t sum = expr.parenthesized || bindingOf(expr) < loosest ? 2 : 0;
    if (expr.operands.empty())
      return sum + leafText(expr).size();
    sum += prefixText(expr).size() + suffixText(expr).size();
    for (size_t i = 0; i < expr.operands.size() && sum <= budget; ++i) {
      sum += i > 0 ? glue(expr, i).size() : 0;
      if (sum <= budget)
        sum += width(*expr.operands[i], operandBinding(expr, i), budget - sum);
    }
    return sum;
  }
  bool fits(const syntax::Expr &expr, Binding loosest, size_t before) const {
    size_t used = text_.column() + before;
    return used <= limit_ && width(expr, loosest, limit_ - used) <= limit_ - used;
  }

  void writeOperands(const syntax::Expr &expr) {
    size_t indent = std::min(text_.column(), maxIndent);
    text_.write(prefixText(expr));
    for (size_t i = 0; i < expr.operands.size(); ++i) {
      const syntax::Expr &operand = *expr.operands[i];
      Binding loosest = operandBinding(expr, i);
      if (i > 0) {
        std::string between = glue(expr, i);
        if (isBreakable(expr) && !fits(operand, loosest, between.size())) {
          text_.newLine(indent);
          between.erase(0, 1);
        }
        text_.write(between);
      }
      write(operand, loosest);
    }
    text_.write(suffixText(expr));
  }

  Text &text_;
  size_t limit_;
};

/// Whether the grammar of bounds reads the expression as it stands.
bool isPlainBound(const syntax::Expr &expr) {
  if (expr.parenthesized)
    return true;
  bool allowed = expr.kind == syntax::ExprKind::Number || expr.kind == syntax::ExprKind::Unary ||
                 (expr.kind == syntax::ExprKind::Name && !expr.primed) ||
                 (expr.kind == syntax::ExprKind::Chain && bindingOf(expr) >= Binding::Sum);
  return allowed &&
         std::all_of(expr.operands.begin(), expr.operands.end(),
                     [](const syntax::ExprPtr &operand) { return isPlainBound(*operand); });
}

constexpr size_t unlimited = SIZE_MAX / 2;

} // namespace

void writeExpr(Text &text, const syntax::Expr &expr, size_t reserve, Binding loosest) {
  ExprWriter(text, lineWidth - std::min(reserve, lineWidth)).write(expr, loosest);
}

std::string format(const syntax::Expr &expression) {
  Text text;
  ExprWriter(text, unlimited).write(expression, Binding::Implies);
  return text.take();
}

std::string boundText(const syntax::Expr &expr) {
  Text text;
  ExprWriter(text, unlimited)
      .write(expr, isPlainBound(expr) ? Binding::Sum : tighter(Binding::Primary));
  return text.take();
}

std::string typeText(const syntax::TypeRef &type) {
  std::string text;
  switch (type.kind) {
  case syntax::TypeKind::Bool:
    text = "bool";
    break;
  case syntax::TypeKind::Int:
    text = "int";
    break;
  case syntax::TypeKind::Range:
    text = "int " + boundText(*type.lower) + ".." + boundText(*type.upper);
    break;
  case syntax::TypeKind::Named:
    text = type.name;
    break;
  case syntax::TypeKind::Mutex:
    text = "mutex";
    break;
  case syntax::TypeKind::Cond:
    text = "cond";
    break;
  case syntax::TypeKind::Section:
    text = "section";
    break;
  }
  if (type.isArray)
    text += type.arraySize ? "[" + format(*type.arraySize) + "]" : "[]";
  return text;
}

} // namespace understudy::specs::format
