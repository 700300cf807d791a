// SPDX-License-Identifier: Apache-2.0
#include "tools/exports/DotExport.h"

#include "logic/Words.h"
#include "specs/format/Format.h"
#include "tools/exports/DotText.h"

namespace understudy::tools::exports {

using namespace specs;

namespace {

constexpr size_t edgeWidth = 28;
constexpr size_t stateWidth = 30;
constexpr size_t legendWidth = 60;

std::string typeText(const specs::syntax::TypeRef &type) {
  switch (type.kind) {
  case specs::syntax::TypeKind::Bool:
    return "bool";
  case specs::syntax::TypeKind::Int:
    return "int";
  case specs::syntax::TypeKind::Range:
    return "int " + specs::format::format(*type.lower) + ".." + specs::format::format(*type.upper);
  case specs::syntax::TypeKind::Named:
    return type.name;
  case specs::syntax::TypeKind::Mutex:
    return "mutex";
  case specs::syntax::TypeKind::Cond:
    return "cond";
  case specs::syntax::TypeKind::Section:
    return "section";
  }
  return "";
}

std::string actionText(const specs::syntax::ActionRef &action) {
  std::string name = action.target ? action.target->text : "";
  std::string id =
      action.id ? std::string(name.empty() ? "" : " ") + "as " + specs::format::format(*action.id)
                : "";
  switch (action.kind) {
  case specs::syntax::ActionKind::Fork:
    return "fork " + name + id;
  case specs::syntax::ActionKind::Join:
    return "join " + name + id;
  case specs::syntax::ActionKind::Lock:
    return "lock " + name;
  case specs::syntax::ActionKind::Unlock:
    return "unlock " + name;
  case specs::syntax::ActionKind::Wait:
    return "wait " + name + (action.mutex ? " with " + action.mutex->text : "");
  case specs::syntax::ActionKind::Signal:
    return "signal " + name;
  case specs::syntax::ActionKind::Broadcast:
    return "broadcast " + name;
  case specs::syntax::ActionKind::Call:
    return "call " + name;
  }
  return "";
}

std::string small(const std::string &lines) {
  return "<font point-size=\"10\">" + lines + "</font>";
}

std::string italic(const std::string &lines) { return "<i>" + lines + "</i>"; }

std::string exceptText(const specs::syntax::AssertDecl &claim) {
  std::string states = logic::joined(claim.except, [](const auto &name) { return name.text; });
  return states.empty() ? "" : " except " + states;
}

/// The claims of a thread or state: its rely in italics, its assertion upright.
template <typename Members>
std::string claims(const Members &members, size_t width, const std::string &lineEnd) {
  std::string text;
  for (const auto &member : members) {
    if (const auto *rely = std::get_if<specs::syntax::RelyDecl>(&member))
      text += small(
          italic(dotLines("rely " + specs::format::format(*rely->condition), width, lineEnd)));
    if (const auto *claim = std::get_if<specs::syntax::AssertDecl>(&member))
      text +=
          small(dotLines("assert " + specs::format::format(*claim->condition) + exceptText(*claim),
                         width, lineEnd));
  }
  return text;
}

class ThreadPicture {
public:
  explicit ThreadPicture(const specs::syntax::ContractThread &thread) : thread_(thread) {}

  std::string print() const {
    std::string text = "  subgraph " + dotId("cluster_" + thread_.name.text) + " {\n" +
                       "    style=\"rounded\"; color=\"#95a5a6\"; margin=14;\n    label=<" +
                       title() + ">;\n";
    for (const specs::syntax::ThreadMember &member : thread_.members)
      if (const auto *state = std::get_if<specs::syntax::StateDecl>(&member))
        text += node(*state);
    for (const specs::syntax::ThreadMember &member : thread_.members)
      if (const auto *state = std::get_if<specs::syntax::StateDecl>(&member))
        text += edges(*state);
    if (!thread_.hasBody)
      text += "    " + id("code") + " [label=<" + italic("the code stands for itself") +
              ">, style=dashed];\n";
    return text + "  }\n";
  }

private:
  const specs::syntax::ContractThread &thread_;

  std::string id(const std::string &state) const { return dotId(thread_.name.text + "." + state); }

  std::string title() const {
    std::string kind = thread_.kind == specs::syntax::ThreadKind::Handler       ? "handler "
                       : thread_.kind == specs::syntax::ThreadKind::Environment ? "environment "
                                                                                : "thread ";
    std::string text = kind + "<b>" + dotEscaped(thread_.name.text) + "</b><br align=\"left\"/>";
    for (const specs::syntax::ThreadMember &member : thread_.members)
      if (const auto *local = std::get_if<specs::syntax::ContractLocal>(&member))
        text += small(
            dotLines("local " + typeText(local->type) + " " + local->name.text +
                         (local->initial ? " = " + specs::format::format(*local->initial) : ""),
                     legendWidth, "<br align=\"left\"/>"));
    return text + claims(thread_.members, legendWidth, "<br align=\"left\"/>");
  }

  std::string node(const specs::syntax::StateDecl &state) const {
    std::string text =
        "    " + id(state.name.text) + " [label=<<b>" + dotEscaped(state.name.text) + "</b>";
    std::string claimed = claims(state.members, stateWidth, "<br/>");
    if (state.inside)
      claimed = small(italic(dotLines("inside " + state.inside->section.text +
                                          (state.inside->reading ? " for reading" : ""),
                                      stateWidth, "<br/>"))) +
                claimed;
    text += (claimed.empty() ? "" : "<br/>" + claimed) + ">";
    if (state.final)
      text += ", peripheries=2";
    text += "];\n";
    if (state.initial)
      text += "    " + id(state.name.text + " start") + " [shape=point, width=0.09];\n    " +
              id(state.name.text + " start") + " -> " + id(state.name.text) + ";\n";
    return text;
  }

  std::string edges(const specs::syntax::StateDecl &state) const {
    std::string text;
    size_t number = 0;
    for (const specs::syntax::StateMember &member : state.members)
      if (const auto *edge = std::get_if<specs::syntax::EdgeDecl>(&member))
        text += this->edge(state.name.text, *edge, number++);
    return text;
  }

  std::string edge(const std::string &source, const specs::syntax::EdgeDecl &edge,
                   size_t number) const {
    const std::string end = "&#160;<br align=\"left\"/>";
    std::string label =
        edge.condition ? dotLines(specs::format::format(*edge.condition), edgeWidth, end) : "";
    if (edge.action)
      label += "<b>" + dotLines(actionText(*edge.action), edgeWidth, end) + "</b>";
    std::string labelled = label.empty() ? "" : " [label=<" + label + ">]";
    if (!edge.action || edge.action->kind != specs::syntax::ActionKind::Wait)
      return "    " + id(source) + " -> " + id(edge.target.text) + labelled + ";\n";
    std::string between = id(source + " waits " + std::to_string(number));
    return "    " + between + " [label=<" + small("waiting on " + edge.action->target->text) +
           ">, style=\"rounded,dashed\", fontsize=9, margin=\"0.06,0.03\"];\n    " + id(source) +
           " -> " + between + labelled + ";\n    " + between + " -> " + id(edge.target.text) +
           " [style=dashed, label=<" +
           dotLines("awake" + (edge.action->mutex ? ", lock " + edge.action->mutex->text : ""),
                    edgeWidth, end) +
           ">];\n";
  }
};

std::string runText(const specs::syntax::RunItem &run) {
  return "run " + logic::joined(run.entries, [](const specs::syntax::RunEntry &entry) {
           return entry.thread.text + (entry.unbounded ? "*"
                                       : entry.count   ? " * " + specs::format::format(*entry.count)
                                                       : "");
         });
}

/// A line of the legend, empty for items that are drawn or are of no use to a reader.
struct LegendLine {
  std::string operator()(const specs::syntax::SharedDecl &d) const {
    return std::string(d.ghost ? "ghost " : "") + typeText(d.type) + " " + d.name.text +
           (d.arraySize ? "[" + specs::format::format(*d.arraySize) + "]" : "") +
           (d.initial ? " = " + specs::format::format(*d.initial) : "") +
           (d.discipline ? " " + specs::format::format(*d.discipline) : "");
  }
  std::string operator()(const specs::syntax::DefineDecl &d) const {
    std::string parameters =
        logic::joined(d.parameters, [](const auto &name) { return name.text; });
    return "define " + d.name.text + (parameters.empty() ? "" : "(" + parameters + ")") + " = " +
           specs::format::format(*d.value);
  }
  std::string operator()(const specs::syntax::InitiallyItem &d) const {
    return "initially " + specs::format::format(*d.condition);
  }
  std::string operator()(const specs::syntax::InvariantItem &d) const {
    return "invariant " + specs::format::format(*d.condition);
  }
  std::string operator()(const specs::syntax::NeverItem &d) const {
    return "never " + d.first.thread.text + "." + d.first.place.text + " with " +
           d.second.thread.text + "." + d.second.place.text;
  }
  std::string operator()(const specs::syntax::ClaimItem &d) const {
    return "claim " + specs::format::format(*d.condition) + " @ " +
           logic::joined(d.paths, [](const auto &path) { return path.text; });
  }
  std::string operator()(const specs::syntax::RunItem &d) const { return runText(d); }
  std::string operator()(const specs::syntax::ObjectDecl &) const { return ""; }
  std::string operator()(const specs::syntax::EnumDecl &) const { return ""; }
  std::string operator()(const specs::syntax::ConstDecl &) const { return ""; }
  std::string operator()(const specs::syntax::ContractThread &) const { return ""; }
};

std::string contractLegend(const specs::syntax::Contract &contract) {
  std::string lines = "system <b>" + dotEscaped(contract.name.text) + "</b><br align=\"left\"/>";
  for (const specs::syntax::SystemItem &item : contract.items)
    if (std::string line = std::visit(LegendLine{}, item); !line.empty())
      lines += small(dotLines(line, legendWidth, "<br align=\"left\"/>"));
  return "  legend [shape=note, style=filled, fillcolor=\"#fffbe6\", label=<" + lines + ">];\n";
}

} // namespace

std::string dotText(const specs::syntax::Contract &contract) {
  std::string text = dotHead(contract.name.text) + contractLegend(contract);
  for (const specs::syntax::SystemItem &item : contract.items)
    if (const auto *thread = std::get_if<specs::syntax::ContractThread>(&item))
      text += ThreadPicture(*thread).print();
  return text + "}\n";
}

} // namespace understudy::tools::exports
