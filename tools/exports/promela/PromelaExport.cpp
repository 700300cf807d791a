// SPDX-License-Identifier: Apache-2.0
#include "tools/exports/promela/PromelaExport.h"

#include "logic/Error.h"
#include "tools/exports/promela/GuardedCommands.h"
#include "tools/exports/promela/PromelaModel.h"
#include "tools/exports/promela/PromelaStep.h"

#include <algorithm>

namespace understudy::tools::exports::promela {

using namespace compose;
using logic::VariableUse;

namespace {

std::string savedDeclarations(const PromelaModel &model) {
  std::string text;
  bool relies = false;
  for (const Template &kind : model.program().templates)
    for (const Location &location : kind.locations)
      relies = relies || !location.relies.empty();
  for (Variable variable : model.program().globals)
    if (relies && !variable.sort().isArray())
      text += "hidden int " + model.scope().saved(variable) + ";\n";
  return text;
}

/// One process type: a label and an `if` for each location.
class ProcessText {
public:
  ProcessText(const PromelaModel &model, TemplateId kind)
      : model_(model), id_(kind), type_(model.program().templates[kind]), kind_(model.kind(kind)) {}

  std::string print() const {
    std::string text = "\nproctype " + kind_.process + "(byte me) {\n" + entry();
    for (LocationId location = 0; location < type_.locations.size(); ++location)
      text += block(location);
    return text + "}\n";
  }

private:
  const PromelaModel &model_;
  TemplateId id_;
  const Template &type_;
  const PromelaKind &kind_;

  std::string label(LocationId location) const { return model_.label(id_, location); }

  /// Where a process waits for its thread to be created.
  std::string entry() const {
    if (!kind_.hasPlaceTable)
      return "  goto " + label(type_.initials.front()) + ";\n";
    std::string text = "end_absent:\n  if\n";
    for (LocationId initial : type_.initials)
      text += "  :: " + model_.isAt(id_, "me", initial) + " -> goto " + label(initial) + "\n";
    return text + "  fi;\n";
  }

  std::string block(LocationId location) const {
    const Location &place = type_.locations[location];
    std::vector<std::string> options;
    if (place.waiting)
      options.push_back("atomic { " + model_.isAt(id_, "me", place.waiting->wakesTo) + " -> goto " +
                        label(place.waiting->wakesTo) + " }");
    if (place.kind == LocationKind::Final && kind_.joinable)
      options.push_back("atomic { " + kind_.placeTable + "[me] != " + std::to_string(location) +
                        " -> goto end_absent }");
    for (EdgeId edge : type_.edgesFrom(location)) {
      auto more = PromelaStep(model_, id_, edge).options();
      options.insert(options.end(), more.begin(), more.end());
    }
    std::string text = label(location) + ":\n";
    if (options.empty())
      return text + "  false;\n";
    text += "  if\n";
    for (const std::string &option : options)
      text += "  :: " + option + "\n";
    return text + "  fi;\n";
  }
};

/// The process that chooses a start state and then lets the threads run.
class InitText {
public:
  explicit InitText(const PromelaModel &model) : model_(model), program_(model.program()) {}

  std::string print() const {
    std::vector<VariableUse> unknowns;
    for (Variable variable : program_.globals)
      unknowns.push_back({variable, false});
    std::string text = "\ninit {\n  atomic {\n";
    text += choice(program_.initial, unknowns, "the initial state", {}, "0");
    std::string runs;
    for (TemplateId id = 0; id < model_.kindCount(); ++id)
      for (uint32_t i = 0; i < model_.kind(id).slots; ++i) {
        text += thread(id, i);
        runs += "    run " + model_.kind(id).process + "(" + std::to_string(i) + ");\n";
      }
    std::string checks = promelaStateChecks(program_);
    return text + (checks.empty() ? "" : "    " + checks + "\n") + runs + "  }\n}\n";
  }

private:
  const PromelaModel &model_;
  const Program &program_;

  std::string choice(Term relation, const std::vector<VariableUse> &unknowns,
                     const std::string &what, const SourceRange &where,
                     const std::string &slot) const {
    if (unknowns.empty() && relation.isTrue())
      return "";
    PromelaExpression expression(model_.scope(), slot);
    auto commands = enumerated(guardedCommands(relation, unknowns, what, where), what, where);
    std::string text = commands.empty() ? "    if\n    :: false\n" : "    if\n";
    for (const GuardedCommand &command : commands) {
      std::string guard;
      for (const Term &term : command.guard)
        guard += (guard.empty() ? "" : " && ") + expression(term);
      PromelaWrites writes(model_);
      for (const Assignment &assignment : command.assignments)
        writes.assign(assignment.variable, slot, assignment.value, slot);
      for (const VariableUse &open : command.open)
        writes.choose(open.variable, slot);
      text +=
          "    :: " + (guard.empty() ? "true" : guard) + " -> " + writes.statements() + "skip\n";
    }
    return text + "    fi;\n";
  }

  std::string thread(TemplateId id, uint32_t index) const {
    const PromelaKind &kind = model_.kind(id);
    const Template &type = program_.templates[id];
    std::string slot = std::to_string(index);
    if (index >= kind.started)
      return "    " + kind.placeTable + "[" + slot +
             "] = " + std::to_string(PromelaModel::nowhere) + ";\n";
    std::vector<VariableUse> unknowns;
    for (Variable variable : type.locals)
      unknowns.push_back({variable, false});
    std::string text = choice(type.initial, unknowns,
                              "the initial state of thread '" + type.name + "'", type.range, slot);
    if (!kind.hasPlaceTable)
      return text;
    text += "    if\n";
    for (LocationId initial : type.initials)
      text += "    :: " + kind.placeTable + "[" + slot + "] = " + std::to_string(initial) + "\n";
    return text + "    fi;\n";
  }
};

} // namespace

std::string promelaText(const Program &program, const PromelaOptions &options) {
  PromelaModel model(program, options.counts, options.pools);
  std::string text = "/* " + program.name + ", written by understudy export --to promela.\n" +
                     "   spin -a FILE && cc -O2 -DSAFETY -o pan pan.c && ./pan -E   (-E: deadlock "
                     "not checked) */\n\n";
  text += model.declarations() + PromelaWrites::declarations() + savedDeclarations(model) +
          promelaStateCheckMacros(model);
  for (TemplateId id = 0; id < model.kindCount(); ++id)
    if (model.kind(id).slots > 0)
      text += ProcessText(model, id).print();
  return text + InitText(model).print();
}

} // namespace understudy::tools::exports::promela
