// SPDX-License-Identifier: Apache-2.0
#include "tools/outline/OutlineWriter.h"

#include "compose/proof/SlotModel.h"
#include "logic/Simplify.h"
#include "logic/smtlib/Print.h"
#include "tools/outline/Margin.h"
#include "tools/outline/OutlinePlaces.h"
#include "tools/outline/OutlineWords.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace understudy::tools::outline {

using compose::LocationKind;
using compose::Program;
using compose::Template;
using compose::proof::OwickiGries;

namespace {

using Others = std::vector<OwickiGries::Other>;
using Slots = std::set<uint32_t>;

class OutlineWriter {
public:
  OutlineWriter(const Program &program, const logic::SourceFile &file,
                const OwickiGries &annotation)
      : program_(program), annotation_(annotation), file_(file), model_(program, annotation.slots),
        places_(program, file), words_(program), margin_(file) {}

  std::string write() {
    findInvariants();
    writeUpdates();
    for (const OwickiGries::Ghost &ghost : annotation_.ghosts)
      margin_.head("ghost " + ghost.variable.sort().text() + " " + ghost.variable.name() + " = " +
                   logic::smtlib::text(ghost.initial));
    for (TemplateId id = 0; id < annotation_.slots.size(); ++id)
      if (annotation_.slots[id] > 1)
        margin_.head("at most " + std::to_string(annotation_.slots[id]) + " threads " +
                     program_.templates[id].name + " at a time, in numbered slots");
    for (const Term &invariant : invariants_)
      margin_.head("invariant " + words_.text(invariant, std::nullopt));
    for (TemplateId id = 0; id < program_.templates.size(); ++id)
      if (annotation_.slots[id] > 0)
        writeThread(id);
    return margin_.print();
  }

private:
  const Program &program_;
  const OwickiGries &annotation_;
  const logic::SourceFile &file_;
  compose::proof::SlotModel model_;
  OutlinePlaces places_;
  OutlineWords words_;
  Margin margin_;
  std::set<Term> invariants_;

  bool isError(const OwickiGries::At &at) const {
    return at.location &&
           program_.templates[at.slot.thread].locations[*at.location].kind == LocationKind::Error;
  }

  /// What every assertion of a thread that exists says: it is said once.
  void findInvariants() {
    bool first = true;
    for (const OwickiGries::At &at : annotation_.assertions) {
      if (!at.location || isError(at) || at.formula.isFalse())
        continue;
      const auto parts = logic::conjunctsOf(at.formula);
      const std::set<Term> own(parts.begin(), parts.end());
      if (first)
        for (const Term &part : own)
          if (!part.isTrue())
            invariants_.insert(part);
      std::erase_if(invariants_, [&](const Term &term) { return !own.contains(term); });
      first = false;
    }
  }

  Term withoutInvariants(const OwickiGries::At &at) const {
    std::vector<Term> rest;
    for (const Term &part : logic::conjunctsOf(at.formula))
      if (!at.location || !invariants_.contains(part))
        rest.push_back(part);
    return program_.pool->conjunction(std::move(rest));
  }

  void writeThread(TemplateId id) {
    const Template &thread = program_.templates[id];
    for (LocationId location = 0; location < thread.locations.size(); ++location)
      if (!thread.locations[location].hidden)
        writeAssertion(id, location);
    for (LocationId location = 0; location < thread.locations.size(); ++location)
      if (thread.locations[location].hidden)
        writeAssertion(id, location);
    if (thread.range.known() && thread.range.file->name() == file_.name())
      for (const std::string &text : assertionsAt(id, std::nullopt))
        if (text != "{ true }")
          margin_.before(thread.range.begin, "not running: " + text);
  }

  /// "{ x == 1 }", or one for each slot: "slot 1: { x == 1 }". Of slots that are not named, no
  /// thread is ever there.
  std::vector<std::string> assertionsAt(TemplateId id, std::optional<LocationId> location) const {
    std::map<std::string, Slots> texts;
    for (const OwickiGries::At &at : annotation_.assertions)
      if (at.slot.thread == id && at.location == location)
        texts[words_.text(withoutInvariants(at), at.slot)].insert(at.slot.number);
    if (texts.empty())
      return {"{ false }"};
    std::map<Slots, std::string> bySlots;
    for (const auto &[text, slots] : texts)
      bySlots[slots] = text;
    std::vector<std::string> result;
    for (const auto &[slots, text] : bySlots)
      result.push_back(slotText(id, slots) + "{ " + text + " }");
    return result;
  }

  /// "slot 1: ", "slots 1, 3: "; nothing if they are all.
  std::string slotText(TemplateId id, const Slots &slots) const {
    if (slots.size() == annotation_.slots[id])
      return "";
    std::string text;
    for (uint32_t slot : slots)
      text += (text.empty() ? "" : ", ") + std::to_string(slot);
    return (slots.size() == 1 ? "slot " : "slots ") + text + ": ";
  }

  void writeAssertion(TemplateId id, LocationId location) {
    const Anchor *anchor = places_.anchorOf(id, location);
    if (!anchor)
      return;
    const std::string label = places_.labelAt(id, location);
    for (const std::string &text : assertionsAt(id, location))
      margin_.before(anchor->at, (label.empty() ? "" : label + ": ") + text);
  }

  // ---- updates

  /// Of every step with a ghost: what is assigned, by how the step concerns others; nothing where
  /// no ghost is.
  using Ways = std::map<Others, std::string>;
  std::map<std::pair<Slot, EdgeId>, Ways> assignments() const {
    std::map<std::pair<Slot, EdgeId>, Ways> result;
    for (const OwickiGries::Update &update : annotation_.updates) {
      std::string &text = result[{update.mover, update.edge}][update.others];
      for (const auto &[ghost, value] : update.assign)
        text +=
            (text.empty() ? "" : "; ") + ghost.name() + " := " + words_.text(value, update.mover);
    }
    for (const compose::proof::SlotStep &step : model_.steps())
      if (step.kind == compose::proof::SlotStep::Kind::Taken && model_.canHappen(step))
        if (auto found = result.find({model_.slots()[step.moves[0].slot], step.edge});
            found != result.end())
          found->second[model_.othersOf(step)];
    return result;
  }

  std::string withText(const Others &others) const {
    std::string text;
    for (const OwickiGries::Other &other : others)
      text += (text.empty() ? "" : ", ") + words_.scopeOf(other.slot) + " at " +
              places_.nameOf(other.slot.thread, other.location);
    return " (with " + (text.empty() ? "nobody" : text) + ")";
  }

  void writeUpdates() {
    // thread, step -> text of the update -> slots that do it
    std::map<std::pair<TemplateId, EdgeId>, std::map<std::string, Slots>> found;
    for (const auto &[step, ways] : assignments()) {
      const bool alike = std::all_of(ways.begin(), ways.end(), [&](const auto &way) {
        return way.second == ways.begin()->second;
      });
      for (const auto &[others, text] : ways)
        if (!text.empty())
          found[{step.first.thread, step.second}][text + (alike ? "" : withText(others))].insert(
              step.first.number);
    }
    for (const auto &[step, texts] : found)
      for (const auto &[text, slots] : texts)
        writeUpdate(step.first, step.second, slotText(step.first, slots) + "ghost " + text);
  }

  void writeUpdate(TemplateId id, EdgeId edge, const std::string &text) {
    const std::string which = places_.caseOf(id, edge);
    const std::string comment = text + (which.empty() ? "" : " (" + which + ")");
    if (const auto position = places_.updateBefore(id, edge))
      margin_.before(*position, comment);
    else if (const uint32_t line = places_.updateLine(id, edge))
      margin_.after(line, comment);
  }
};

} // namespace

std::string outlineText(const Program &program, const logic::SourceFile &file,
                        const OwickiGries &annotation) {
  return OutlineWriter(program, file, annotation).write();
}

} // namespace understudy::tools::outline
