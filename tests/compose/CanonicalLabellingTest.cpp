// SPDX-License-Identifier: Apache-2.0
#include "compose/CanonicalLabelling.h"

#include "compose/Mix.h"
#include "tests/Support.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>
#include <set>

using namespace understudy;
using namespace understudy::compose;
using namespace understudy::tests;

namespace {

using Fact = std::pair<uint64_t, std::vector<uint32_t>>;

struct Structure {
  uint32_t atoms = 0;
  std::vector<Fact> facts;
};

Structure renamed(Structure structure, const std::vector<uint32_t> &names) {
  for (Fact &fact : structure.facts)
    for (uint32_t &atom : fact.second)
      atom = names[atom];
  std::sort(structure.facts.begin(), structure.facts.end());
  return structure;
}

/// The structure, written in canonical order.
std::vector<Fact> canonical(const Structure &structure, CanonicalLabelling &labelling) {
  labelling.begin(structure.atoms);
  for (const Fact &fact : structure.facts)
    labelling.fact(std::span(&fact.first, 1), fact.second);
  const std::vector<uint32_t> &order = labelling.run();
  REQUIRE(order.size() == structure.atoms);
  std::vector<uint32_t> names(structure.atoms, ~0u);
  for (uint32_t i = 0; i < order.size(); ++i)
    names[order[i]] = i;
  REQUIRE(std::find(names.begin(), names.end(), ~0u) == names.end());
  return renamed(structure, names).facts;
}

std::vector<uint32_t> identity(uint32_t atoms) {
  std::vector<uint32_t> names(atoms);
  std::iota(names.begin(), names.end(), 0);
  return names;
}

/// The least way to write it, by trying all.
std::vector<Fact> least(const Structure &structure) {
  std::vector<uint32_t> names = identity(structure.atoms);
  std::vector<Fact> best = renamed(structure, names).facts;
  while (std::next_permutation(names.begin(), names.end()))
    best = std::min(best, renamed(structure, names).facts);
  return best;
}

void addFact(Random &random, Structure &structure, size_t labels) {
  Fact fact{random.below(labels), {}};
  for (size_t n = 1 + random.below(3); n > 0; --n)
    fact.second.push_back(static_cast<uint32_t>(random.below(structure.atoms)));
  structure.facts.push_back(std::move(fact));
}

/// Sparse, regular and repetitive structures, where refinement alone decides little.
Structure randomStructure(Random &random, uint32_t most) {
  Structure structure{static_cast<uint32_t>(1 + random.below(most)), {}};
  const uint32_t atoms = structure.atoms;
  switch (random.below(4)) {
  case 0: // rings
    for (uint32_t length = 1 + static_cast<uint32_t>(random.below(4)), i = 0; i < atoms; ++i) {
      uint32_t ring = i / length * length;
      structure.facts.push_back({0, {i, std::min(atoms - 1, ring + (i + 1 - ring) % length)}});
    }
    break;
  case 1: // a forest
    for (uint32_t i = 1; i < atoms; ++i)
      if (!random.oneIn(3))
        structure.facts.push_back({0, {static_cast<uint32_t>(random.below(i)), i}});
    break;
  default:
    for (size_t n = random.below(2 * atoms); n > 0; --n)
      addFact(random, structure, 2);
  }
  for (size_t n = random.below(3); n > 0; --n)
    addFact(random, structure, 3);
  return structure;
}

void shuffle(Random &random, std::vector<uint32_t> &names) {
  for (size_t i = names.size(); i > 1; --i)
    std::swap(names[i - 1], names[random.below(i)]);
}

} // namespace

TEST_CASE("a canonical labelling does not depend on the names") {
  CanonicalLabelling labelling;
  for (size_t run = 0; run < runs(100'000); ++run) {
    const uint64_t seed = seedOf(run);
    INFO("seed " << seed);
    Random random(seed);
    const Structure structure = randomStructure(random, run % 10 == 0 ? 30 : 9);
    std::vector<uint32_t> names = identity(structure.atoms);
    shuffle(random, names);
    auto text = canonical(structure, labelling);
    if (!labelling.complete())
      continue;
    REQUIRE(canonical(renamed(structure, names), labelling) == text);
  }
}

TEST_CASE("structures with one labelling are isomorphic, and the other way round") {
  CanonicalLabelling labelling;
  for (size_t run = 0; run < runs(3'000); ++run) {
    const uint64_t seed = seedOf(run);
    INFO("seed " << seed);
    Random random(seed);
    const Structure first = randomStructure(random, 5);
    Structure second = first; // nearly the same
    if (!second.facts.empty()) {
      Fact &fact = second.facts[random.below(second.facts.size())];
      fact.second[random.below(fact.second.size())] =
          static_cast<uint32_t>(random.below(second.atoms));
    }
    const bool same = canonical(first, labelling) == canonical(second, labelling);
    REQUIRE(same == (least(first) == least(second)));
  }
}

TEST_CASE("labels of one hash are told apart") {
  // Two words whose label has the hash of one word: the hash of a sequence is undone, word by word.
  constexpr uint64_t spread = 0x9e3779b97f4a7c15ull;
  const uint64_t one = 7, first = 3;
  const uint64_t hash = mixed(1, one);
  const uint64_t before = mixed(2, first);
  // mixed(before, second) == hash, where mix is undone by its own inner value.
  const uint64_t second = (1 + 1) * spread + one - (before + 1) * spread;
  REQUIRE(mixed(before, second) == hash);
  const uint64_t shortLabel[] = {one}, longLabel[] = {first, second};
  // Pairs of atoms, each with both labels: what differs is which atom has which.
  auto order = [&](bool swapped, CanonicalLabelling &labelling) {
    labelling.begin(2);
    const uint32_t a = swapped ? 1 : 0, b = swapped ? 0 : 1;
    labelling.fact(shortLabel, std::span(&a, 1));
    labelling.fact(longLabel, std::span(&b, 1));
    const std::vector<uint32_t> &atoms = labelling.run();
    return atoms[0] == a;
  };
  CanonicalLabelling labelling;
  CHECK(order(false, labelling) == order(true, labelling));
}

TEST_CASE("components are labelled apart, and the limit on work is told") {
  auto rings = [](uint32_t count, uint32_t length) {
    Structure structure{count * length, {}};
    for (uint32_t i = 0; i < count * length; ++i)
      structure.facts.push_back({7, {i, i / length * length + (i + 1) % length}});
    return structure;
  };
  CanonicalLabelling labelling;
  canonical(rings(4, 3), labelling);
  CHECK(labelling.complete());
  canonical(rings(100, 3), labelling);
  CHECK(labelling.complete());
  canonical(rings(1, 2000), labelling);
  CHECK_FALSE(labelling.complete());
  labelling.begin(0);
  CHECK(labelling.run().empty());
}
