// SPDX-License-Identifier: Apache-2.0
#include "Verdicts.h"

#include <algorithm>

namespace understudy::tests {

namespace {

/// An array is one variable.
std::string variableOf(const SharedVariable &shared) {
  return shared.elements > 0 ? shared.array() : shared.name;
}

} // namespace

std::set<int> neverWritten(const FiniteSystem &system) {
  std::set<std::string> written;
  auto write = [&](int v) { written.insert(variableOf(system.shared[static_cast<size_t>(v)])); };
  for (const Part &part : system.parts)
    for (const ContractState &state : part.contract.states)
      for (const ContractEdge &edge : state.edges) {
        std::for_each(edge.havoc.begin(), edge.havoc.end(), write);
        if (edge.formula)
          for (int v : primedIn(*edge.formula).shared)
            write(v);
      }
  std::set<int> result;
  for (size_t v = 0; v < system.shared.size(); ++v)
    if (!system.shared[v].isLock() && !written.contains(variableOf(system.shared[v])))
      result.insert(static_cast<int>(v));
  return result;
}

std::optional<Disproof> bruteForce(const FiniteSystem &system, size_t index,
                                   ConcreteThread::Elsewhere elsewhere, Reading reading) {
  const SharedSpace space(system.shared);
  const Part &part = system.parts[index];
  const std::set<int> constants = neverWritten(system);
  std::set<std::vector<int>> seen;
  for (GlobalId g = 0; g < space.size(); ++g) {
    std::vector<int> values;
    for (int v : constants)
      values.push_back(space.value(g, v));
    if (!seen.insert(values).second)
      continue;
    ConcreteThread thread(space, part.code, elsewhere, {constants, g}, World::Conformance, reading);
    ContractMachine machine(space, system, part.contract);
    if (auto found = disproof(thread, machine))
      return found;
  }
  return std::nullopt;
}

} // namespace understudy::tests
