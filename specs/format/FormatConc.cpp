// SPDX-License-Identifier: Apache-2.0
//
// The canonical layout of CONC: one statement in a line, two blanks for each level.
#include "specs/format/Format.h"
#include "specs/format/FormatPrinter.h"

#include <algorithm>

namespace understudy::specs::format {

namespace {

using logic::Position;

class ConcPrinter : FormatPrinter {
public:
  explicit ConcPrinter(const std::vector<syntax::Comment> &comments) : FormatPrinter(comments) {}

  std::string run(const syntax::ConcFile &file) {
    std::vector<PartRange> ranges;
    std::vector<std::function<void()>> parts;
    for (const syntax::ConcItem &item : file.items) {
      std::visit(
          [&](const auto &node) {
            using Node = std::decay_t<decltype(node)>;
            bool nests =
                std::is_same_v<Node, syntax::ConcThread> || std::is_same_v<Node, syntax::EnumDecl>;
            ranges.push_back(
                {node.range, nests ? PartRange::Inside::Nested : PartRange::Inside::Moves});
            parts.emplace_back([this, &node] { printItem(node); });
          },
          item);
    }
    ListNotes notes = comments_.distribute(Position{0, 0}, endOfFile, ranges);
    separateGenerated(file, notes);
    settle(notes);
    printList(notes, parts, 0);
    text_.endLine();
    return text_.take();
  }

private:
  /// A program that was not read from a file gets empty lines around its threads.
  static void separateGenerated(const syntax::ConcFile &file, ListNotes &notes) {
    for (size_t i = 1; i < file.items.size(); ++i) {
      auto *thread = std::get_if<syntax::ConcThread>(&file.items[i]);
      bool afterThread = std::holds_alternative<syntax::ConcThread>(file.items[i - 1]);
      if ((thread && !thread->range.known()) ||
          (afterThread && !notes.parts[i].blankBefore &&
           !std::get<syntax::ConcThread>(file.items[i - 1]).range.known()))
        notes.parts[i].blankBefore = true;
    }
  }

  void printItem(const syntax::EnumDecl &item) { print(item, 0); }
  void printItem(const syntax::InitiallyItem &item) { print(item); }
  void printItem(const syntax::InvariantItem &item) { print(item); }
  void printItem(const syntax::NeverItem &item) { print(item); }
  void printItem(const syntax::RunItem &item) { print(item); }
  void printItem(const syntax::GlobalDecl &item) {
    printDeclaration("global", item.type, item.variables);
  }
  void printItem(const syntax::ConcThread &item) {
    text_.write("thread " + item.name.text);
    if (!item.parameters.empty())
      printParameters(item.parameters);
    text_.write(" ");
    printStatements(item.body, item.range.begin, item.range.end, 0);
  }

  void printParameters(const std::vector<syntax::Parameter> &parameters) {
    text_.write("(");
    std::vector<std::string> shown;
    for (const syntax::Parameter &parameter : parameters)
      shown.push_back(typeText(parameter.type) + " " + parameter.name.text);
    printSeparated(shown);
    text_.write(")");
  }

  // Statements ---------------------------------------------------------------------------------

  static bool isCompound(const syntax::Statement &statement) {
    return std::holds_alternative<syntax::IfStatement>(statement.node) ||
           std::holds_alternative<syntax::WhileStatement>(statement.node) ||
           std::holds_alternative<syntax::AtomicStatement>(statement.node);
  }

  /// The block whose comments begin in [from, to).
  void printStatements(const syntax::Block &block, Position from, Position to, size_t indent) {
    std::vector<PartRange> ranges;
    std::vector<std::function<void()>> parts;
    for (const syntax::Statement &statement : block) {
      ranges.push_back({statement.whole, isCompound(statement) ? PartRange::Inside::Nested
                                                               : PartRange::Inside::Moves});
      parts.emplace_back([this, &statement, indent] {
        std::visit([&](const auto &node) { printNode(node, statement, indent + 2); },
                   statement.node);
      });
    }
    ListNotes notes = comments_.distribute(from, to, ranges);
    settle(notes);
    printBlock(notes, parts, indent);
  }

  void printHead(std::string_view word, const syntax::ExprPtr &condition) {
    text_.write(word);
    text_.write(" (");
    if (condition)
      writeExpr(text_, *condition, 3);
    else
      text_.write("*");
    text_.write(") ");
  }

  void printNode(const syntax::IfStatement &first, const syntax::Statement &statement,
                 size_t indent) {
    const syntax::IfStatement *node = &first;
    Position from = statement.whole.begin;
    while (true) {
      printHead("if", node->condition);
      printStatements(*node->yes, from, node->yesRange.end, indent);
      from = node->yesRange.end;
      if (!node->no)
        return;
      text_.write(" else ");
      if (!node->elseIf)
        return printStatements(*node->no, from, node->noRange.end, indent);
      node = &std::get<syntax::IfStatement>(node->no->front().node);
    }
  }
  void printNode(const syntax::WhileStatement &node, const syntax::Statement &statement,
                 size_t indent) {
    printHead("while", node.condition);
    printStatements(*node.body, statement.whole.begin, statement.whole.end, indent);
  }
  void printNode(const syntax::AtomicStatement &node, const syntax::Statement &statement,
                 size_t indent) {
    text_.write("atomic ");
    printStatements(*node.body, statement.whole.begin, statement.whole.end, indent);
  }
  void printNode(const syntax::LocalDecl &node, const syntax::Statement &, size_t) {
    printDeclaration("local", node.type, node.variables);
  }
  void printNode(const syntax::AssignStatement &node, const syntax::Statement &, size_t) {
    text_.write(node.variable.text);
    if (node.index)
      text_.write("[" + format(*node.index) + "]");
    text_.write(" := ");
    writeExpr(text_, *node.value, 1);
    text_.write(";");
  }
  void printNode(const syntax::AssumeStatement &node, const syntax::Statement &, size_t) {
    printCondition("assume", *node.condition);
  }
  void printNode(const syntax::AssertStatement &node, const syntax::Statement &, size_t) {
    printCondition("assert", *node.condition);
  }
  void printNode(const syntax::ForkStatement &node, const syntax::Statement &, size_t) {
    if (node.result)
      text_.write(node.result->text + " := ");
    text_.write("fork ");
    if (node.id)
      printForkId(*node.id);
    text_.write(node.thread.text + "(");
    std::vector<std::string> shown;
    for (const syntax::ExprPtr &argument : node.arguments)
      shown.push_back(format(*argument));
    printSeparated(shown);
    text_.write(");");
  }
  void printForkId(const syntax::Expr &id) {
    writeExpr(text_, id, lineWidth / 3);
    text_.write(" ");
  }
  void printNode(const syntax::JoinStatement &node, const syntax::Statement &, size_t) {
    if (node.id)
      printCondition("join", *node.id);
    else
      text_.write("join " + node.thread->text + ";");
  }
  void printNode(const syntax::WaitStatement &node, const syntax::Statement &, size_t) {
    text_.write("wait " + node.cond.text + (node.mutex ? " with " + node.mutex->text : "") + ";");
  }
  void printNode(const syntax::LabelStatement &node, const syntax::Statement &, size_t) {
    text_.write(node.label.text + ":");
  }
  void printNode(const syntax::SkipStatement &, const syntax::Statement &, size_t) {
    text_.write("skip;");
  }
  void printNode(const syntax::ReturnStatement &, const syntax::Statement &, size_t) {
    text_.write("return;");
  }
  void printNode(const syntax::HavocStatement &node, const syntax::Statement &, size_t) {
    text_.write("havoc " + node.variable.text + ";");
  }
  void printNode(const syntax::GotoStatement &node, const syntax::Statement &, size_t) {
    text_.write("goto " + node.label.text + ";");
  }
  void printNode(const syntax::LockStatement &node, const syntax::Statement &, size_t) {
    text_.write("lock " + node.mutex.text + ";");
  }
  void printNode(const syntax::UnlockStatement &node, const syntax::Statement &, size_t) {
    text_.write("unlock " + node.mutex.text + ";");
  }
  void printNode(const syntax::SignalStatement &node, const syntax::Statement &, size_t) {
    text_.write("signal " + node.cond.text + ";");
  }
  void printNode(const syntax::BroadcastStatement &node, const syntax::Statement &, size_t) {
    text_.write("broadcast " + node.cond.text + ";");
  }
};

} // namespace

std::string format(const syntax::Parsed<syntax::ConcFile> &program) {
  return ConcPrinter(program.comments).run(program.tree);
}

} // namespace understudy::specs::format
