// SPDX-License-Identifier: Apache-2.0
//
// The check of uncoverability proofs, on examples and against the brute-force definition.
#include "compose/proof/CoverCheck.h"
#include "tests/Support.h"
#include "tests/compose/cover/BruteForce.h"
#include "tests/compose/cover/RandomNet.h"

#include <catch2/catch.hpp>

#include <algorithm>

namespace understudy::tests {
namespace {

using namespace compose::cover;
using namespace compose::cover::net;
using namespace compose::proof;

constexpr size_t maxElements = 400;

/// The system of Figure 4 of the widening paper with the target (2 |).
CoverProblem figureFour() {
  CoverProblem problem;
  problem.net.sharedStates = 4;
  problem.net.localStates = 3;
  auto add = [&](SharedState from, LocalState l, SharedState to, LocalState m) {
    problem.net.transitions.push_back({from, to, {{l, 1}}, {{m, 1}}, {}, {}, 0});
  };
  add(0, 0, 3, 1);
  add(3, 1, 3, 2);
  add(0, 2, 1, 0);
  add(1, 2, 2, 0);
  add(3, 2, 0, 0);
  for (SharedState s : {1U, 2U, 3U})
    add(s, 0, s, 0);
  for (SharedState s : {0U, 1U, 2U})
    add(s, 1, s, 1);
  add(2, 2, 2, 2);
  problem.net.starts.push_back({0, {}, {0}});
  problem.targets.push_back({2, {}});
  return problem;
}

/// Figure 8.
CoverProof figureEight() {
  return {{{0, {{1, 1}}},
           {0, {{2, 1}}},
           {1, {}},
           {2, {}},
           {3, {{1, 1}, {2, 1}}},
           {3, {{1, 2}}},
           {3, {{2, 2}}}}};
}

std::vector<Configuration> mutated(const CoverProblem &problem, std::vector<Configuration> elements,
                                   Random &random) {
  auto local = [&] { return static_cast<LocalState>(random.below(problem.net.localStates)); };
  size_t at = elements.empty() ? 0 : random.below(elements.size());
  switch (elements.empty() ? 3 : random.below(4)) {
  case 0:
    elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(at));
    break;
  case 1: {
    Threads &threads = elements[at].threads;
    LocalState more = local();
    auto there = std::find_if(threads.begin(), threads.end(),
                              [&](const Group &group) { return group.local == more; });
    if (there == threads.end())
      threads.push_back({more, 1});
    else
      ++there->count;
    std::sort(threads.begin(), threads.end());
    break;
  }
  case 2:
    if (Threads &threads = elements[at].threads; !threads.empty()) {
      size_t group = random.below(threads.size());
      if (--threads[group].count == 0)
        threads.erase(threads.begin() + static_cast<std::ptrdiff_t>(group));
    }
    break;
  default:
    elements.push_back(
        {static_cast<SharedState>(random.below(problem.net.sharedStates)), {{local(), 1}}});
    break;
  }
  std::sort(elements.begin(), elements.end());
  return elements;
}

bool isAntichain(const std::vector<Configuration> &elements) {
  for (size_t a = 0; a < elements.size(); ++a)
    for (size_t b = 0; b < elements.size(); ++b)
      if (a != b && brute::covers(elements[a], elements[b]))
        return false;
  return true;
}

/// Condition 4 by the letter; none: too large.
std::optional<bool> isMinimal(const CoverProblem &problem,
                              const std::vector<Configuration> &elements) {
  for (const Configuration &element : elements)
    for (size_t i = 0; i < element.threads.size(); ++i) {
      Configuration smaller = element;
      if (--smaller.threads[i].count == 0)
        smaller.threads.erase(smaller.threads.begin() + static_cast<std::ptrdiff_t>(i));
      auto found = brute::backward({problem.net, {smaller}}, maxElements);
      if (!found)
        return std::nullopt;
      if (!found->coverable)
        return false;
    }
  return true;
}

} // namespace

TEST_CASE("cover check: the proof of Figure 8") {
  const CoverProblem problem = figureFour();
  const CoverProof proof = figureEight();
  CHECK(faultOf(problem, proof) == std::nullopt);
  CHECK(minimalityOf(problem, proof, 10'000) == Minimality::Minimal);
  CHECK(minimalityOf(problem, proof, 0) == Minimality::NotKnown);
}

TEST_CASE("cover check: what is wrong with a proof is said") {
  const CoverProblem problem = figureFour();
  CoverProof proof = figureEight();
  SECTION("a target is missing") {
    proof.uncoverable.erase(proof.uncoverable.begin() + 3);
    CHECK(faultOf(problem, proof) == "condition 1: the target (2 |) covers no element");
  }
  SECTION("a predecessor is missing") {
    proof.uncoverable.pop_back();
    CHECK(faultOf(problem, proof) ==
          "condition 2: (3 | 2, 2) covers no element and reaches (0 | 2), or a larger one, by "
          "transition 5");
  }
  SECTION("a start is excluded") {
    proof.uncoverable[0].threads = {{0, 1}};
    CHECK(faultOf(problem, proof) == "condition 3: (0 | 0) is covered by a start configuration");
  }
  SECTION("an element covers another") {
    proof.uncoverable.back().threads = {{1, 2}, {2, 3}};
    std::sort(proof.uncoverable.begin(), proof.uncoverable.end());
    CHECK(faultOf(problem, proof) == "(3 | 1, 1, 2, 2, 2) covers another element");
  }
  SECTION("elements are not sorted") {
    std::swap(proof.uncoverable[0], proof.uncoverable[1]);
    CHECK(faultOf(problem, proof) == "element 2, (0 | 1), is out of order: elements must be "
                                     "sorted and distinct");
  }
  SECTION("states that do not exist") {
    proof.uncoverable.back().threads = {{3, 1}};
    CHECK(faultOf(problem, proof) == "element 7 is not a configuration of the model");
    proof.uncoverable.back() = {4, {}};
    CHECK(faultOf(problem, proof) == "element 7 is not a configuration of the model");
  }
}

TEST_CASE("cover check: random systems, by the letter") {
  size_t decided = 0, proofs = 0, found = 0, rejected = 0, accepted = 0, minimal = 0, reducible = 0;
  const size_t all = runs(20'000);
  for (size_t i = 0; i < all; ++i) {
    const uint64_t seed = seedOf(i);
    const CoverProblem problem = randomCoverProblem(seed);
    INFO("seed " << seed << "\n" << describe(problem));
    auto expected = brute::backward(problem, maxElements);
    auto reached = brute::forward(problem, 6, 2'000);
    if (!expected)
      continue;
    ++decided;
    if (expected->coverable) {
      found += reached == true ? 1 : 0;
      continue;
    }
    CHECK(reached != true);
    ++proofs;
    CHECK(faultOf(problem, {expected->basis}) == std::nullopt);
    if (auto known = isMinimal(problem, expected->basis)) {
      CHECK(minimalityOf(problem, {expected->basis}, 100'000) ==
            (*known ? Minimality::Minimal : Minimality::NotMinimal));
      ++(*known ? minimal : reducible);
    }
    Random random(seed);
    for (int k = 0; k < 4; ++k) {
      auto mutant = mutated(problem, expected->basis, random);
      bool right = isAntichain(mutant) && brute::isProof(problem, mutant);
      auto fault = faultOf(problem, {mutant});
      INFO("mutant " << k << ": " << fault.value_or("accepted"));
      CHECK(fault.has_value() == !right);
      ++(right ? accepted : rejected);
    }
  }
  INFO(decided << " decided, " << proofs << " proofs, " << found << " traces, " << rejected
               << " mutants rejected, " << accepted << " accepted, " << minimal << " minimal, "
               << reducible << " not");
  CHECK(decided * 10 >= all * 9);
  CHECK(proofs * 5 >= all);
  CHECK(found * 10 >= (decided - proofs) * 8);
  CHECK(rejected * 2 >= proofs);
  CHECK(minimal * 20 >= proofs);
  CHECK(reducible * 20 >= proofs);
}

} // namespace understudy::tests
