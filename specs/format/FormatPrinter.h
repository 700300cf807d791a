// SPDX-License-Identifier: Apache-2.0
//
// What the printers of the languages share: lists of parts with their comments and empty lines,
// and the items that are the same in several.
#pragma once

#include "specs/format/FormatComments.h"
#include "specs/format/FormatText.h"

#include <functional>
#include <string>
#include <vector>

namespace understudy::specs::format {

class FormatPrinter {
public:
  explicit FormatPrinter(const std::vector<syntax::Comment> &comments) : comments_(comments) {}

protected:
  /// Prints parts with what stands before, behind and between them, each from a new line on.
  void printList(const ListNotes &notes, const std::vector<std::function<void()>> &parts,
                 size_t indent);
  void printOwnLines(const std::vector<OwnLine> &lines, size_t indent);
  void printOwnLine(const OwnLine &line, size_t indent);
  /// Comments at the end of the current line.
  void printAfter(const std::vector<const syntax::Comment *> &comments);
  /// `{`, the comments behind it, the list, and `}`.
  void printBlock(const ListNotes &notes, const std::vector<std::function<void()>> &parts,
                  size_t indent);
  /// A line of its own, after an empty one if asked for and possible.
  void startLine(size_t indent, bool blankBefore);

  void print(const syntax::EnumDecl &item, size_t indent);
  void print(const syntax::InitiallyItem &item);
  void print(const syntax::InvariantItem &item);
  void print(const syntax::NeverItem &item);
  void print(const syntax::RunItem &item);
  /// Texts with commas between them, in as many lines as are needed.
  void printSeparated(const std::vector<std::string> &texts);
  /// `word TYPE x = 1, y;`
  void printDeclaration(std::string_view word, const syntax::TypeRef &type,
                        const std::vector<syntax::Declarator> &variables);
  /// `word EXPR;`, or with something behind the expression.
  void printCondition(std::string_view word, const syntax::Expr &condition,
                      const std::string &behind = {});

  CommentMap comments_;
  Text text_;
  bool fresh_ = true; ///< nothing was printed yet in the current block
};

} // namespace understudy::specs::format
