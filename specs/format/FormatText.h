// SPDX-License-Identifier: Apache-2.0
//
// Text under construction by the formatter, and expressions laid out in it.
#pragma once

#include "specs/syntax/Syntax.h"

#include <string>
#include <string_view>

namespace understudy::specs::format {

/// Lines are broken to stay within this many columns, where they can be broken at all.
inline constexpr size_t lineWidth = 100;

class Text {
public:
  void write(std::string_view text);
  /// Ends the line and indents the next one.
  void newLine(size_t indent);
  /// Ends the line if something stands on it.
  void endLine();
  /// Blanks up to the column.
  void padTo(size_t column);
  size_t column() const { return column_; }
  std::string take() { return std::move(text_); }

private:
  void trimBlanks();

  std::string text_;
  size_t column_ = 0;
};

/// How tightly an expression binds; larger is tighter.
enum class Binding : uint8_t {
  Implies,
  Conditional,
  Or,
  And,
  Equality,
  Relation,
  Sum,
  Product,
  Unary,
  Primary
};

/// Writes an expression from the current column on. It is broken before operators when it does not
/// end `reserve` columns before the end of the line; the parts are aligned below its start.
void writeExpr(Text &text, const syntax::Expr &expr, size_t reserve,
               Binding loosest = Binding::Implies);

/// A bound of `int LO..HI`, where names are not indexed.
std::string boundText(const syntax::Expr &expr);

std::string typeText(const syntax::TypeRef &type);

} // namespace understudy::specs::format
