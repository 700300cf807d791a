// SPDX-License-Identifier: Apache-2.0
//
// Random programs with few states: what trace abstraction says, with each of its three algorithms,
// against the explicit engine and the search through the reference interpreter.
#include "Judging.h"
#include "Naive.h"
#include "RandomConc.h"
#include "RandomContract.h"
#include "RandomForks.h"
#include "Support.h"
#include "compose/petri/Petrify.h"
#include "compose/refine/Refine.h"
#include "logic/Error.h"

#include <catch2/catch.hpp>

#include <iostream>
#include <map>

namespace understudy::tests {
namespace {

using compose::Answer;
using compose::Program;
using compose::refine::Algorithm;

struct Opinion {
  bool compared = false;
  Answer expected = Answer::Unknown;
  size_t undecided = 0; ///< algorithms without an answer
  uint32_t width = 0;
  std::string reason;
  std::string defect;
};

/// The most threads of one template alive together on the way, among those that are forked.
uint32_t widthOf(const Program &program, const compose::Trace &trace) {
  std::vector<bool> forked(program.templates.size());
  for (const compose::Template &thread : program.templates)
    for (const compose::Edge &edge : thread.edges)
      if (const auto *fork = std::get_if<compose::Fork>(&edge.action))
        forked[fork->thread] = true;
  uint32_t width = 0;
  auto look = [&](const compose::Configuration &configuration) {
    std::map<compose::TemplateId, uint32_t> counts;
    for (const compose::Thread &thread : configuration.threads)
      if (forked[thread.thread])
        width = std::max(width, ++counts[thread.thread]);
  };
  look(trace.start);
  for (const compose::Step &step : trace.steps)
    look(step.after);
  return width;
}

std::string compare(const Program &program, const compose::Verdict &expected, Algorithm algorithm,
                    Opinion &opinion) {
  compose::refine::RefineOptions options;
  options.algorithm = algorithm;
  options.maxWidth = 6;
  options.resources = 2'000'000;
  options.maxStates = 20'000;
  options.maxRefinements = 60;
  const compose::refine::RefineResult got = compose::refine::verifyRefine(program, options);
  const compose::Verdict &verdict = got.verdict;
  const std::string who = "algorithm " + std::to_string(static_cast<int>(algorithm)) + ": ";
  if (verdict.answer == Answer::Unknown) {
    ++opinion.undecided;
    opinion.reason = verdict.reason;
    return verdict.reason.empty() ? who + "unknown without a reason" : "";
  }
  if (verdict.answer != expected.answer)
    return who + "expected " + word(expected.answer) + ", got " + word(verdict.answer);
  if (verdict.answer == Answer::Safe) {
    if (got.proof.empty())
      return who + "safe without a proof";
    return verdict.width == expected.width ? "" : who + "wrong width";
  }
  if (auto defect = compose::replay(program, *verdict.trace))
    return who + *defect;
  const uint32_t least = compose::petri::leastLimit(program);
  if (algorithm == Algorithm::SafetyFirst && got.limit > least &&
      widthOf(program, *verdict.trace) != got.limit)
    return who + "not the least limit";
  return "";
}

Opinion judge(Language language, const std::string &text) {
  Opinion opinion;
  try {
    const Program program = compiled(language, text);
    if (runsAnyNumber(program))
      return opinion;
    const compose::Verdict expected = explored(program, 0, 20'000);
    if (expected.answer == Answer::Unknown || !expected.scope.empty())
      return opinion;
    opinion.compared = true;
    opinion.expected = expected.answer;
    opinion.width = expected.width.value_or(0);
    const NaiveResult naive = exploreNaively(program, {});
    if (naive.answer != Answer::Unknown && naive.answer != expected.answer)
      opinion.defect = "the interpreter disagrees with the explicit engine";
    for (Algorithm algorithm : {Algorithm::SafetyFirst, Algorithm::BoundFirst, Algorithm::Together})
      if (opinion.defect.empty())
        opinion.defect = compare(program, expected, algorithm, opinion);
  } catch (const logic::Error &) {
    return opinion;
  }
  return opinion;
}

struct Count {
  size_t compared = 0, safe = 0, unsafe = 0, undecided = 0, wide = 0;
  Reasons reasons;

  void add(uint64_t seed, const std::string &text, Language language = Language::Conc) {
    const Opinion opinion = judge(language, text);
    compared += opinion.compared ? 1 : 0;
    safe += opinion.expected == Answer::Safe ? 1 : 0;
    unsafe += opinion.expected == Answer::Unsafe ? 1 : 0;
    wide += opinion.width > 1 ? 1 : 0;
    undecided += opinion.undecided;
    reasons.add(opinion.reason);
    if (opinion.undecided > 0 && std::getenv("UNDERSTUDY_NOTES"))
      std::cout << "  seed " << seed << ": " << opinion.reason << "\n";
    requireNoDefect(seed, text, opinion.defect,
                    [&](const std::string &candidate) { return judge(language, candidate); });
  }
  void tell(const std::string &name) const {
    std::cout << name << ": " << compared << " programs, " << safe << " safe (" << wide
              << " wider than 1), " << unsafe << " unsafe, " << undecided
              << " answers of three each unknown\n";
    reasons.tell();
  }
};

} // namespace

TEST_CASE("refine: random programs that fork and join") {
  Count count;
  const size_t all = runs(2000);
  for (size_t i = 0; i < all; ++i)
    count.add(seedOf(i), randomForks(seedOf(i)));
  count.tell("refine, forks");
  CHECK(count.compared * 2 >= all);
  CHECK(count.safe * 5 >= count.compared);
  CHECK(count.unsafe * 8 >= count.compared);
  CHECK(count.wide * 10 >= count.compared);
  CHECK(count.undecided * 20 <= count.compared * 3);
}

TEST_CASE("refine: random CONC programs") {
  Count count;
  const size_t all = runs(1000);
  for (size_t i = 0; i < all; ++i)
    count.add(seedOf(i), randomConc(seedOf(i)));
  count.tell("refine, CONC");
  CHECK(count.compared * 3 >= all);
  CHECK(count.undecided * 20 <= count.compared * 3);
}

TEST_CASE("refine: random contracts") {
  Count count;
  const size_t all = runs(1000);
  for (size_t i = 0; i < all; ++i)
    count.add(seedOf(i), randomContract(seedOf(i)), Language::Contract);
  count.tell("refine, contracts");
  CHECK(count.compared * 5 >= all);
  CHECK(count.unsafe * 10 >= count.compared);
  CHECK(count.undecided * 20 <= count.compared * 3);
}

} // namespace understudy::tests
