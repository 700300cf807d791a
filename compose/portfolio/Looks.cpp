// SPDX-License-Identifier: Apache-2.0
#include "compose/portfolio/Looks.h"

#include <algorithm>
#include <map>

namespace understudy::compose::portfolio {

std::vector<std::string> openThreads(const Program &program) {
  std::vector<std::string> names;
  for (const Start &start : program.starts)
    if (const std::string &name = program.templates[start.thread].name;
        start.unbounded && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  return names;
}

bool hasUnboundedData(const Program &program) {
  auto isUnbounded = [](Variable variable) {
    const logic::Sort sort = variable.sort();
    return (sort.isArray() ? sort.element() : sort).kind() == logic::SortKind::Int;
  };
  return std::any_of(program.globals.begin(), program.globals.end(), isUnbounded) ||
         std::any_of(program.templates.begin(), program.templates.end(), [&](const auto &thread) {
           return std::any_of(thread.locals.begin(), thread.locals.end(), isUnbounded);
         });
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

} // namespace understudy::compose::portfolio
