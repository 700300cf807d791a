// SPDX-License-Identifier: Apache-2.0
#include "Verdicts.h"

namespace understudy::tests {

std::optional<Disproof> bruteForce(const FiniteSystem &system, size_t index,
                                   ConcreteThread::Elsewhere elsewhere) {
  const SharedSpace space(system.shared);
  const Part &part = system.parts[index];
  ConcreteThread thread(space, part.code, elsewhere);
  ContractMachine machine(space, system, part.contract);
  return disproof(thread, machine);
}

} // namespace understudy::tests
