// SPDX-License-Identifier: Apache-2.0
#include "RandomSystem.h"

#include "Derive.h"
#include "Mutate.h"
#include "Verdicts.h"

#include <algorithm>
#include <functional>

namespace understudy::tests {
namespace {

constexpr size_t mostContractStates = 12;

struct Taste {
  Scale scale;
  size_t unrelated = 12;  ///< one in so many contracts is not derived from the code
  size_t distortions = 4; ///< fewer than so many changes that may break it
  bool locks = false;
  Reading reading = Reading::AsWorded; ///< for which contracts are derived
};

/// Markers name states that exist.
void repairMarkers(Random &random, Block &block, const ThreadContract &contract) {
  for (Statement &statement : block) {
    const bool known =
        std::any_of(contract.states.begin(), contract.states.end(),
                    [&](const ContractState &state) { return state.name == statement.name; });
    if (statement.kind == Statement::Kind::Marker && !known)
      statement.name = random.pick(contract.states).name;
    repairMarkers(random, statement.body, contract);
    repairMarkers(random, statement.orElse, contract);
  }
}

/// They may then name any state.
void forgetMarkers(Block &block) {
  for (Statement &statement : block) {
    statement.name.clear();
    forgetMarkers(statement.body);
    forgetMarkers(statement.orElse);
  }
}

std::optional<Part> randomPart(Random &random, const SharedSpace &space,
                               const std::optional<Formula> &invariant, const Taste &taste,
                               const std::string &suffix) {
  Part part;
  part.code = randomCode(random, space.variables(), taste.scale, "f" + suffix);
  const std::string name = "T" + suffix;
  const bool unrelated = random.oneIn(taste.unrelated);
  part.contract = unrelated
                      ? randomContract(random, space, name)
                      : derivedContract(random, space, invariant, part.code, name, taste.reading);
  if (part.contract.states.empty() || part.contract.states.size() > mostContractStates)
    return std::nullopt;
  const size_t looser = random.below(4);
  for (size_t i = 0; i < looser; ++i)
    loosen(random, space, part.contract);
  const size_t distortions = random.below(taste.distortions);
  for (size_t i = 0; i < distortions; ++i)
    distort(random, space, part.contract);
  if (!tidy(part.contract) || !keepsLockRules(space, part.contract))
    return std::nullopt;
  if (random.oneIn(8))
    forgetMarkers(part.code.body);
  repairMarkers(random, part.code.body, part.contract);
  return part;
}

/// The first attempt that works out.
FiniteSystem attempt(uint64_t seed,
                     const std::function<std::optional<FiniteSystem>(Random &)> &make) {
  Random random(seed);
  for (;;)
    try {
      if (auto system = make(random)) {
        system->prefix = "g" + std::to_string(seed) + "_";
        return *system;
      }
    } catch (const TooLarge &) {
      continue;
    }
}

/// Is the verdict the same in both readings of accesses to memory that the contract does not name?
bool readsOneWay(const FiniteSystem &system) {
  using Elsewhere = ConcreteThread::Elsewhere;
  return bruteForce(system, 0, Elsewhere::Local).has_value() ==
         bruteForce(system, 0, Elsewhere::Step).has_value();
}

std::vector<SharedVariable> variablesFor(Random &random, const Taste &taste) {
  return taste.locks ? randomLockedVariables(random, taste.scale)
                     : randomVariables(random, taste.scale);
}

std::optional<FiniteSystem> pair(Random &random, uint64_t seed, const Taste &taste) {
  FiniteSystem system;
  system.shared = variablesFor(random, taste);
  const SharedSpace space(system.shared);
  if (random.oneIn(10))
    system.invariant = randomClaim(random, space);
  auto part = randomPart(random, space, system.invariant, taste, std::to_string(seed));
  if (!part)
    return std::nullopt;
  system.parts.push_back(*part);
  if (!readsOneWay(system))
    return std::nullopt;
  return system;
}

} // namespace

FiniteSystem randomPair(uint64_t seed) {
  return attempt(seed, [&](Random &random) { return pair(random, seed, Taste{}); });
}

FiniteSystem tinyPair(uint64_t seed) {
  Taste taste;
  taste.scale = {4, 2, 4};
  return attempt(seed, [&](Random &random) { return pair(random, seed, taste); });
}

FiniteSystem randomLockedPair(uint64_t seed) {
  Taste taste;
  taste.locks = true;
  taste.distortions = 2;
  return attempt(seed, [&](Random &random) { return pair(random, seed, taste); });
}

namespace {

FiniteSystem threads(uint64_t seed, Taste taste) {
  taste.scale = {taste.locks ? 24ul : 12ul, 3, 5};
  taste.unrelated = 1000;
  taste.distortions = 1;
  return attempt(seed, [&](Random &random) -> std::optional<FiniteSystem> {
    FiniteSystem system;
    system.shared = variablesFor(random, taste);
    const SharedSpace space(system.shared);
    if (random.oneIn(6))
      system.invariant = randomClaim(random, space);
    size_t left = 1 + random.below(3);
    for (size_t number = 0; left > 0; ++number) {
      const size_t count = left > 1 && random.oneIn(3) ? 2 : 1;
      auto part = randomPart(random, space, system.invariant, taste,
                             std::to_string(seed) + "_" + std::to_string(number));
      if (!part)
        return std::nullopt;
      part->count = static_cast<int>(count);
      system.parts.push_back(*part);
      left -= count;
    }
    return system;
  });
}

} // namespace

FiniteSystem randomThreads(uint64_t seed) { return threads(seed, {}); }

FiniteSystem randomLockedThreads(uint64_t seed) {
  return randomLockedThreads(seed, Reading::AsWorded);
}

FiniteSystem randomLockedThreads(uint64_t seed, Reading reading) {
  Taste taste;
  taste.reading = reading;
  taste.locks = true;
  return threads(seed, taste);
}

} // namespace understudy::tests
