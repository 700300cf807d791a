// SPDX-License-Identifier: Apache-2.0
//
// The canonical layout of contracts (section 8 of the language): a state's members stand in a
// column behind its name, declarations of shared variables in a table.
#include "logic/Words.h"
#include "specs/format/Format.h"
#include "specs/format/FormatPrinter.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace understudy::specs::format {

namespace {

using logic::Position;
/// States whose heads are longer than this are printed as blocks.
constexpr size_t maxHead = 40;

/// The indices of the members, those of smaller kinds first, otherwise in file order.
template <typename Member>
std::vector<size_t> printingOrder(const std::vector<Member> &members) {
  std::vector<size_t> indices;
  for (size_t kind = 0; kind < std::variant_size_v<Member>; ++kind)
    for (size_t i = 0; i < members.size(); ++i)
      if (members[i].index() == kind)
        indices.push_back(i);
  return indices;
}

ListNotes inOrder(ListNotes notes, const std::vector<size_t> &indices) {
  std::vector<Notes> parts;
  for (size_t index : indices)
    parts.push_back(std::move(notes.parts[index]));
  notes.parts = std::move(parts);
  return notes;
}

std::string stateHead(const syntax::StateDecl &state) {
  std::string word = state.initial ? (state.final ? "initial final " : "initial ")
                     : state.final ? "final "
                                   : "state ";
  if (!state.inside)
    return word + state.name.text;
  return word + state.name.text + " inside " + state.inside->section.text +
         (state.inside->reading ? " for reading" : "");
}

std::string pathsText(const std::vector<syntax::BindingPath> &paths) {
  return logic::joined(paths, [](const auto &path) { return path.text; });
}

std::string namesText(const std::vector<syntax::Name> &names) {
  return logic::joined(names, [](const auto &name) { return name.text; });
}

/// The columns of one shared declaration.
using Row = std::array<std::string, 5>;

Row sharedRow(const syntax::SharedDecl &item) {
  Row row;
  row[0] = std::string("shared ") + (item.ghost ? "ghost " : "") +
           (item.recursive ? "recursive " : "") + typeText(item.type);
  row[1] = item.name.text + (item.arraySize ? "[" + format(*item.arraySize) + "]" : "");
  if (!item.paths.empty())
    row[2] = "@ " + pathsText(item.paths);
  if (item.initial)
    row[3] = "= " + format(*item.initial);
  if (item.discipline)
    row[4] = format(*item.discipline);
  return row;
}

class ContractPrinter : FormatPrinter {
public:
  explicit ContractPrinter(const std::vector<syntax::Comment> &comments)
      : FormatPrinter(comments) {}

  std::string run(const syntax::Contract &contract) {
    ListNotes notes = comments_.distribute(Position{0, 0}, endOfFile,
                                           {{contract.range, PartRange::Inside::Nested}});
    settle(notes);
    printList(notes, {[&] { printSystem(contract); }}, 0);
    text_.endLine();
    return text_.take();
  }

private:
  void printSystem(const syntax::Contract &contract) {
    std::vector<PartRange> ranges;
    for (const syntax::SystemItem &item : contract.items)
      std::visit(
          [&](const auto &node) {
            using Node = std::decay_t<decltype(node)>;
            bool nests = std::is_same_v<Node, syntax::ContractThread> ||
                         std::is_same_v<Node, syntax::EnumDecl>;
            ranges.push_back(
                {node.range, nests ? PartRange::Inside::Nested : PartRange::Inside::Moves});
          },
          item);
    ListNotes notes = comments_.distribute(contract.range, ranges);
    settle(notes);
    std::vector<std::function<void()>> parts;
    for (size_t i = 0; i < contract.items.size();) {
      size_t end = endOfTable(contract, notes, i);
      addTable(contract, i, end, parts);
      if (end > i) {
        i = end;
        continue;
      }
      std::visit(
          [&](const auto &node) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(node)>, syntax::SharedDecl>)
              parts.emplace_back([this, &node] { printItem(node); });
          },
          contract.items[i]);
      ++i;
    }
    text_.write("system " + contract.name.text + " ");
    printBlock(notes, parts, 0);
  }

  /// Shared declarations from `begin` on that no empty line and no comment separates.
  static size_t endOfTable(const syntax::Contract &contract, const ListNotes &notes, size_t begin) {
    size_t end = begin;
    while (end < contract.items.size() &&
           std::holds_alternative<syntax::SharedDecl>(contract.items[end]) &&
           (end == begin || (!notes.parts[end].blankBefore && notes.parts[end].before.empty())))
      ++end;
    return end;
  }
  void addTable(const syntax::Contract &contract, size_t begin, size_t end,
                std::vector<std::function<void()>> &parts) {
    std::vector<Row> rows;
    for (size_t i = begin; i < end; ++i)
      rows.push_back(sharedRow(std::get<syntax::SharedDecl>(contract.items[i])));
    std::array<size_t, 5> widths{};
    for (const Row &row : rows)
      for (size_t column = 0; column < row.size(); ++column)
        if (std::any_of(row.begin() + column + 1, row.end(),
                        [](const std::string &cell) { return !cell.empty(); }))
          widths[column] = std::max(widths[column], row[column].size());
    if (std::accumulate(widths.begin(), widths.end(), size_t{10}) > lineWidth)
      widths = {}; // too wide for a table
    for (Row &row : rows)
      parts.emplace_back([this, row = std::move(row), widths] { printRow(row, widths); });
  }
  void printRow(const Row &row, const std::array<size_t, 5> &widths) {
    size_t column = text_.column();
    for (size_t i = 0; i < row.size(); ++i) {
      if (!row[i].empty()) {
        if (i > 0 && text_.column() >= column)
          text_.write(" ");
        text_.padTo(column);
        text_.write(row[i]);
      }
      if (widths[i] > 0)
        column += widths[i] + 1;
    }
    text_.write(";");
  }

  void printItem(const syntax::EnumDecl &item) { print(item, 2); }
  void printItem(const syntax::InitiallyItem &item) { print(item); }
  void printItem(const syntax::InvariantItem &item) { print(item); }
  void printItem(const syntax::NeverItem &item) { print(item); }
  void printItem(const syntax::RunItem &item) { print(item); }
  void printItem(const syntax::ConstDecl &item) {
    printCondition("const " + item.name.text + " =", *item.value);
  }
  void printItem(const syntax::DefineDecl &item) {
    std::string parameters = item.parameters.empty() ? "" : "(" + namesText(item.parameters) + ")";
    printCondition("define " + item.name.text + parameters + " =", *item.value);
  }
  void printItem(const syntax::ObjectDecl &item) {
    text_.write("object " + item.name.text + " : " + item.tag + (item.tag.empty() ? "" : " ") +
                item.type.text + ";");
  }
  void printItem(const syntax::ClaimItem &item) {
    printCondition("claim", *item.condition, " @ " + pathsText(item.paths));
  }

  // Threads ------------------------------------------------------------------------------------

  void printItem(const syntax::ContractThread &thread) {
    constexpr std::array words{"thread ", "handler ", "environment "};
    text_.write(words[static_cast<size_t>(thread.kind)] + thread.name.text);
    if (thread.function) {
      text_.write(" for ");
      if (thread.function->file)
        text_.write("\"" + *thread.function->file + "\":");
      text_.write(thread.function->function.text);
    }
    if (thread.via)
      text_.write(" via " + thread.via->function.text + "(" + pathsText(thread.via->arguments) +
                  ")");
    if (!thread.hasBody) {
      text_.write(";");
      // Comments inside the head of a thread without a body.
      ListNotes notes = comments_.distribute(thread.range, {});
      settle(notes);
      printAfter(notes.head);
      printOwnLines(notes.tail, 2);
      return;
    }
    text_.write(" ");
    printMembers(thread);
  }

  void printMembers(const syntax::ContractThread &thread) {
    std::vector<PartRange> ranges;
    size_t head = 0;
    for (const syntax::ThreadMember &member : thread.members) {
      auto *state = std::get_if<syntax::StateDecl>(&member);
      std::visit(
          [&](const auto &node) {
            ranges.push_back({node.range, state && state->hasBody ? PartRange::Inside::Nested
                                                                  : PartRange::Inside::Moves});
          },
          member);
      if (state && state->hasBody)
        head = std::max(head, stateHead(*state).size());
    }
    // ContractLocal, RelyDecl, AssertDecl, StateDecl: the order of the variant is that of printing.
    std::vector<size_t> order = printingOrder(thread.members);
    ListNotes notes = inOrder(comments_.distribute(thread.range, ranges), order);
    settle(notes);
    std::vector<std::function<void()>> parts;
    for (size_t i = 0; i < order.size(); ++i) {
      Notes &memberNotes = notes.parts[i];
      std::visit(
          [&](const auto &node) {
            parts.emplace_back(
                [this, &node, &memberNotes, head] { printMember(node, memberNotes, head); });
          },
          thread.members[order[i]]);
    }
    printBlock(notes, parts, 2);
  }

  void printMember(const syntax::ContractLocal &local, Notes &, size_t) {
    text_.write("local " + typeText(local.type) + " " + local.name.text);
    if (local.initial) {
      text_.write(" = ");
      writeExpr(text_, *local.initial, 1);
    }
    text_.write(";");
  }
  void printMember(const syntax::RelyDecl &rely, Notes &, size_t) {
    printCondition("rely", *rely.condition);
  }
  void printMember(const syntax::AssertDecl &assertion, Notes &, size_t) {
    printStateMember(assertion);
  }

  // States -------------------------------------------------------------------------------------

  void printMember(const syntax::StateDecl &state, Notes &own, size_t head) {
    text_.write(stateHead(state));
    if (!state.hasBody) {
      text_.write(";");
      return;
    }
    std::vector<PartRange> ranges;
    for (const syntax::StateMember &member : state.members)
      std::visit(
          [&](const auto &node) { ranges.push_back({node.range, PartRange::Inside::Moves}); },
          member);
    // RelyDecl, AssertDecl, EdgeDecl: the order of the variant is that of printing.
    std::vector<size_t> order = printingOrder(state.members);
    ListNotes notes = inOrder(comments_.distribute(state.range, ranges), order);
    std::vector<std::function<void()>> parts;
    for (size_t index : order)
      std::visit(
          [&](const auto &node) { parts.emplace_back([this, &node] { printStateMember(node); }); },
          state.members[index]);
    for (Notes &part : notes.parts)
      part.blankBefore = false;
    if (head > maxHead) {
      settle(notes);
      text_.write(" ");
      printBlock(notes, parts, 4);
      return;
    }
    text_.padTo(4 + head + 1);
    printColumn(notes, parts, own);
  }

  /// `{ member` below `member` below `member }`. The comments behind the last member and those
  /// behind the state end up in one line.
  void printColumn(ListNotes &notes, const std::vector<std::function<void()>> &parts, Notes &own) {
    size_t brace = text_.column();
    if (!parts.empty() && notes.tail.empty()) {
      Notes &last = notes.parts.back();
      last.after.insert(last.after.end(), own.after.begin(), own.after.end());
      own.after.clear();
    }
    settle(notes);
    text_.write("{");
    bool onFirstLine = true;
    printHeadComments(notes, brace, onFirstLine);
    for (size_t i = 0; i < parts.size(); ++i) {
      for (const OwnLine &line : notes.parts[i].before)
        printInColumn(line, brace, onFirstLine);
      nextInColumn(brace, onFirstLine);
      parts[i]();
      if (i + 1 == parts.size() && notes.tail.empty())
        text_.write(" }");
      printAfter(notes.parts[i].after);
    }
    for (const OwnLine &line : notes.tail)
      printInColumn(line, brace, onFirstLine);
    if (parts.empty() && !notes.any())
      text_.write(" }");
    else if (parts.empty() || !notes.tail.empty()) {
      text_.newLine(brace);
      text_.write("}");
    }
  }
  void printHeadComments(const ListNotes &notes, size_t brace, bool &onFirstLine) {
    for (const syntax::Comment *comment : notes.head) {
      nextInColumn(brace, onFirstLine);
      text_.write(comment->text);
    }
  }
  void printInColumn(const OwnLine &line, size_t brace, bool &onFirstLine) {
    nextInColumn(brace, onFirstLine);
    text_.write(line.comment->text);
  }
  void nextInColumn(size_t brace, bool &onFirstLine) {
    if (onFirstLine)
      text_.write(" ");
    else
      text_.newLine(brace + 2);
    onFirstLine = false;
  }

  void printStateMember(const syntax::RelyDecl &rely) { printCondition("rely", *rely.condition); }
  void printStateMember(const syntax::AssertDecl &assertion) {
    printCondition("assert", *assertion.condition,
                   assertion.except.empty() ? "" : " except " + namesText(assertion.except));
  }
  void printStateMember(const syntax::EdgeDecl &edge) {
    text_.write("-> " + edge.target.text);
    size_t reserve = 3;
    std::string action = edge.action ? " do " + actionText(*edge.action) : "";
    if (edge.condition) {
      text_.write(" : ");
      writeExpr(text_, *edge.condition, reserve + std::min<size_t>(action.size(), 30));
    }
    text_.write(action + ";");
  }
  static std::string actionText(const syntax::ActionRef &action) {
    constexpr std::array words{"fork", "join",   "lock",      "unlock",
                               "wait", "signal", "broadcast", "call"};
    std::string text = words[static_cast<size_t>(action.kind)];
    if (action.target)
      text += " " + action.target->text;
    if (action.mutex)
      text += " with " + action.mutex->text;
    if (action.id)
      text += " as " + format(*action.id);
    return text;
  }
};

} // namespace

std::string format(const syntax::DisciplineRef &discipline) {
  constexpr std::array words{"guarded by ", "written under ", "owned by "};
  return words[static_cast<size_t>(discipline.kind)] + discipline.by.text;
}

std::string format(const syntax::Parsed<syntax::Contract> &contract) {
  return ContractPrinter(contract.comments).run(contract.tree);
}

} // namespace understudy::specs::format
