// SPDX-License-Identifier: Apache-2.0
//
// Liveness, backwards and for one variable at a time: a location is live if an edge from it reads
// the variable, or leaves it alone and leads to a live location. Threads that wait go on at another
// location without an edge.
#include "compose/exploration/DeadIds.h"

#include <algorithm>

namespace understudy::compose::exploration {

namespace {

bool mentions(Term term, Variable variable) {
  auto uses = logic::variablesOf(term);
  return std::any_of(uses.begin(), uses.end(), [&](const logic::VariableUse &use) {
    return use.variable == variable && !use.primed;
  });
}

bool reads(const Edge &edge, Variable variable) {
  if (mentions(edge.relation, variable))
    return true;
  if (const auto *fork = std::get_if<Fork>(&edge.action))
    return (fork->id && mentions(*fork->id, variable)) ||
           std::any_of(fork->arguments.begin(), fork->arguments.end(),
                       [&](Term argument) { return mentions(argument, variable); });
  const auto *join = std::get_if<Join>(&edge.action);
  return join && join->id && mentions(*join->id, variable);
}

std::vector<bool> liveAt(const Template &type, Variable variable) {
  std::vector<bool> live(type.locations.size(), false);
  struct Flow {
    LocationId from, to;
  };
  std::vector<Flow> flows; // along which the value is kept
  for (const Edge &edge : type.edges) {
    if (reads(edge, variable))
      live[edge.source] = true;
    if (!std::binary_search(edge.modified.begin(), edge.modified.end(), variable))
      flows.push_back({edge.source, edge.target});
  }
  for (LocationId l = 0; l < type.locations.size(); ++l)
    if (type.locations[l].waiting)
      flows.push_back({l, type.locations[l].waiting->wakesTo});
  for (bool changed = true; changed;) {
    changed = false;
    for (const Flow &flow : flows)
      if (live[flow.to] && !live[flow.from])
        changed = live[flow.from] = true;
  }
  return live;
}

} // namespace

std::vector<DeadLocal> deadIds(const Program &program, const IdUse &ids) {
  std::vector<DeadLocal> result;
  for (TemplateId t = 0; t < program.templates.size(); ++t) {
    const Template &type = program.templates[t];
    for (uint32_t v = 0; v < type.locals.size(); ++v) {
      if (!ids.variables.contains(type.locals[v]) || type.locals[v].sort().isArray())
        continue;
      std::vector<bool> live = liveAt(type, type.locals[v]);
      for (LocationId l = 0; l < live.size(); ++l)
        if (!live[l])
          result.push_back({t, l, v});
    }
  }
  return result;
}

} // namespace understudy::compose::exploration
