// SPDX-License-Identifier: Apache-2.0
#include "compose/portfolio/Looks.h"

#include <algorithm>
#include <map>
#include <set>

namespace understudy::compose::portfolio {

namespace {

/// The locations that can follow `source`, along edges.
std::set<LocationId> reachable(const Template &thread, LocationId source) {
  std::set<LocationId> seen{source};
  std::vector<LocationId> open{source};
  while (!open.empty()) {
    LocationId at = open.back();
    open.pop_back();
    for (const Edge &edge : thread.edges)
      if (edge.source == at && seen.insert(edge.target).second)
        open.push_back(edge.target);
  }
  return seen;
}

} // namespace

std::vector<std::string> openThreads(const Program &program) {
  std::vector<std::string> names;
  for (const Start &start : program.starts)
    if (const std::string &name = program.templates[start.thread].name;
        start.unbounded && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  return names;
}

bool hasForks(const Program &program) {
  return std::any_of(program.templates.begin(), program.templates.end(), [](const auto &thread) {
    return std::any_of(thread.edges.begin(), thread.edges.end(),
                       [](const Edge &edge) { return std::holds_alternative<Fork>(edge.action); });
  });
}

std::optional<uint32_t> widthOfStart(const Program &program) {
  if (hasForks(program) || !openThreads(program).empty())
    return std::nullopt;
  std::map<TemplateId, uint32_t> numbers;
  uint32_t most = 0;
  for (const Start &start : program.starts)
    most = std::max(most, numbers[start.thread] += start.count);
  return most;
}

bool mayForkForever(const Program &program) {
  std::set<std::pair<TemplateId, TemplateId>> forks;
  for (TemplateId id = 0; id < program.templates.size(); ++id)
    for (const Edge &edge : program.templates[id].edges)
      if (const auto *fork = std::get_if<Fork>(&edge.action)) {
        forks.emplace(id, fork->thread);
        if (reachable(program.templates[id], edge.target).contains(edge.source))
          return true;
      }
  for (TemplateId via = 0; via < program.templates.size(); ++via)
    for (TemplateId from = 0; from < program.templates.size(); ++from)
      for (TemplateId to = 0; to < program.templates.size(); ++to)
        if (forks.contains({from, via}) && forks.contains({via, to}))
          forks.emplace(from, to);
  return std::any_of(forks.begin(), forks.end(),
                     [](auto fork) { return fork.first == fork.second; });
}

} // namespace understudy::compose::portfolio
