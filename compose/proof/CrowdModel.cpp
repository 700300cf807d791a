// SPDX-License-Identifier: Apache-2.0
#include "compose/proof/CrowdModel.h"

#include "compose/Solutions.h"
#include "compose/proof/Obligations.h"
#include "logic/Words.h"

#include <algorithm>

namespace understudy::compose::proof {

namespace {

[[noreturn]] void refuse(const std::string &reason) { throw InvalidEvidence(reason); }

/// A parameter may get a number outside its range from a fork.
bool fitsSort(const logic::Value &value, logic::Sort sort) {
  if (value.isArray() != sort.isArray())
    return false;
  return sort.isInteger() || inSort(value, sort);
}

} // namespace

CrowdModel::CrowdModel(const Program &program, const CountingEvidence &evidence)
    : program_(program), evidence_(evidence) {
  checkSingles();
  readCrowds();
  counts_ = countVariables(program, evidence.crowds);
  parameters_ = program.globals;
  for (TemplateId single : evidence.singles)
    parameters_.insert(parameters_.end(), thread(single).locals.begin(),
                       thread(single).locals.end());
  parameters_.insert(parameters_.end(), counts_.begin(), counts_.end());
  readControls();
}

void CrowdModel::checkSingles() const {
  for (size_t i = 0; i < evidence_.singles.size(); ++i) {
    if (evidence_.singles[i] >= program_.templates.size())
      refuse("it follows a thread that the program does not have");
    if (singleOf(evidence_.singles[i]) != i)
      refuse("it follows thread " + thread(evidence_.singles[i]).name + " twice");
    checkSingle(evidence_.singles[i]);
  }
}

/// Exactly one thread, from the start on. That nobody joins it is an obligation.
void CrowdModel::checkSingle(TemplateId id) const {
  std::string begin = "it follows thread " + thread(id).name + " as if there were one, but ";
  uint64_t started = 0;
  for (const Start &start : program_.starts) {
    if (start.thread == id && start.unbounded)
      refuse(begin + "any number is started");
    started += start.thread == id ? start.count : 0;
  }
  if (started != 1)
    refuse(begin + std::to_string(started) + " are started");
  for (const Template &other : program_.templates)
    for (const Edge &edge : other.edges)
      if (const auto *fork = std::get_if<Fork>(&edge.action); fork && fork->thread == id)
        refuse(begin + "thread " + other.name + " forks it");
}

void CrowdModel::readCrowds() {
  for (size_t i = 0; i < evidence_.crowds.size(); ++i) {
    const CountingEvidence::Group &crowd = evidence_.crowds[i];
    if (crowd.thread >= program_.templates.size() ||
        crowd.location >= thread(crowd.thread).locations.size())
      refuse("a crowd is at a place that the program does not have");
    const Template &type = thread(crowd.thread);
    std::string where = type.name + "." + type.locations[crowd.location].name;
    if (singleOf(crowd.thread))
      refuse("the crowd at " + where + " is of a thread that is followed");
    bool fits = crowd.locals.size() == type.locals.size();
    for (size_t k = 0; fits && k < crowd.locals.size(); ++k)
      fits = fitsSort(crowd.locals[k], type.locals[k].sort());
    if (!fits)
      refuse("the crowd at " + where + " does not have the locals of its thread");
    if (crowdAt(crowd.thread, crowd.location, crowd.locals))
      refuse("the crowd at " + where + " is listed twice");
    places_[{crowd.thread, crowd.location}].push_back(i);
  }
}

void CrowdModel::readControls() {
  for (size_t i = 0; i < evidence_.invariants.size(); ++i) {
    const Control &control = evidence_.invariants[i].control;
    bool fits = control.size() == evidence_.singles.size();
    for (size_t s = 0; fits && s < control.size(); ++s)
      fits = control[s] < thread(evidence_.singles[s]).locations.size();
    if (!fits)
      refuse("an invariant is at a control that the program does not have");
    if (!controls_.emplace(control, i).second)
      refuse("two invariants are given for " + controlText(control));
  }
}

std::optional<size_t> CrowdModel::singleOf(TemplateId id) const {
  auto found = std::find(evidence_.singles.begin(), evidence_.singles.end(), id);
  if (found == evidence_.singles.end())
    return std::nullopt;
  return static_cast<size_t>(found - evidence_.singles.begin());
}

std::optional<size_t> CrowdModel::invariantAt(const Control &control) const {
  auto found = controls_.find(control);
  return found == controls_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<size_t> CrowdModel::crowdsAt(TemplateId id, LocationId location) const {
  auto found = places_.find({id, location});
  return found == places_.end() ? std::vector<size_t>{} : found->second;
}

std::optional<size_t> CrowdModel::crowdAt(TemplateId id, LocationId location,
                                          const std::vector<logic::Value> &locals) const {
  for (size_t crowd : crowdsAt(id, location))
    if (evidence_.crowds[crowd].locals == locals)
      return crowd;
  return std::nullopt;
}

Term CrowdModel::crowdedAt(TemplateId id, LocationId location,
                           const std::vector<std::optional<size_t>> &absent) const {
  std::vector<Term> parts;
  for (size_t crowd : crowdsAt(id, location)) {
    parts.push_back(count(crowd));
    for (const auto &one : absent)
      if (one == crowd)
        parts.push_back(pool().integer(-1));
  }
  return pool().sum(std::move(parts));
}

std::string CrowdModel::controlText(const Control &control) const {
  std::vector<std::string> parts;
  for (size_t s = 0; s < control.size(); ++s) {
    const Template &single = thread(evidence_.singles[s]);
    parts.push_back(single.name + " in " + single.locations[control[s]].name);
  }
  return parts.empty() ? "all threads" : logic::joined(parts);
}

Term CrowdModel::localValue(TemplateId id, size_t local, const logic::Value &value) const {
  return logic::termOf(pool(), value, thread(id).locals[local].sort());
}

} // namespace understudy::compose::proof
