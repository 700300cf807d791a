// SPDX-License-Identifier: Apache-2.0
#include "specs/format/FormatPrinter.h"

#include "specs/format/Format.h"

#include <algorithm>

namespace understudy::specs::format {

namespace {

/// The lines of a comment after the first, moved together with it to another column.
std::string shifted(const syntax::Comment &comment, size_t indent) {
  std::string result;
  size_t was = comment.range.begin.column - 1;
  size_t surplus = was > indent ? was - indent : 0;
  size_t missing = indent > was ? indent - was : 0;
  std::string_view rest = comment.text;
  for (bool first = true;; first = false) {
    size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
      line.remove_suffix(1);
    if (!first && !line.empty()) {
      size_t blanks = std::min(line.find_first_not_of(' '), surplus);
      line.remove_prefix(blanks);
      result.append(missing, ' ');
    }
    result += line;
    if (end == std::string_view::npos)
      return result;
    result += '\n';
    rest.remove_prefix(end + 1);
  }
}

} // namespace

void FormatPrinter::startLine(size_t indent, bool blankBefore) {
  text_.endLine();
  if (blankBefore && !fresh_)
    text_.newLine(0);
  text_.padTo(indent);
  fresh_ = false;
}

void FormatPrinter::printOwnLine(const OwnLine &line, size_t indent) {
  startLine(indent, line.blankBefore);
  text_.write(shifted(*line.comment, indent));
}

void FormatPrinter::printOwnLines(const std::vector<OwnLine> &lines, size_t indent) {
  for (const OwnLine &line : lines)
    printOwnLine(line, indent);
}

void FormatPrinter::printAfter(const std::vector<const syntax::Comment *> &comments) {
  for (const syntax::Comment *comment : comments) {
    text_.write(" ");
    text_.write(shifted(*comment, comment->range.begin.column - 1));
  }
}

void FormatPrinter::printList(const ListNotes &notes,
                              const std::vector<std::function<void()>> &parts, size_t indent) {
  for (size_t i = 0; i < parts.size(); ++i) {
    printOwnLines(notes.parts[i].before, indent);
    startLine(indent, notes.parts[i].blankBefore);
    parts[i]();
    printAfter(notes.parts[i].after);
  }
  printOwnLines(notes.tail, indent);
}

void FormatPrinter::printBlock(const ListNotes &notes,
                               const std::vector<std::function<void()>> &parts, size_t indent) {
  text_.write("{");
  if (parts.empty() && !notes.any()) {
    text_.write(" }");
    return;
  }
  printAfter(notes.head);
  fresh_ = true;
  printList(notes, parts, indent + 2);
  text_.endLine();
  text_.padTo(indent);
  text_.write("}");
  fresh_ = false;
}

void FormatPrinter::printSeparated(const std::vector<std::string> &texts) {
  size_t indent = text_.column();
  for (size_t i = 0; i < texts.size(); ++i) {
    if (i > 0 && text_.column() + texts[i].size() + 4 > lineWidth)
      text_.newLine(indent);
    else if (i > 0)
      text_.write(" ");
    text_.write(texts[i]);
    if (i + 1 < texts.size())
      text_.write(",");
  }
}

void FormatPrinter::printDeclaration(std::string_view word, const syntax::TypeRef &type,
                                     const std::vector<syntax::Declarator> &variables) {
  text_.write(std::string(word) + " " + typeText(type) + " ");
  std::vector<std::string> shown;
  for (const syntax::Declarator &variable : variables)
    shown.push_back(variable.name.text +
                    (variable.initial ? " = " + format(*variable.initial) : ""));
  printSeparated(shown);
  text_.write(";");
}

void FormatPrinter::printCondition(std::string_view word, const syntax::Expr &condition,
                                   const std::string &behind) {
  text_.write(word);
  text_.write(" ");
  writeExpr(text_, condition, 1 + std::min<size_t>(behind.size(), 30));
  text_.write(behind + ";");
}

void FormatPrinter::print(const syntax::InitiallyItem &item) {
  printCondition("initially", *item.condition);
}
void FormatPrinter::print(const syntax::InvariantItem &item) {
  printCondition("invariant", *item.condition);
}

void FormatPrinter::print(const syntax::NeverItem &item) {
  text_.write("never " + item.first.thread.text + "." + item.first.place.text + " with " +
              item.second.thread.text + "." + item.second.place.text + ";");
}

void FormatPrinter::print(const syntax::RunItem &item) {
  text_.write("run ");
  size_t indent = text_.column();
  for (size_t i = 0; i < item.entries.size(); ++i) {
    const syntax::RunEntry &entry = item.entries[i];
    std::string shown = entry.thread.text;
    if (entry.unbounded)
      shown += "*";
    else if (entry.count)
      shown += " * " + format(*entry.count);
    shown += i + 1 < item.entries.size() ? "," : ";";
    if (i > 0 && text_.column() + 1 + shown.size() > lineWidth)
      text_.newLine(indent);
    else if (i > 0)
      text_.write(" ");
    text_.write(shown);
  }
}

void FormatPrinter::print(const syntax::EnumDecl &item, size_t indent) {
  std::vector<PartRange> ranges;
  std::vector<std::string> values;
  size_t width = indent + item.name.text.size() + 9;
  for (const syntax::EnumeratorDecl &each : item.enumerators) {
    SourceRange range = each.name.range;
    if (each.value)
      range.end = each.value->range.end;
    ranges.push_back({range, PartRange::Inside::Moves});
    values.push_back(each.name.text + (each.value ? " = " + format(*each.value) : ""));
    if (&each != &item.enumerators.back())
      values.back() += ",";
    width += values.back().size() + 1;
  }
  ListNotes notes = comments_.distribute(item.range, ranges);
  settle(notes);
  text_.write("enum " + item.name.text + " ");
  if (!notes.any() && width <= lineWidth) {
    text_.write("{");
    for (const std::string &value : values)
      text_.write(" " + value);
    text_.write(" }");
    return;
  }
  std::vector<std::function<void()>> parts;
  for (const std::string &value : values)
    parts.emplace_back([this, &value] { text_.write(value); });
  printBlock(notes, parts, indent);
}

} // namespace understudy::specs::format
