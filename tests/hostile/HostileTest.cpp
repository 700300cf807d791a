// SPDX-License-Identifier: Apache-2.0
//
// No `conforms` for code that is seen to violate.
#include "Generate.h"
#include "Trial.h"

#include <catch2/catch.hpp>

#include <iostream>
#include <map>

namespace understudy::tests::hostile {
namespace {

using passes::ConformAnswer;

constexpr size_t batchSize = 40;
constexpr size_t mostDefects = 5;
constexpr size_t watchedRuns = 1000;

struct Tally {
  size_t conforms = 0;
  size_t violates = 0;
  size_t unknown = 0;
  size_t leftOut = 0; ///< a marker names no state
  size_t seen = 0;    ///< to violate
  size_t refuted = 0; ///< of those
  size_t defects = 0;
  std::map<std::string, size_t> reasons;
  size_t total() const { return conforms + violates + unknown; }
};

/// Without names and numbers: reasons are counted by kind.
std::string kindOf(const std::string &reason) {
  std::string kind;
  bool quoted = false;
  for (char c : reason) {
    if (c == '\'')
      quoted = !quoted;
    else if (!quoted && (c < '0' || c > '9'))
      kind += c;
  }
  return kind;
}

void report(uint64_t seed, const Trial &trial, size_t index, const FiniteSystem &system,
            const Seen &seen, const Answer &answer) {
  std::cout << "seed " << seed << " conforms, but " << word(seen.breach) << ":\n"
            << seen.story << text(trial.program(index)) << contractText(system) << answer.why
            << "\n";
  FAIL_CHECK("code that violates conforms, seed " << seed);
}

void compare(uint64_t seed, const Trial &trial, size_t index, Tally &tally) {
  const auto system = trial.contract(index, seed);
  if (!system) {
    ++tally.leftOut;
    return;
  }
  const auto seen = trial.watch(index, *system, seed, watchedRuns);
  const Answer answer = trial.ask(*system);
  ++(answer.verdict == ConformAnswer::Conforms   ? tally.conforms
     : answer.verdict == ConformAnswer::Violates ? tally.violates
                                                 : tally.unknown);
  if (answer.verdict == ConformAnswer::Unknown)
    ++tally.reasons[kindOf(answer.reason)];
  if (!seen)
    return;
  ++tally.seen;
  tally.refuted += answer.verdict == ConformAnswer::Violates;
  if (answer.verdict == ConformAnswer::Conforms && ++tally.defects <= mostDefects)
    report(seed, trial, index, *system, *seen, answer);
}

void compareBatch(size_t first, size_t count, Tally &tally) {
  std::vector<Program> programs;
  for (size_t run = first; run < first + count; ++run)
    programs.push_back(randomProgram(seedOf(run)));
  const Trial trial(programs, seedOf(first));
  for (size_t i = 0; i < count; ++i)
    compare(seedOf(first + i), trial, i, tally);
}

void print(const Tally &tally) {
  std::cout << "hostile programs: " << tally.total() << ", " << tally.conforms << " conform, "
            << tally.violates << " violate, " << tally.unknown << " unknown, " << tally.leftOut
            << " left out; " << tally.seen << " seen to violate, " << tally.refuted
            << " of them refuted\n";
  for (const auto &[reason, count] : tally.reasons)
    std::cout << "  " << count << " unknown: " << reason << "\n";
}

} // namespace

TEST_CASE("no hostile program conforms that is seen to violate") {
  Tally tally;
  const size_t count = runs(20000);
  for (size_t first = 0; first < count && tally.defects < mostDefects; first += batchSize)
    compareBatch(first, std::min(batchSize, count - first), tally);
  print(tally);
  CHECK(tally.defects == 0);
}

} // namespace understudy::tests::hostile
