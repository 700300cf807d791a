// SPDX-License-Identifier: Apache-2.0
//
// The canonical layout of nets: an item in a line; a long transition goes on before '->' and
// 'when'.
#include "specs/format/Format.h"
#include "specs/format/FormatPrinter.h"

namespace understudy::specs::format {

namespace {

class NetPrinter : FormatPrinter {
public:
  explicit NetPrinter(const std::vector<syntax::Comment> &comments) : FormatPrinter(comments) {}

  std::string run(const syntax::NetFile &file) {
    std::vector<PartRange> ranges;
    std::vector<std::function<void()>> parts;
    for (const syntax::NetItem &item : file.items)
      std::visit(
          [&](const auto &node) {
            using Node = std::decay_t<decltype(node)>;
            ranges.push_back({node.range, std::is_same_v<Node, syntax::EnumDecl>
                                              ? PartRange::Inside::Nested
                                              : PartRange::Inside::Moves});
            parts.emplace_back([this, &node] { printItem(node); });
          },
          item);
    ListNotes notes = comments_.distribute(logic::Position{0, 0}, endOfFile, ranges);
    settle(notes);
    printList(notes, parts, 0);
    text_.endLine();
    return text_.take();
  }

private:
  static constexpr size_t furtherLines = 4;

  void printItem(const syntax::EnumDecl &item) { print(item, 0); }
  void printItem(const syntax::NetConst &item) {
    printDeclaration("const", item.type, item.constants);
  }
  void printItem(const syntax::PlacesItem &item) {
    std::vector<std::string> shown;
    for (const syntax::PlaceDecl &place : item.places) {
      std::string columns;
      for (const syntax::ColumnDecl &column : place.columns)
        columns += (columns.empty() ? "" : ", ") +
                   (column.isPid ? std::string("pid") : typeText(column.type));
      shown.push_back(place.name.text + "(" + columns + ")");
    }
    text_.write(item.isData ? "data " : "place ");
    printSeparated(shown);
    text_.write(";");
  }
  void printItem(const syntax::StartPlace &item) { text_.write("start " + item.place.text + ";"); }
  void printItem(const syntax::FinalPlaces &item) { printNames("final ", item.places); }
  void printItem(const syntax::RelationsItem &item) { printNames("relations ", item.relations); }
  void printItem(const syntax::TransitionItem &item) {
    text_.write("transition " + item.name.text + ": ");
    printSeparated(texts(item.takes));
    std::string gives = "-> ";
    for (const std::string &one : texts(item.gives))
      gives += one + "  ";
    goOn(gives.size());
    text_.write("-> ");
    printSeparated(texts(item.gives));
    printGuard(item.guard);
  }
  void printItem(const syntax::QuestionItem &item) {
    text_.write((item.never ? "never " : "reach ") + item.name.text + ": ");
    printSeparated(texts(item.tokens));
    printGuard(item.guard);
  }

  void printNames(std::string_view word, const std::vector<syntax::Name> &names) {
    std::vector<std::string> shown;
    for (const syntax::Name &name : names)
      shown.push_back(name.text);
    text_.write(word);
    printSeparated(shown);
    text_.write(";");
  }

  /// In this line, or in the next one if `width` more columns do not fit.
  void goOn(size_t width) {
    if (text_.column() + 1 + width > lineWidth && text_.column() > furtherLines)
      text_.newLine(furtherLines);
    else
      text_.write(" ");
  }

  void printGuard(const syntax::ExprPtr &guard) {
    if (guard) {
      goOn(format(*guard).size() + 6);
      text_.write("when ");
      writeExpr(text_, *guard, 1);
    }
    text_.write(";");
  }

  static std::string fieldText(const syntax::NetField &field) {
    if (!field.created)
      return format(*field.value);
    const syntax::NewThread &created = *field.created;
    return "new " + (created.name ? created.name->text + " " : "") + "of " + created.parent.text;
  }

  static std::vector<std::string> texts(const std::vector<syntax::NetToken> &tokens) {
    std::vector<std::string> result;
    for (const syntax::NetToken &token : tokens) {
      if (token.ends) {
        result.push_back("end " + token.name.text);
        continue;
      }
      std::string fields;
      for (const syntax::NetField &field : token.fields)
        fields += (fields.empty() ? "" : ", ") + fieldText(field);
      result.push_back((token.count ? format(*token.count) + " * " : "") + token.name.text + "(" +
                       fields + ")");
    }
    return result;
  }
};

} // namespace

std::string format(const syntax::Parsed<syntax::NetFile> &net) {
  return NetPrinter(net.comments).run(net.tree);
}

} // namespace understudy::specs::format
