// SPDX-License-Identifier: Apache-2.0
#include "logic/smtlib/Print.h"
#include "tools/exports/DotExport.h"
#include "tools/exports/DotText.h"

#include <algorithm>
#include <set>

namespace understudy::tools::exports {

using namespace compose;

namespace {

constexpr size_t programEdgeWidth = 26;

class AutomatonPicture {
public:
  AutomatonPicture(const Program &program, const Template &type) : program_(program), type_(type) {}

  std::string print() const {
    std::string text =
        "  subgraph " + dotId("cluster_" + type_.name) + " {\n" +
        "    style=\"rounded\"; color=\"#95a5a6\"; margin=14;\n    label=<thread <b>" +
        dotEscaped(type_.name) + "</b><br align=\"left\"/>>;\n";
    std::set<LocationId> shown(type_.initials.begin(), type_.initials.end());
    std::string edges;
    for (const Edge &edge : type_.edges) {
      if (edge.failure && *edge.failure != FailureKind::Assertion)
        continue; // misuse that every such statement is prone to: it would hide the program
      shown.insert({edge.source, edge.target});
      edges += this->edge(edge);
    }
    for (LocationId location : shown)
      text += node(location);
    for (LocationId initial : type_.initials)
      text += "    " + dotId(type_.name + " start " + std::to_string(initial)) +
              " [shape=point, width=0.09];\n    " +
              dotId(type_.name + " start " + std::to_string(initial)) + " -> " + id(initial) +
              ";\n";
    return text + edges + "  }\n";
  }

private:
  const Program &program_;
  const Template &type_;

  std::string id(LocationId location) const {
    return dotId(type_.name + "." + std::to_string(location));
  }

  std::string node(LocationId location) const {
    const Location &place = type_.locations[location];
    std::string name = place.waiting  ? "waiting on " + program_.conditions[place.waiting->cond]
                       : place.hidden ? "awake"
                                      : place.name;
    std::string text = "    " + id(location) + " [label=<" + dotEscaped(name) + ">";
    if (place.kind == LocationKind::Error)
      text = "    " + id(location) + " [label=\"error\", fillcolor=\"#fdecea\", color=\"#c0392b\"";
    if (place.kind == LocationKind::Final)
      text += ", peripheries=2";
    if (place.hidden && place.kind != LocationKind::Error)
      text += ", style=\"rounded,dashed\", fontsize=9";
    return text + "];\n";
  }

  std::string edge(const Edge &edge) const {
    std::string text = edge.failure ? "!(" + edge.text + ")" : edge.text;
    return "    " + id(edge.source) + " -> " + id(edge.target) + " [label=<" +
           dotLines(text, programEdgeWidth, "<br align=\"left\"/>") + ">" +
           (edge.failure ? ", color=\"#c0392b\", fontcolor=\"#c0392b\"" : "") + "];\n";
  }
};

std::string programLegend(const Program &program) {
  std::string lines = "<b>" + dotEscaped(program.name) + "</b><br align=\"left\"/>";
  auto add = [&](const std::string &line) { lines += dotEscaped(line) + "<br align=\"left\"/>"; };
  for (Variable variable : program.globals)
    if (!program.isMutexFlag(variable))
      add(variable.sort().text() + " " + variable.name());
  for (const Mutex &mutex : program.mutexes)
    add("mutex " + mutex.name);
  for (const std::string &condition : program.conditions)
    add("cond " + condition);
  for (const Claim &invariant : program.invariants)
    add("invariant " + logic::smtlib::text(invariant.formula));
  for (const Start &start : program.starts)
    add("run " + program.templates[start.thread].name +
        (start.unbounded    ? "*"
         : start.count == 1 ? ""
                            : " * " + std::to_string(start.count)));
  return "  legend [shape=note, style=filled, fillcolor=\"#fffbe6\", fontsize=10, label=<" + lines +
         ">];\n";
}

} // namespace

std::string dotText(const Program &program) {
  std::string text = dotHead(program.name) + programLegend(program);
  for (const Template &type : program.templates)
    text += AutomatonPicture(program, type).print();
  return text + "}\n";
}

} // namespace understudy::tools::exports
