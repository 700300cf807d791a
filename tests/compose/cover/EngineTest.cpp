// SPDX-License-Identifier: Apache-2.0
//
// The engine against the brute-force definition: verdicts agree, every trace fires by the letter,
// every proof is accepted, and changed proofs are rejected unless they are proofs.
#include "../../Support.h"
#include "BruteForce.h"
#include "RandomNet.h"
#include "compose/cover/Cover.h"
#include "compose/proof/CoverCheck.h"

#include <catch2/catch.hpp>

#include <algorithm>

namespace understudy::tests {
namespace {

using namespace compose::cover;
using namespace compose::cover::net;
using namespace compose::proof;
using compose::Answer;

std::vector<CoverOptions> variants() {
  using Algorithm = CoverOptions::Algorithm;
  std::vector<CoverOptions> result;
  for (Algorithm algorithm : {Algorithm::Backward, Algorithm::Cat, Algorithm::Lean}) {
    CoverOptions options;
    options.algorithm = algorithm;
    options.oracle = CoverOptions::Oracle::Off;
    options.prePass = CoverOptions::PrePass::Off;
    result.push_back(options);
    options.widenThreads = 2;
    options.prePass = CoverOptions::PrePass::On;
    result.push_back(options);
  }
  result.emplace_back(); // as users get it
  return result;
}

/// Without one element, or with one thread more or less somewhere.
std::vector<std::vector<Configuration>> changed(const std::vector<Configuration> &elements) {
  std::vector<std::vector<Configuration>> result;
  for (size_t i = 0; i < elements.size(); ++i) {
    auto without = elements;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    result.push_back(without);
    if (elements[i].threads.empty())
      continue;
    auto larger = elements;
    ++larger[i].threads.back().count;
    result.push_back(larger);
    auto smaller = elements;
    if (--smaller[i].threads.back().count == 0)
      smaller[i].threads.pop_back();
    std::sort(smaller.begin(), smaller.end());
    result.push_back(smaller);
  }
  return result;
}

bool isCanonical(const std::vector<Configuration> &elements) {
  for (size_t a = 0; a < elements.size(); ++a)
    for (size_t b = 0; b < elements.size(); ++b)
      if (a != b && brute::covers(elements[a], elements[b]))
        return false;
  return std::is_sorted(elements.begin(), elements.end());
}

struct Count {
  size_t safe = 0, unsafe = 0, rejected = 0, undecided = 0;
};

void compare(const CoverProblem &problem, const CoverOptions &options,
             const std::optional<brute::Backward> &expected, Count &count) {
  const CoverAnswer answer = decideCover(problem, options);
  if (answer.answer == Answer::Unknown) {
    ++count.undecided;
    CHECK(!answer.reason.empty());
    return;
  }
  if (expected)
    CHECK((answer.answer == Answer::Unsafe) == expected->coverable);
  if (answer.answer == Answer::Unsafe) {
    ++count.unsafe;
    REQUIRE(answer.trace);
    CHECK(brute::isTrace(problem, *answer.trace));
    return;
  }
  ++count.safe;
  REQUIRE(answer.proof);
  CHECK(faultOf(problem, *answer.proof) == std::nullopt);
  if (!expected)
    return;
  for (const auto &mutant : changed(answer.proof->uncoverable)) {
    const bool right = isCanonical(mutant) && brute::isProof(problem, mutant);
    CHECK(faultOf(problem, {mutant}).has_value() == !right);
    count.rejected += right ? 0 : 1;
  }
}

} // namespace

TEST_CASE("cover engine: random systems against the definition") {
  Count count;
  size_t decided = 0;
  const size_t all = runs(20'000);
  const auto settings = variants();
  for (size_t i = 0; i < all; ++i) {
    const uint64_t seed = seedOf(i);
    const CoverProblem problem = randomCoverProblem(seed);
    const auto expected = brute::backward(problem, 400);
    decided += expected ? 1 : 0;
    for (size_t k = 0; k < settings.size(); ++k) {
      INFO("seed " << seed << ", variant " << k << "\n" << describe(problem));
      compare(problem, settings[k], expected, count);
    }
  }
  INFO(decided << " decided by the letter, " << count.safe << " safe, " << count.unsafe
               << " unsafe, " << count.undecided << " undecided, " << count.rejected
               << " mutants rejected");
  CHECK(decided * 10 >= all * 9);
  CHECK(count.safe >= all);
  CHECK(count.unsafe >= all);
  CHECK(count.rejected >= count.safe);
  CHECK(count.undecided == 0);
}

} // namespace understudy::tests
