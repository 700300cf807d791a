// SPDX-License-Identifier: Apache-2.0
#include "Theorem.h"

#include "Interleave.h"
#include "RandomSystem.h"
#include "Verdicts.h"
#include "compose/exploration/Explicit.h"
#include "specs/Compile.h"

namespace understudy::tests {
namespace {

constexpr uint64_t attempts = 40;
constexpr size_t onlyOneIn = 8;

bool someFailsAlone(const FiniteSystem &system) {
  for (size_t i = 0; i < system.parts.size(); ++i)
    if (failsAlone(system, i))
      return true;
  return false;
}

} // namespace

bool allConform(const FiniteSystem &system, Reading reading) {
  for (size_t i = 0; i < system.parts.size(); ++i)
    if (bruteForce(system, i, ConcreteThread::Elsewhere::Local, reading))
      return false;
  return true;
}

bool composesSafely(const FiniteSystem &system) {
  const auto file =
      std::make_shared<const logic::SourceFile>("random.contract", contractText(system));
  const auto compiled = specs::compile(specs::syntax::parseContract(file).tree, {});
  return compose::exploration::verifyExplicit(compiled.program, {}).answer == compose::Answer::Safe;
}

FiniteSystem theoremSystem(uint64_t seed) { return theoremSystem(seed, randomThreads); }

FiniteSystem theoremSystem(uint64_t seed, const std::function<FiniteSystem(uint64_t)> &make,
                           Reading reading) {
  Random random(seed);
  for (uint64_t attempt = 0;; ++attempt) {
    const FiniteSystem system = make(seed * attempts + attempt);
    if (attempt + 1 == attempts || random.oneIn(onlyOneIn))
      return system;
    try {
      const bool safe = reading != Reading::AsWorded || !codeFails(system);
      if (someFailsAlone(system) && safe && allConform(system, reading) && composesSafely(system))
        return system;
    } catch (const TooLarge &) {
      continue;
    }
  }
}

std::string TheoremTally::text() const {
  return std::to_string(systems) + " systems, " + std::to_string(codeFails) +
         " whose code goes wrong, " + std::to_string(proved) + " proved, of these " +
         std::to_string(telling) + " in which a thread needs the others to go right";
}

bool theoremHolds(const FiniteSystem &system, bool conform, TheoremTally &tally) {
  const bool wrong = codeFails(system).has_value();
  const bool proved = conform && composesSafely(system);
  ++tally.systems;
  tally.codeFails += wrong;
  tally.proved += proved;
  tally.telling += proved && someFailsAlone(system);
  return !(proved && wrong);
}

} // namespace understudy::tests
