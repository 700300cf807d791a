// SPDX-License-Identifier: Apache-2.0
#include "TreeText.h"

#include <algorithm>
#include <array>
#include <functional>

namespace understudy::tests {

using namespace specs;
using namespace specs::syntax;

namespace {

std::string list(std::initializer_list<std::string> parts) {
  std::string text = "(";
  for (const std::string &part : parts)
    if (!part.empty())
      text += (text.size() > 1 ? " " : "") + part;
  return text + ")";
}

std::string tagged(const std::string &tag, const ExprPtr &expr) {
  return expr ? tag + treeText(expr) : "";
}

std::string named(const std::string &tag, const std::optional<Name> &name) {
  return name ? tag + name->text : "";
}

std::string namesText(const std::vector<Name> &names) {
  std::string text;
  for (const Name &name : names)
    text += (text.empty() ? "" : " ") + name.text;
  return text;
}

/// Everything that was read, not only the text that is printed.
std::string pathText(const BindingPath &path) {
  constexpr std::array kinds{"memory", "bit", "points-to", "call"};
  constexpr std::array steps{"->", ".", "[", "[]"};
  std::string parts = list({kinds[static_cast<size_t>(path.kind)], path.file, path.tag,
                            path.function.text, path.start.text, path.operand.text});
  for (const PathStep &step : path.steps)
    parts += steps[static_cast<size_t>(step.kind)] + step.name.text;
  return "<" + path.text + " " + parts + ">";
}

std::string pathsText(const std::vector<BindingPath> &paths) {
  std::string text;
  for (const BindingPath &path : paths)
    text += (text.empty() ? "@ " : " ") + pathText(path);
  return text;
}

std::string actionText(const ActionRef &action) {
  constexpr std::array words{"fork", "join",   "lock",      "unlock",
                             "wait", "signal", "broadcast", "call"};
  return list({words[static_cast<size_t>(action.kind)], named("", action.target),
               named("with ", action.mutex), tagged("as ", action.id)});
}

std::string memberText(const RelyDecl &rely) { return list({"rely", treeText(rely.condition)}); }
std::string memberText(const AssertDecl &assertion) {
  return list({"assert", treeText(assertion.condition), assertion.except.empty() ? "" : "except",
               namesText(assertion.except)});
}
std::string memberText(const EdgeDecl &edge) {
  return list({"->", edge.target.text, tagged(": ", edge.condition),
               edge.action ? "do " + actionText(*edge.action) : ""});
}
std::string memberText(const ContractLocal &local) {
  return list({"local", treeText(local.type), local.name.text, tagged("= ", local.initial)});
}

template <typename Member, typename Print>
std::string membersText(const std::vector<Member> &members, MemberOrder order, Print print) {
  std::string text;
  size_t kinds = order == MemberOrder::Canonical ? std::variant_size_v<Member> : 1;
  for (size_t kind = 0; kind < kinds; ++kind)
    for (const Member &member : members)
      if (order == MemberOrder::AsWritten || member.index() == kind)
        text += (text.empty() ? "" : " ") + std::visit(print, member);
  return text;
}

std::string stateText(const StateDecl &state, MemberOrder order) {
  return list(
      {state.initial ? "initial" : "", state.final ? "final" : "", "state", state.name.text,
       state.inside ? "inside " + state.inside->section.text : "",
       state.inside && state.inside->reading ? "reading" : "", state.hasBody ? "{" : ";",
       membersText(state.members, order, [](const auto &member) { return memberText(member); }),
       state.hasBody ? "}" : ""});
}

struct ItemText {
  MemberOrder order;

  std::string operator()(const SharedDecl &item) const {
    constexpr std::array disciplines{"guarded by ", "written under ", "owned by "};
    return list({"shared", item.ghost ? "ghost" : "", item.recursive ? "recursive" : "",
                 treeText(item.type), item.name.text, tagged("size ", item.arraySize),
                 pathsText(item.paths), tagged("= ", item.initial),
                 item.discipline ? disciplines[static_cast<size_t>(item.discipline->kind)] +
                                       item.discipline->by.text
                                 : ""});
  }
  std::string operator()(const ObjectDecl &item) const {
    return list({"object", item.name.text, item.tag, item.type.text});
  }
  std::string operator()(const ClaimItem &item) const {
    return list({"claim", treeText(item.condition), pathsText(item.paths)});
  }
  std::string operator()(const EnumDecl &item) const {
    std::string values;
    for (const EnumeratorDecl &each : item.enumerators)
      values += (values.empty() ? "" : " ") + list({each.name.text, tagged("= ", each.value)});
    return list({"enum", item.name.text, values});
  }
  std::string operator()(const ConstDecl &item) const {
    return list({"const", item.name.text, treeText(item.value)});
  }
  std::string operator()(const DefineDecl &item) const {
    return list({"define", item.name.text, namesText(item.parameters), treeText(item.value)});
  }
  std::string operator()(const InitiallyItem &item) const {
    return list({"initially", treeText(item.condition)});
  }
  std::string operator()(const InvariantItem &item) const {
    return list({"invariant", treeText(item.condition)});
  }
  std::string operator()(const NeverItem &item) const {
    return list({"never", item.first.thread.text + "." + item.first.place.text,
                 item.second.thread.text + "." + item.second.place.text});
  }
  std::string operator()(const RunItem &item) const {
    std::string entries;
    for (const RunEntry &entry : item.entries)
      entries += (entries.empty() ? "" : " ") +
                 list({entry.thread.text, entry.unbounded ? "*" : "", tagged("* ", entry.count)});
    return list({"run", entries});
  }
  std::string operator()(const ContractThread &item) const {
    constexpr std::array words{"thread", "handler", "environment"};
    std::string function;
    if (item.function)
      function = "for " + (item.function->file ? "<" + *item.function->file + ">:" : "") +
                 item.function->function.text;
    auto print = [this](const auto &member) {
      if constexpr (std::is_same_v<std::decay_t<decltype(member)>, StateDecl>)
        return stateText(member, order);
      else
        return memberText(member);
    };
    if (item.via)
      function += " via " + item.via->function.text + pathsText(item.via->arguments);
    return list({words[static_cast<size_t>(item.kind)], item.name.text, function,
                 item.hasBody ? "{" : ";", membersText(item.members, order, print),
                 item.hasBody ? "}" : ""});
  }
  std::string declaration(const std::string &word, const TypeRef &type,
                          const std::vector<Declarator> &variables) const {
    std::string text;
    for (const Declarator &variable : variables)
      text +=
          (text.empty() ? "" : " ") + list({variable.name.text, tagged("= ", variable.initial)});
    return list({word, treeText(type), text});
  }
  std::string operator()(const GlobalDecl &item) const {
    return declaration("global", item.type, item.variables);
  }
  std::string block(const Block &statements) const {
    std::string text = "{";
    for (const Statement &statement : statements)
      text += " " + treeText(statement);
    return text + " }";
  }
  std::string operator()(const ConcThread &item) const {
    std::string parameters;
    for (const Parameter &parameter : item.parameters)
      parameters +=
          (parameters.empty() ? "" : " ") + list({treeText(parameter.type), parameter.name.text});
    return list({"thread", item.name.text, parameters, block(item.body)});
  }
};

struct StatementText {
  const ItemText items{MemberOrder::AsWritten};

  std::string condition(const ExprPtr &expr) const { return expr ? treeText(expr) : "*"; }
  std::string operator()(const SkipStatement &) const { return "(skip)"; }
  std::string operator()(const AssignStatement &s) const {
    return list({s.variable.text, tagged("at ", s.index), ":=", treeText(s.value)});
  }
  std::string operator()(const HavocStatement &s) const { return list({"havoc", s.variable.text}); }
  std::string operator()(const AssumeStatement &s) const {
    return list({"assume", treeText(s.condition)});
  }
  std::string operator()(const AssertStatement &s) const {
    return list({"assert", treeText(s.condition)});
  }
  std::string operator()(const IfStatement &s) const {
    return list({"if", condition(s.condition), items.block(*s.yes),
                 s.no ? (s.elseIf ? "elseif " : "else ") + items.block(*s.no) : ""});
  }
  std::string operator()(const WhileStatement &s) const {
    return list({"while", condition(s.condition), items.block(*s.body)});
  }
  std::string operator()(const LabelStatement &s) const { return list({"label", s.label.text}); }
  std::string operator()(const GotoStatement &s) const { return list({"goto", s.label.text}); }
  std::string operator()(const ReturnStatement &) const { return "(return)"; }
  std::string operator()(const AtomicStatement &s) const {
    return list({"atomic", items.block(*s.body)});
  }
  std::string operator()(const ForkStatement &s) const {
    std::string arguments;
    for (const ExprPtr &argument : s.arguments)
      arguments += " " + treeText(argument);
    return list({s.result ? s.result->text + " :=" : "", "fork", tagged("id ", s.id),
                 s.thread.text + " [" + arguments + " ]"});
  }
  std::string operator()(const JoinStatement &s) const {
    return list({"join", tagged("", s.id), named("template ", s.thread)});
  }
  std::string operator()(const LockStatement &s) const { return list({"lock", s.mutex.text}); }
  std::string operator()(const UnlockStatement &s) const { return list({"unlock", s.mutex.text}); }
  std::string operator()(const WaitStatement &s) const {
    return list({"wait", s.cond.text, named("with ", s.mutex)});
  }
  std::string operator()(const SignalStatement &s) const { return list({"signal", s.cond.text}); }
  std::string operator()(const BroadcastStatement &s) const {
    return list({"broadcast", s.cond.text});
  }
  std::string operator()(const LocalDecl &s) const {
    return items.declaration("local", s.type, s.variables);
  }
};

std::string errorsOf(const std::function<void()> &parse) {
  std::string text;
  try {
    parse();
  } catch (const logic::Error &error) {
    for (const logic::Diagnostic &each : error.diagnostics())
      text += std::to_string(each.range.begin.line) + ":" +
              std::to_string(each.range.begin.column) + ": " + each.message +
              (each.hint.empty() ? "" : " (" + each.hint + ")") + "\n";
  }
  return text;
}

} // namespace

std::string treeText(const ExprPtr &expr) {
  if (!expr)
    return "null";
  std::string name = expr->text + (expr->primed ? "'" : "");
  std::string text;
  switch (expr->kind) {
  case ExprKind::Number:
    text = expr->text.empty() ? std::to_string(expr->number) : expr->text;
    break;
  case ExprKind::Boolean:
    text = expr->number ? "true" : "false";
    break;
  case ExprKind::Name:
    text = name;
    break;
  case ExprKind::Index:
    text = name + "[" + treeText(expr->operands[0]) + "]";
    break;
  case ExprKind::Held:
  case ExprKind::Free:
  case ExprKind::Havoc:
  case ExprKind::Count:
    text = std::string(expr->kind == ExprKind::Held    ? "held"
                       : expr->kind == ExprKind::Free  ? "free"
                       : expr->kind == ExprKind::Havoc ? "havoc"
                                                       : "count") +
           "<" + name + ">";
    break;
  case ExprKind::Apply:
    text = name + "<";
    for (const ExprPtr &argument : expr->operands)
      text += treeText(argument) + (argument == expr->operands.back() ? ">" : ", ");
    break;
  case ExprKind::Related:
    text = name + "(" + treeText(expr->operands[0]) + ", " + treeText(expr->operands[1]) + ")";
    break;
  default: {
    constexpr std::array kinds{"", "", "", "", "unary", "", "cmp", "in", "implies", "if"};
    text = std::string("(") + kinds[static_cast<size_t>(expr->kind)];
    for (size_t i = 0; i < expr->operands.size(); ++i) {
      bool prefix = expr->kind == ExprKind::Unary || expr->kind == ExprKind::In;
      if (i == 0 && prefix)
        text += " " + expr->operators[0];
      if (i > 0 && !prefix && expr->kind != ExprKind::Conditional)
        text += " " + expr->operators[i - 1];
      text += (text.size() > 1 ? " " : "") + treeText(expr->operands[i]);
    }
    text += ")";
  }
  }
  return expr->parenthesized ? "p" + text : text;
}

std::string treeText(const TypeRef &type) {
  constexpr std::array words{"bool", "int", "int", "", "mutex", "cond", "section"};
  std::string text = words[static_cast<size_t>(type.kind)] + type.name;
  if (type.kind == TypeKind::Range)
    text += " " + treeText(type.lower) + ".." + treeText(type.upper);
  if (type.isArray)
    text += "[" + tagged("", type.arraySize) + "]";
  return "<" + text + ">";
}

std::string treeText(const SystemItem &item, MemberOrder order) {
  return std::visit(ItemText{order}, item);
}
std::string treeText(const Statement &statement) {
  return std::visit(StatementText{}, statement.node);
}

std::string treeText(const Contract &contract, MemberOrder order) {
  std::string text = "system " + contract.name.text;
  for (const SystemItem &item : contract.items)
    text += "\n" + treeText(item, order);
  return text;
}

std::string treeText(const ConcFile &file) {
  std::string text;
  for (const ConcItem &item : file.items)
    text += std::visit(ItemText{MemberOrder::AsWritten}, item) + "\n";
  return text;
}

logic::SourceFilePtr sourceFile(const std::string &text) {
  return std::make_shared<logic::SourceFile>("test", text);
}
Parsed<Contract> contractOf(const std::string &text) { return parseContract(sourceFile(text)); }
Parsed<ConcFile> concOf(const std::string &text) { return parseConc(sourceFile(text)); }

std::string exprText(const std::string &text) {
  auto parsed = contractOf("system s { invariant " + text + "; }");
  return treeText(std::get<InvariantItem>(parsed.tree.items.at(0)).condition);
}
std::string itemText(const std::string &text) {
  return treeText(contractOf("system s { " + text + " }").tree.items.at(0), MemberOrder::AsWritten);
}
std::string statementText(const std::string &text) {
  auto parsed = concOf("thread t { " + text + " }");
  std::string result;
  for (const Statement &statement : std::get<ConcThread>(parsed.tree.items.at(0)).body)
    result += (result.empty() ? "" : " ") + treeText(statement);
  return result;
}
std::string contractErrors(const std::string &text) {
  return errorsOf([&] { contractOf(text); });
}
std::string concErrors(const std::string &text) {
  return errorsOf([&] { concOf(text); });
}

} // namespace understudy::tests
