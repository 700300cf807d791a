// SPDX-License-Identifier: Apache-2.0
#include "tools/exports/DotStates.h"

#include "compose/tnet/State.h"
#include "logic/Value.h"
#include "tools/exports/DotText.h"

#include <map>
#include <set>

namespace understudy::tools::exports {

namespace {

using compose::tnet::Atom;
using compose::tnet::Link;
using compose::tnet::noAtom;
using compose::tnet::State;

/// a … z, a1 … z1, a2 …
std::string letter(uint64_t atom) {
  std::string result(1, static_cast<char>('a' + atom % 26));
  return atom < 26 ? result : result + std::to_string(atom / 26);
}

std::string grey(const std::string &text) {
  return "<FONT COLOR=\"gray45\" POINT-SIZE=\"9\">" + text + "</FONT>";
}

class Picture {
public:
  Picture(const compose::tnet::Net &net, const compose::tnet::StateGraph &graph)
      : net_(net), graph_(graph) {}

  std::string run(const std::string &name) {
    std::string text = dotHead(name) + "  node [shape=box, style=\"rounded\", fontsize=10];\n" +
                       "  edge [fontsize=9];\n";
    std::set<uint32_t> alive;
    std::map<std::pair<uint32_t, uint32_t>, std::string> edges;
    for (const compose::tnet::GraphEdge &edge : graph_.edges) {
      alive.insert(edge.from);
      std::string &label = edges[{edge.from, edge.to}];
      label += (label.empty() ? "" : "<BR/>") + edgeText(edge);
    }
    for (uint32_t number = 0; number < graph_.states.size(); ++number)
      text += "  s" + std::to_string(number) + " [label=<" + stateText(number) + ">" +
              (number == 0 ? ", penwidth=2" : "") +
              (alive.contains(number) ? "" : ", style=\"rounded,filled\", fillcolor=\"gray90\"") +
              "];\n";
    for (const auto &[ends, label] : edges)
      text += "  s" + std::to_string(ends.first) + " -> s" + std::to_string(ends.second) +
              " [label=<" + label + ">];\n";
    return text + "}\n";
  }

private:
  const compose::tnet::Net &net_;
  const compose::tnet::StateGraph &graph_;

  std::string stateText(uint32_t number) const {
    State state(net_);
    state.decode(graph_.states[number]);
    std::string text = grey(std::to_string(number + 1));
    for (const State::TokenRef &token : state.tokens()) {
      const compose::tnet::Place &place = net_.places[token.place];
      auto fields = state.fields(token);
      std::string shown;
      for (size_t i = 0; i < fields.size(); ++i)
        shown += (i == 0 ? "" : ", ") + (place.columns[i].isPid
                                             ? letter(static_cast<uint64_t>(fields[i]))
                                             : logic::valueText(fields[i], place.columns[i].sort));
      text += "<BR/>" + dotEscaped(place.name + "(" + shown + ")");
    }
    std::string links = linksText(state);
    return text + (links.empty() ? "" : "<BR/>" + grey(links));
  }

  std::string linksText(const State &state) const {
    struct Kind {
      Link link;
      const char *word;
      bool backwards; ///< the link leads from the second to the first
    };
    constexpr Kind kinds[] = {{Link::Parent, "parent", true}, {Link::Ancestor, "ancestor", true},
                              {Link::Next, "next", false},    {Link::Last, "last", false},
                              {Link::Elder, "elder", false},  {Link::Youngest, "youngest", false}};
    std::string text;
    for (const Kind &kind : kinds) {
      if (!serves(kind.link, net_.relations))
        continue;
      for (Atom atom = 0; atom < state.atoms(); ++atom) {
        Atom to = state.link(kind.link, atom);
        if (to == noAtom)
          continue;
        text += (text.empty() ? "" : "<BR/>") + std::string(kind.word) + "(" +
                letter(kind.backwards ? to : atom) + ", " + letter(kind.backwards ? atom : to) +
                ")";
      }
    }
    return text;
  }

  std::string edgeText(const compose::tnet::GraphEdge &edge) const {
    std::string renamed;
    for (size_t i = 0; i < edge.origins.size(); ++i)
      if (edge.origins[i] != noAtom && edge.origins[i] != i)
        renamed += (renamed.empty() ? "" : ", ") + letter(edge.origins[i]) + " to " + letter(i);
    return dotEscaped(net_.transitions[edge.transition].name) +
           (renamed.empty() ? "" : "<BR/>" + grey(renamed));
  }
};

} // namespace

std::string dotText(const compose::tnet::Net &net, const compose::tnet::StateGraph &graph,
                    const std::string &name) {
  return Picture(net, graph).run(name);
}

} // namespace understudy::tools::exports
