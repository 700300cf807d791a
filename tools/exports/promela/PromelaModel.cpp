// SPDX-License-Identifier: Apache-2.0
#include "tools/exports/promela/PromelaModel.h"

#include "logic/Error.h"
#include "tools/report/Wording.h"

#include <algorithm>
#include <cctype>

namespace understudy::tools::exports::promela {

using namespace compose;

namespace {

constexpr uint32_t maxProcesses = 254; ///< SPIN allows 255, and `init` is one

} // namespace

PromelaModel::PromelaModel(const Program &program, const ThreadCounts &counts,
                           const std::map<TemplateId, uint32_t> &pools)
    : program_(program), scope_(program, names_), kinds_(program.templates.size()) {
  countThreads(counts);
  markForksAndJoins();
  sizePools(pools);
  markObserved();
  nameTables();
}

void PromelaModel::countThreads(const ThreadCounts &counts) {
  for (const Start &start : program_.starts) {
    auto asked = counts.find(start.thread);
    if (start.unbounded && asked == counts.end())
      throw logic::Error(
          {}, "no number given for " + program_.templates[start.thread].name + " threads",
          "SPIN needs one: --threads " + program_.templates[start.thread].name + "=3");
    kinds_[start.thread].started += start.unbounded ? asked->second : start.count;
  }
}

void PromelaModel::markForksAndJoins() {
  bool ids = report::speaksOfIds(program_);
  for (const Template &kind : program_.templates)
    for (const Edge &edge : kind.edges)
      if (const auto *fork = std::get_if<Fork>(&edge.action)) {
        kinds_[fork->thread].forked = true;
        kinds_[fork->thread].hasIds = ids;
      }
  for (const Template &kind : program_.templates)
    for (const Edge &edge : kind.edges)
      if (const auto *join = std::get_if<Join>(&edge.action))
        for (TemplateId id = 0; id < kinds_.size(); ++id)
          if ((!join->thread || *join->thread == id) && (!join->id || kinds_[id].hasIds))
            kinds_[id].joinable = true;
}

void PromelaModel::sizePools(const std::map<TemplateId, uint32_t> &pools) {
  uint32_t processes = 0;
  for (TemplateId id = 0; id < kinds_.size(); ++id) {
    PromelaKind &kind = kinds_[id];
    auto pool = pools.find(id);
    uint32_t forkable = !kind.forked ? 0 : pool == pools.end() ? defaultPool : pool->second;
    kind.slots = kind.started + forkable;
    kind.hasIdFlag = kind.hasIds && kind.started > 0;
    processes += kind.slots;
  }
  if (processes > maxProcesses)
    throw logic::Unsupported("SPIN allows 255 processes, but this program needs " +
                             std::to_string(processes + 1));
}

void PromelaModel::markObserved() {
  for (TemplateId id = 0; id < kinds_.size(); ++id) {
    const Template &type = program_.templates[id];
    bool special = std::any_of(type.locations.begin(), type.locations.end(), [](const auto &l) {
      return l.waiting.has_value() || !l.relies.empty();
    });
    kinds_[id].hasPlaceTable =
        special || kinds_[id].forked || kinds_[id].joinable || type.initials.size() != 1;
  }
  for (const Exclusion &exclusion : program_.exclusions) {
    kinds_[exclusion.first.thread].hasPlaceTable = true;
    kinds_[exclusion.second.thread].hasPlaceTable = true;
  }
}

void PromelaModel::nameTables() {
  for (TemplateId id = 0; id < kinds_.size(); ++id) {
    const std::string &name = program_.templates[id].name;
    kinds_[id].process = names_.take(name);
    kinds_[id].placeTable = names_.take(name + "_at");
    kinds_[id].idTable = names_.take(name + "_id");
    kinds_[id].idFlagTable = names_.take(name + "_has_id");
  }
  // Labels belong to their process, and are no variables.
  for (TemplateId id = 0; id < kinds_.size(); ++id) {
    PromelaNames names = names_;
    const auto &locations = program_.templates[id].locations;
    for (size_t i = 0; i < locations.size(); ++i)
      kinds_[id].labels.push_back(
          names.take((locations[i].kind == LocationKind::Final ? "end" : "at") + std::to_string(i) +
                     "_" + locations[i].name));
  }
}

std::string PromelaModel::isAt(TemplateId kind, const std::string &slot,
                               LocationId location) const {
  return kinds_[kind].placeTable + "[" + slot + "] == " + std::to_string(location);
}

std::string PromelaModel::isAlive(const std::string &id) const {
  std::string text;
  for (const PromelaKind &kind : kinds_)
    for (uint32_t i = 0; kind.hasIds && i < kind.slots; ++i) {
      std::string slot = "[" + std::to_string(i) + "]";
      text += (text.empty() ? "(" : " || (") + kind.placeTable + slot +
              " != " + std::to_string(nowhere) +
              (kind.hasIdFlag ? " && " + kind.idFlagTable + slot : "") + " && " + kind.idTable +
              slot + " == " + id + ")";
    }
  return text.empty() ? "false" : "(" + text + ")";
}

std::vector<std::string> PromelaModel::heldIds() const {
  const IdUse ids = analyseIds(program_);
  if (ids.matters && !ids.opaque)
    throw logic::Unsupported("the program compares or computes with the ids that fork returns, so "
                             "no finite set of ids is enough");
  std::vector<std::string> result;
  for (int64_t constant : ids.constants)
    result.push_back(promelaNumber(constant));
  auto add = [&](Variable variable, uint32_t threads) {
    if (!ids.variables.contains(variable))
      return;
    const bool array = variable.sort().isArray();
    const int64_t cells =
        threads * (array ? promelaSize(variable.sort(), variable.name()) : int64_t(1));
    for (int64_t i = 0; i < cells; ++i)
      result.push_back(scope_.name(variable) +
                       (array || !variable.scope().empty() ? "[" + std::to_string(i) + "]" : ""));
  };
  for (Variable variable : program_.globals)
    add(variable, 1);
  for (TemplateId id = 0; id < kinds_.size(); ++id)
    for (Variable variable : program_.templates[id].locals)
      add(variable, kinds_[id].slots);
  return result;
}

std::string PromelaModel::isHeld(const std::string &id) const {
  std::string text;
  for (const std::string &held : heldIds())
    text += (text.empty() ? "" : " || ") + id + " == " + held;
  return text.empty() ? "false" : "(" + text + ")";
}

const std::string &PromelaModel::label(TemplateId kind, LocationId location) const {
  return kinds_[kind].labels[location];
}

std::string PromelaModel::declarations() const {
  std::string text;
  for (Variable variable : program_.globals) {
    text += promelaType(variable.sort(), variable.name()) + " " + scope_.name(variable);
    if (variable.sort().isArray())
      text += "[" + std::to_string(promelaSize(variable.sort(), variable.name())) + "]";
    text += ";\n";
  }
  for (TemplateId id = 0; id < kinds_.size(); ++id) {
    const PromelaKind &kind = kinds_[id];
    if (kind.slots == 0)
      continue;
    auto declare = [&](const std::string &type, const std::string &name, int64_t each) {
      text += type + " " + name + "[" + std::to_string(kind.slots * each) + "];\n";
    };
    for (Variable local : program_.templates[id].locals)
      declare(promelaType(local.sort(), local.name()), scope_.name(local),
              local.sort().isArray() ? promelaSize(local.sort(), local.name()) : 1);
    if (kind.hasPlaceTable)
      declare("short", kind.placeTable, 1);
    if (kind.hasIds)
      declare("int", kind.idTable, 1);
    if (kind.hasIdFlag)
      declare("bool", kind.idFlagTable, 1);
  }
  return text;
}

} // namespace understudy::tools::exports::promela
