// SPDX-License-Identifier: Apache-2.0
#include "compose/counting/CountingModel.h"

#include <algorithm>

namespace understudy::compose::counting {

namespace {

bool hasFinal(const Template &thread) {
  return std::any_of(thread.locations.begin(), thread.locations.end(),
                     [](const Location &l) { return l.kind == LocationKind::Final; });
}

/// Forked, or removable by a join.
bool comesOrGoes(const Program &program, TemplateId wanted) {
  for (const Template &thread : program.templates)
    for (const Edge &edge : thread.edges) {
      if (const auto *fork = std::get_if<Fork>(&edge.action); fork && fork->thread == wanted)
        return true;
      if (const auto *join = std::get_if<Join>(&edge.action);
          join && !join->id && join->thread.value_or(wanted) == wanted &&
          hasFinal(program.templates[wanted]))
        return true;
    }
  return false;
}

bool startsOnce(const Program &program, TemplateId wanted) {
  uint64_t count = 0;
  for (const Start &start : program.starts)
    if (start.thread == wanted)
      count += start.unbounded ? 2 : start.count;
  return count == 1;
}

void noteInexact(CountingModel &model) {
  bool byId = false;
  bool fresh = false;
  for (const Template &thread : model.program->templates)
    for (const Edge &edge : thread.edges) {
      const auto *join = std::get_if<Join>(&edge.action);
      byId = byId || (join && join->id);
      const auto *fork = std::get_if<Fork>(&edge.action);
      fresh = fresh || (fork && !fork->id && fork->result);
    }
  if (byId)
    model.inexact.push_back("a join by id is treated as joining any thread that has ended");
  if (fresh)
    model.inexact.push_back("the id of a new thread is treated as any number");
}

} // namespace

std::vector<TemplateId> singleTemplates(const Program &program) {
  std::vector<TemplateId> result;
  for (TemplateId thread = 0; thread < program.templates.size(); ++thread)
    if (startsOnce(program, thread) && !comesOrGoes(program, thread))
      result.push_back(thread);
  return result;
}

CountingModel countingModel(const Program &program, const std::vector<TemplateId> &singles,
                            Budget &budget) {
  CountingModel model;
  model.program = &program;
  model.singles = singles;
  auto crowds = addCrowds(model, budget);
  model.variables = program.globals;
  for (TemplateId thread : singles) {
    const auto &locals = program.templates[thread].locals;
    model.variables.insert(model.variables.end(), locals.begin(), locals.end());
  }
  for (const proof::Crowd &crowd : model.crowds)
    model.variables.push_back(crowd.count);
  addSteps(model, crowds, budget);
  noteInexact(model);
  return model;
}

} // namespace understudy::compose::counting
