// SPDX-License-Identifier: Apache-2.0
//
// The net of a petrified program, laid out like Figure 2 of the petrification paper: a lane for
// each thread instance, bars for transitions, arcs from left to right.
#include "tools/exports/DotExport.h"
#include "tools/exports/DotText.h"
#include "tools/exports/NetNames.h"

#include <algorithm>
#include <array>

namespace understudy::tools::exports {

using namespace compose;
using petri::Instance;
using petri::PlaceId;
using petri::TransitionId;

namespace {

constexpr size_t labelWidth = 24;

struct Colours {
  const char *line;
  const char *fill;
};

/// Threads of the start first.
constexpr std::array<Colours, 5> palette = {{{"#b03a2e", "#fdecea"},
                                             {"#1f618d", "#eaf2fb"},
                                             {"#6c3483", "#f4ecf7"},
                                             {"#117a65", "#e8f6f3"},
                                             {"#9a7d0a", "#fef9e7"}}};

class NetPicture {
public:
  NetPicture(const compose::petri::PetriProgram &petri, const Program &program)
      : petri_(petri), program_(program), names_(petri, program) {
    for (PlaceId id = 0; id < petri.net.places; ++id)
      if (petri.places[id].kind != compose::petri::PlaceKind::Insufficient)
        lanes_[petri.places[id].instance].push_back(id);
  }

  std::string print() const {
    std::string text = "digraph " + dotId(program_.name) +
                       " {\n  graph [fontname=\"Helvetica\", fontsize=12, rankdir=LR, nodesep=0.3, "
                       "ranksep=0.35, labeljust=l, bgcolor=white];\n"
                       "  node [fontname=\"Helvetica\", fontsize=9];\n"
                       "  edge [fontname=\"Helvetica\", color=\"#34495e\", arrowsize=0.6];\n";
    for (const auto &[instance, places] : lanes_)
      text += lane(instance, places);
    for (PlaceId id = 0; id < petri_.net.places; ++id)
      if (petri_.places[id].kind == compose::petri::PlaceKind::Insufficient)
        text += "  " + place(id, {"#b9770e", "#fdf2e9"});
    for (TransitionId id = 0; id < petri_.net.transitions.size(); ++id)
      if (laneOf(id) == nullptr)
        text += "  " + transition(id);
    for (TransitionId id = 0; id < petri_.net.transitions.size(); ++id)
      text += arcs(id);
    return text + "}\n";
  }

private:
  const compose::petri::PetriProgram &petri_;
  const Program &program_;
  NetNames names_;
  std::map<Instance, std::vector<PlaceId>> lanes_;

  /// The instance that moves, if the transition concerns no other.
  const Instance *laneOf(TransitionId id) const {
    const compose::petri::TransitionMeaning &meaning = petri_.transitions[id];
    bool alone =
        meaning.others.empty() && meaning.kind != compose::petri::TransitionKind::Insufficient;
    return alone ? &meaning.mover : nullptr;
  }

  Colours coloursOf(const Instance &instance) const {
    size_t index = 0;
    for (const auto &[other, places] : lanes_) {
      if (other == instance)
        break;
      ++index;
    }
    return palette[index % palette.size()];
  }

  static std::string placeId(PlaceId id) { return "p" + std::to_string(id); }
  static std::string transitionId(TransitionId id) { return "t" + std::to_string(id); }

  std::string lane(const Instance &instance, const std::vector<PlaceId> &places) const {
    Colours colours = coloursOf(instance);
    std::string name = names_.instance(instance);
    std::string text = "  subgraph " + dotId("cluster_" + name) +
                       " {\n    style=\"rounded\"; color=\"" + colours.line + "\"; label=<<b>" +
                       dotEscaped(name) + "</b>>;\n";
    for (PlaceId id : places)
      text += "    " + place(id, colours);
    for (TransitionId id = 0; id < petri_.net.transitions.size(); ++id)
      if (const Instance *mover = laneOf(id); mover && *mover == instance)
        text += "    " + transition(id);
    return text + "  }\n";
  }

  std::string place(PlaceId id, Colours colours) const {
    NetName name = names_.place(id);
    std::string label = dotEscaped(name.base);
    if (!name.below.empty())
      label += "<sub>" + dotEscaped(name.below) + "</sub>";
    label += "<sup>" + dotEscaped(name.above) + "</sup>";
    if (std::binary_search(petri_.net.initial.begin(), petri_.net.initial.end(), id))
      label += "<br/>●";
    return placeId(id) + " [shape=circle, margin=0, width=0.5, style=filled, color=\"" +
           colours.line + "\", fillcolor=\"" + (names_.isError(id) ? "#f5b7b1" : colours.fill) +
           "\", label=<" + label + ">];\n";
  }

  std::string transition(TransitionId id) const {
    return transitionId(id) +
           " [shape=box, style=filled, fillcolor=black, color=black, width=0.08, height=0.4, "
           "fixedsize=true, label=\"\", xlabel=<" +
           dotLines(names_.transition(id), labelWidth, "<br align=\"left\"/>") + ">];\n";
  }

  /// A place that is read only has one arc with two heads.
  std::string arcs(TransitionId id) const {
    const compose::petri::NetTransition &transition = petri_.net.transitions[id];
    auto contains = [](const std::vector<PlaceId> &places, PlaceId place) {
      return std::binary_search(places.begin(), places.end(), place);
    };
    std::string text;
    for (PlaceId place : transition.pre)
      text +=
          "  " + placeId(place) + " -> " + transitionId(id) +
          (contains(transition.post, place) ? " [dir=both, style=dashed, constraint=false]" : "") +
          ";\n";
    for (PlaceId place : transition.post)
      if (!contains(transition.pre, place))
        text += "  " + transitionId(id) + " -> " + placeId(place) + ";\n";
    return text;
  }
};

} // namespace

std::string dotText(const compose::petri::PetriProgram &petri, const Program &program) {
  return NetPicture(petri, program).print();
}

} // namespace understudy::tools::exports
