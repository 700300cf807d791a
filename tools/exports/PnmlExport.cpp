// SPDX-License-Identifier: Apache-2.0
#include "tools/exports/PnmlExport.h"

#include "logic/smtlib/Print.h"
#include "tools/exports/DotText.h"
#include "tools/exports/NetNames.h"

#include <algorithm>

namespace understudy::tools::exports {

using namespace compose;

namespace {

constexpr const char *grammar = "http://www.pnml.org/version-2009/grammar/";

std::string element(const std::string &name, const std::string &text) {
  return "<" + name + ">" + dotEscaped(text) + "</" + name + ">";
}

class NetText {
public:
  NetText(const compose::petri::PetriProgram &petri, const Program &program)
      : petri_(petri), program_(program), names_(petri, program) {}

  std::string print() {
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<pnml xmlns=\"" +
                       std::string(grammar) + "pnml\">\n" + "  <net id=\"net\" type=\"" + grammar +
                       "ptnet\">\n    <name>" + element("text", program_.name) + "</name>\n" +
                       toolSpecific("    ", initialCondition()) + "    <page id=\"page\">\n";
    for (compose::petri::PlaceId id = 0; id < petri_.net.places; ++id)
      text += place(id);
    for (compose::petri::TransitionId id = 0; id < petri_.net.transitions.size(); ++id)
      text += transition(id);
    return text + "    </page>\n  </net>\n</pnml>\n";
  }

private:
  const compose::petri::PetriProgram &petri_;
  const Program &program_;
  NetNames names_;
  size_t arcs_ = 0;

  static std::string toolSpecific(const std::string &indent, const std::string &content) {
    return indent + "<toolspecific tool=\"understudy\" version=\"1\">" + content +
           "</toolspecific>\n";
  }

  std::string initialCondition() const {
    std::string text = element("limit", std::to_string(petri_.limit));
    for (const Term &conjunct : petri_.initial)
      text += element("initially", logic::smtlib::text(withInstanceNames(conjunct)));
    return text;
  }

  std::string place(compose::petri::PlaceId id) const {
    NetName name = names_.place(id);
    std::string text = "      <place id=\"p" + std::to_string(id) + "\">\n        <name>" +
                       element("text", name.base + name.below + " " + name.above) + "</name>\n";
    if (std::binary_search(petri_.net.initial.begin(), petri_.net.initial.end(), id))
      text += "        <initialMarking><text>1</text></initialMarking>\n";
    std::string content = element("meaning", compose::petri::describe(petri_.places[id], program_));
    if (compose::petri::isBad(petri_.places[id], program_, compose::petri::Specification::Safety))
      content += element("bad", "safety");
    if (compose::petri::isBad(petri_.places[id], program_, compose::petri::Specification::Bound))
      content += element("bad", "bound");
    return text + toolSpecific("        ", content) + "      </place>\n";
  }

  std::string transition(compose::petri::TransitionId id) {
    const compose::petri::Label &label = petri_.transitions[id].label;
    std::string content = element("thread", names_.instance(petri_.transitions[id].mover));
    for (const Term &conjunct : label.conjuncts)
      content += element("conjunct", logic::smtlib::text(withInstanceNames(conjunct)));
    for (Variable variable : label.modified)
      content += element("modified", variable.fullName());
    const std::string name = "t" + std::to_string(id);
    std::string text = "      <transition id=\"" + name + "\">\n        <name>" +
                       element("text", names_.transition(id)) + "</name>\n" +
                       toolSpecific("        ", content) + "      </transition>\n";
    for (compose::petri::PlaceId place : petri_.net.transitions[id].pre)
      text += arc("p" + std::to_string(place), name);
    for (compose::petri::PlaceId place : petri_.net.transitions[id].post)
      text += arc(name, "p" + std::to_string(place));
    return text;
  }

  std::string arc(const std::string &source, const std::string &target) {
    return "      <arc id=\"a" + std::to_string(arcs_++) + "\" source=\"" + source +
           "\" target=\"" + target + "\"/>\n";
  }
};

} // namespace

std::string pnmlText(const compose::petri::PetriProgram &petri, const Program &program) {
  return NetText(petri, program).print();
}

} // namespace understudy::tools::exports
