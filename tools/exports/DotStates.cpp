// SPDX-License-Identifier: Apache-2.0
#include "tools/exports/DotStates.h"

#include "compose/tnet/State.h"
#include "logic/Value.h"
#include "logic/Words.h"
#include "tools/exports/DotText.h"

#include <algorithm>
#include <map>
#include <optional>
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

/// One level of the search below the other. A thread keeps its letter along the edge by which a
/// state was found first, so that only other edges have to say which letter became which.
class Picture {
public:
  Picture(const compose::tnet::Net &net, const compose::tnet::StateGraph &graph,
          const StatesPicture &about)
      : net_(net), graph_(graph), about_(about), letters_(graph.states.size()),
        depth_(graph.states.size(), 0) {
    letters_[0] = {0};
    uint32_t known = 1; // states are numbered in the order in which edges reach them
    for (const compose::tnet::GraphEdge &edge : graph.edges)
      if (edge.to == known) {
        ++known;
        letters_[edge.to] = lettersAfter(edge);
        depth_[edge.to] = depth_[edge.from] + 1;
      }
  }

  std::string run() const {
    const auto all = static_cast<uint32_t>(graph_.states.size());
    if (auto text = drawn(all, about_.limit))
      return *text;
    return *drawn(std::min<uint32_t>(all, compose::tnet::StateGraph::mostBeyondLimits), {});
  }

private:
  using Letters = std::vector<uint32_t>; ///< of the atoms of a state
  const compose::tnet::Net &net_;
  const compose::tnet::StateGraph &graph_;
  const StatesPicture &about_;
  std::vector<Letters> letters_;
  std::vector<uint32_t> depth_;

  static std::string id(uint32_t state) { return "s" + std::to_string(state); }

  /// The first states with the edges between them; none if the limit is reached meanwhile.
  std::optional<std::string> drawn(uint32_t count, const std::stop_token &limit) const {
    std::string text = dotHead(about_.name) + "  graph [nodesep=0.25, ranksep=0.4];\n" +
                       "  node [fontsize=10, margin=\"0.08,0.04\"];\n  edge [fontsize=9];\n" +
                       title(count);
    std::map<uint32_t, std::string> levels;
    for (uint32_t number = 0; number < count && !limit.stop_requested(); ++number) {
      text += "  " + id(number) + " [label=<" + stateText(number) + ">" + look(number) + "];\n";
      levels[depth_[number]] += " " + id(number) + ";";
    }
    for (const auto &[depth, states] : levels)
      text += "  { rank=same;" + states + " }\n";
    std::map<std::pair<uint32_t, uint32_t>, std::string> edges;
    for (const compose::tnet::GraphEdge &edge : graph_.edges) {
      if (limit.stop_requested())
        return std::nullopt;
      if (edge.from >= count || edge.to >= count)
        continue;
      std::string &label = edges[{edge.from, edge.to}];
      label += (label.empty() ? "" : "<BR/>") + edgeText(edge);
    }
    for (const auto &[ends, label] : edges)
      text += "  " + id(ends.first) + " -> " + id(ends.second) + " [label=<" + label + ">" +
              (depth_[ends.second] > depth_[ends.first]
                   ? ""
                   : ", constraint=false, style=dashed, color=\"#7f8c8d\"") +
              "];\n";
    if (limit.stop_requested())
      return std::nullopt;
    return text + "}\n";
  }

  /// What the picture does not show.
  std::string title(uint32_t count) const {
    std::string text;
    if (!about_.unfinished.empty())
      text = "unfinished: " + dotEscaped(about_.unfinished);
    if (count < about_.states)
      text += (text.empty() ? "" : "<BR/>") + ("the first " + std::to_string(count) + " of " +
                                               std::to_string(about_.states) + " states");
    return text.empty() ? "" : "  graph [label=<" + text + ">, labelloc=t];\n";
  }

  Letters lettersAfter(const compose::tnet::GraphEdge &edge) const {
    Letters result;
    std::set<uint32_t> used;
    for (Atom origin : edge.origins) {
      result.push_back(origin == noAtom ? noAtom : letters_[edge.from][origin]);
      used.insert(result.back());
    }
    uint32_t next = 0;
    for (uint32_t &one : result)
      if (one == noAtom) {
        while (!used.insert(next).second)
          ++next;
        one = next;
      }
    return result;
  }

  /// Of the start, of dead states, of those that answer a question, and of those whose edges are
  /// not known.
  std::string look(uint32_t number) const {
    std::string text = number == 0 ? ", penwidth=2" : "";
    if (number >= graph_.expanded)
      text += ", style=\"rounded,filled,dashed\"";
    for (size_t i = 0; i < graph_.answers.size(); ++i)
      if (graph_.answers[i] == number)
        return text + ", fillcolor=\"" +
               (net_.questions[i].kind == compose::tnet::Question::Kind::Never ? "#f5b7b1"
                                                                               : "#d5f5e3") +
               "\"";
    const bool isDead = std::binary_search(graph_.dead.begin(), graph_.dead.end(), number);
    return isDead ? text + ", fillcolor=\"gray85\"" : text;
  }

  using TokenShown = std::pair<compose::tnet::PlaceId, std::vector<int64_t>>;

  /// The tokens with letters for ids: by place, then by letters and values, so that a thread is
  /// found where it was in the state before.
  std::vector<TokenShown> inOrder(const State &state, const Letters &letters) const {
    std::vector<TokenShown> tokens;
    for (const State::TokenRef &token : state.tokens()) {
      const auto fields = state.fields(token);
      TokenShown shown{token.place, {fields.begin(), fields.end()}};
      for (size_t i = 0; i < fields.size(); ++i)
        if (net_.places[token.place].columns[i].isPid)
          shown.second[i] = letters[static_cast<size_t>(fields[i])];
      tokens.push_back(std::move(shown));
    }
    std::sort(tokens.begin(), tokens.end());
    return tokens;
  }

  static std::string tokenText(const compose::tnet::Place &place,
                               const std::vector<int64_t> &fields) {
    std::string shown;
    for (size_t i = 0; i < fields.size(); ++i)
      shown += (i == 0 ? "" : ", ") + (place.columns[i].isPid
                                           ? letter(static_cast<uint64_t>(fields[i]))
                                           : logic::valueText(fields[i], place.columns[i].sort));
    return place.name + "(" + shown + ")";
  }

  std::string stateText(uint32_t number) const {
    State state(net_);
    state.decode(graph_.states[number]);
    const Letters &letters = letters_[number];
    std::string text = grey(std::to_string(number + 1));
    for (size_t i = 0; i < graph_.answers.size(); ++i)
      if (graph_.answers[i] == number)
        text += " <B>" + dotEscaped(net_.questions[i].name) + "</B>";
    for (const auto &[place, fields] : inOrder(state, letters))
      text += "<BR/>" + dotEscaped(tokenText(net_.places[place], fields));
    return text + linksText(state, letters);
  }

  /// "parent a→b, a→c": a line for each relation.
  std::string linksText(const State &state, const Letters &letters) const {
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
      std::set<std::pair<uint32_t, uint32_t>> pairs;
      for (Atom atom = 0; serves(kind.link, net_.relations) && atom < state.atoms(); ++atom)
        if (const Atom to = state.link(kind.link, atom); to != noAtom)
          pairs.emplace(letters[kind.backwards ? to : atom], letters[kind.backwards ? atom : to]);
      std::string line;
      for (const auto &[first, second] : pairs)
        line += (line.empty() ? " " : ", ") + letter(first) + "→" + letter(second);
      if (!line.empty())
        text += "<BR/>" + grey(kind.word + line);
    }
    return text;
  }

  std::string edgeText(const compose::tnet::GraphEdge &edge) const {
    std::set<std::pair<uint32_t, uint32_t>> renamed;
    for (size_t i = 0; i < edge.origins.size(); ++i) {
      if (edge.origins[i] == noAtom)
        continue;
      const uint32_t before = letters_[edge.from][edge.origins[i]], after = letters_[edge.to][i];
      if (before != after)
        renamed.emplace(before, after);
    }
    const std::string names = logic::joined(
        renamed, [](const auto &one) { return letter(one.first) + " to " + letter(one.second); });
    return dotEscaped(net_.transitions[edge.transition].name) +
           (names.empty() ? "" : "<BR/>" + grey(names));
  }
};

} // namespace

std::string dotText(const compose::tnet::Net &net, const compose::tnet::StateGraph &graph,
                    const StatesPicture &picture) {
  return Picture(net, graph, picture).run();
}

} // namespace understudy::tools::exports
