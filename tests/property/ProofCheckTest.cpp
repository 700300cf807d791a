// SPDX-License-Identifier: Apache-2.0
//
// Random programs: the checks of proofs against the reference interpreter. The reachable states are
// a proof, as a list and as a counting invariant, exactly if nothing goes wrong, and none without
// one of them. What the sequential engine calls safe its invariants prove; for what goes wrong no
// invariants do.
#include "RandomConc.h"
#include "RandomContract.h"
#include "Support.h"
#include "compose/ProgramCopy.h"
#include "compose/proof/CountingCheck.h"
#include "compose/proof/ExplicitCheck.h"
#include "compose/proof/ReachableEvidence.h"
#include "compose/proof/SequentialProofCheck.h"
#include "compose/sequential/Sequential.h"
#include "logic/Error.h"
#include "specs/Compile.h"
#include "specs/syntax/Parse.h"

#include <catch2/catch.hpp>

#include <iostream>

namespace understudy::tests {
namespace {

using compose::proof::Discharge;
using Outcome = Discharge::Outcome;

constexpr size_t maxStates = 60;

struct Tally {
  size_t proved = 0;
  size_t refuted = 0;
  size_t skipped = 0;
};

std::optional<Program> compiledConc(const std::string &text) {
  try {
    auto file = std::make_shared<const logic::SourceFile>("random.conc", text);
    return specs::compile(specs::syntax::parseConc(file).tree, {specs::SpuriousWakeups::Off})
        .program;
  } catch (const logic::Error &) {
    return std::nullopt;
  }
}

std::optional<Program> compiledContract(const std::string &text) {
  try {
    auto file = std::make_shared<const logic::SourceFile>("random.contract", text);
    auto compiled =
        specs::compile(specs::syntax::parseContract(file).tree, {specs::SpuriousWakeups::On});
    return compiled.withoutContract.empty() ? std::optional(compiled.program) : std::nullopt;
  } catch (const logic::Error &) {
    return std::nullopt;
  }
}

ThreadCounts twoOfEach(const Program &program) {
  ThreadCounts counts;
  for (const Start &start : program.starts)
    if (start.unbounded)
      counts[start.thread] = 2;
  return counts;
}

Outcome counted(const Program &program, const std::vector<Configuration> &states, Follow follow,
                const ThreadCounts &counts) {
  Discharge found = compose::proof::discharge(
      compose::proof::countingObligations(compose::withNumbers(program, counts),
                                          evidenceFor(program, states, follow)),
      {});
  UNSCOPED_INFO(found.obligation.name << ": " << found.obligation.meaning << " " << found.reason);
  return found.outcome;
}

/// A list of the states must be as good as the invariant.
bool isProof(const Program &program, const std::vector<Configuration> &states,
             const ThreadCounts &counts) {
  return !compose::proof::faultOfStates(program, {states}, counts,
                                        compose::proof::DeadlockClaim::None);
}

void checkStates(const Program &program, uint64_t seed, Tally &tally) {
  ThreadCounts counts = twoOfEach(program);
  auto explored = explore(program, counts, maxStates);
  if (!explored || explored->states.empty() || joinsById(program)) {
    ++tally.skipped;
    return;
  }
  Follow follow = seed % 2 == 0 ? Follow::Singles : Follow::Nobody;
  CHECK(isProof(program, explored->states, counts) == !explored->wrong);
  CHECK(counted(program, explored->states, follow, counts) ==
        (explored->wrong ? Outcome::Fails : Outcome::Holds));
  ++(explored->wrong ? tally.refuted : tally.proved);
  if (explored->wrong || explored->states.size() == 1)
    return;
  Random random(seed);
  auto &states = explored->states;
  states.erase(states.begin() + static_cast<std::ptrdiff_t>(random.below(states.size())));
  CHECK_FALSE(isProof(program, states, counts));
  CHECK(counted(program, states, follow, counts) == Outcome::Fails);
}

template <typename Generate, typename Compile>
void checkMany(const std::string &kind, Generate generate, Compile compile, size_t count) {
  Tally tally;
  for (size_t i = 0; i < count; ++i) {
    uint64_t seed = seedOf(i);
    std::string text = generate(seed);
    INFO("seed " << seed << "\n" << text);
    auto program = compile(text);
    if (!program) {
      ++tally.skipped;
      continue;
    }
    try {
      checkStates(*program, seed, tally);
    } catch (const logic::Unsupported &) {
      ++tally.skipped; // infinitely many states
    }
  }
  std::cout << "proofs of " << kind << ": " << tally.proved << " hold, " << tally.refuted
            << " refuted, " << tally.skipped << " skipped\n";
  CHECK(tally.proved * 10 >= count);
  CHECK(tally.refuted * 10 >= count);
}

/// Where something goes wrong, neither nothing nor "anything is possible" is a proof.
std::vector<compose::proof::SequentialEvidence> lies(const Program &program) {
  compose::proof::SequentialEvidence anything;
  const Template &thread = program.templates[program.starts[0].thread];
  for (LocationId location = 0; location < thread.locations.size(); ++location)
    anything.invariants.push_back({location, "true"});
  return {{}, anything};
}

} // namespace

TEST_CASE("reachable states of random CONC programs are proofs") {
  checkMany("CONC programs", randomConc, compiledConc, runs(2000));
}

TEST_CASE("reachable states of random contracts are proofs") {
  checkMany("contracts", randomContract, compiledContract, runs(2000));
}

TEST_CASE("invariants of random programs of one thread are proofs") {
  Tally tally;
  const size_t count = runs(2000);
  for (size_t i = 0; i < count; ++i) {
    uint64_t seed = seedOf(i);
    std::string text = randomOneThreadConc(seed);
    INFO("seed " << seed << "\n" << text);
    auto program = compiledConc(text);
    compose::sequential::SequentialOptions limits;
    limits.resources = 20'000'000;
    limits.boxes = seed % 2 == 0 ? compose::sequential::SequentialOptions::Boxes::On
                                 : compose::sequential::SequentialOptions::Boxes::Off;
    auto result = program ? compose::sequential::verifySequential(*program, limits)
                          : compose::sequential::SequentialResult{};
    if (result.verdict.answer == compose::Answer::Safe) {
      Discharge found = compose::proof::discharge(
          compose::proof::sequentialObligations(*program, compose::proof::evidenceOf(result)), {});
      INFO(found.obligation.name << ": " << found.obligation.meaning << " " << found.reason);
      CHECK(found.outcome == Outcome::Holds);
      ++tally.proved;
    } else if (result.verdict.answer == compose::Answer::Unsafe) {
      for (const compose::proof::SequentialEvidence &lie : lies(*program))
        CHECK(compose::proof::discharge(compose::proof::sequentialObligations(*program, lie), {})
                  .outcome == Outcome::Fails);
      ++tally.refuted;
    } else {
      ++tally.skipped;
    }
  }
  std::cout << "proofs of one thread: " << tally.proved << " hold, " << tally.refuted
            << " refuted, " << tally.skipped << " skipped\n";
  CHECK(tally.proved * 5 >= count);
  CHECK(tally.refuted * 5 >= count);
}

} // namespace understudy::tests
