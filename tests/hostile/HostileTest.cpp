// SPDX-License-Identifier: Apache-2.0
//
// No `conforms` for code that is seen to violate.
#include "Generate.h"
#include "Shrink.h"
#include "Trial.h"

#include <catch2/catch.hpp>

#include <iostream>
#include <map>

namespace understudy::tests::hostile {
namespace {

using passes::ConformAnswer;

constexpr size_t batchSize = 20;
constexpr size_t mostDefects = 5;
constexpr size_t watchedRuns = 1000;
constexpr size_t patientRuns = 20'000; ///< where the tool says what a violation may depend on

struct Tally {
  size_t conforms = 0;
  size_t violates = 0;
  size_t unknown = 0;
  size_t open = 0;    ///< of those: see `isOpen`
  size_t refused = 0; ///< of those: see `isRefused`
  size_t leftOut = 0; ///< a marker names no state
  size_t seen = 0;    ///< to violate
  size_t refuted = 0; ///< of those
  size_t defects = 0;
  std::map<std::string, size_t> reasons;
  size_t total() const { return conforms + violates + unknown; }
  /// For no reason that lies in the program.
  size_t imprecise() const { return unknown - open - refused; }
};

bool says(const std::string &reason, const std::string &words) {
  return reason.find(words) != std::string::npos;
}

/// A violation depends on memory that the contract does not name.
bool isAboutOthers(const std::string &reason) {
  return says(reason, "the contract does not name") || says(reason, "address escapes") ||
         says(reason, "is volatile");
}

/// If others change that memory there is one: `conforms` would be wrong, and whether others do the
/// contract does not say.
bool isOpen(const std::string &reason, const std::optional<Seen> &seen) {
  return seen && isAboutOthers(reason);
}

/// A function without body gets hold of a callback that touches named variables, or the depth of a
/// recursion is no constant.
bool isRefused(const std::string &reason) {
  return says(reason, "is not available, and it may call") || says(reason, "recursion: ");
}

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

/// A program that is seen to violate what the tool says it conforms to.
struct Defect {
  uint64_t seed;
  uint64_t file; ///< the seed of the file that it was in
  Program program;
  FiniteSystem system;
};

/// Is it one still, with a part of the program left out?
bool isDefect(const Defect &defect, const Program &program, Sight sight) {
  const Trial trial({program}, defect.file, sight);
  return trial.watch(0, defect.system, defect.seed, watchedRuns) &&
         trial.ask(defect.system).verdict == ConformAnswer::Conforms;
}

Program shrunk(const Defect &defect, Sight sight, size_t attempts) {
  return shrunk(
      defect.program, [&](const Program &smaller) { return isDefect(defect, smaller, sight); },
      attempts);
}

void report(const Defect &defect, const Seen &seen, const Answer &answer) {
  const Program small = shrunk(defect, Sight::Whole, 200);
  std::cout << "seed " << defect.seed << " conforms, but " << word(seen.breach) << ":\n"
            << seen.story << text(small) << contractText(defect.system) << answer.why << "\n";
  FAIL_CHECK("code that violates conforms, seed " << defect.seed);
}

void count(const std::string &reason, const std::optional<Seen> &seen, Tally &tally) {
  if (isRefused(reason))
    ++tally.refused;
  else if (isOpen(reason, seen))
    ++tally.open;
  else
    ++tally.reasons[kindOf(reason)];
}

std::optional<Defect> compare(uint64_t seed, const Trial &trial, size_t index, Sight sight,
                              Tally &tally) {
  const auto system = trial.contract(index, seed);
  if (!system) {
    ++tally.leftOut;
    return std::nullopt;
  }
  auto seen = trial.watch(index, *system, seed, watchedRuns);
  const Answer answer = trial.ask(*system);
  if (!seen && answer.verdict == ConformAnswer::Unknown && isAboutOthers(answer.reason))
    seen = trial.watch(index, *system, seed, patientRuns);
  ++(answer.verdict == ConformAnswer::Conforms   ? tally.conforms
     : answer.verdict == ConformAnswer::Violates ? tally.violates
                                                 : tally.unknown);
  if (answer.verdict == ConformAnswer::Unknown)
    count(answer.reason, seen, tally);
  if (!seen)
    return std::nullopt;
  ++tally.seen;
  tally.refuted += answer.verdict == ConformAnswer::Violates;
  if (answer.verdict != ConformAnswer::Conforms)
    return std::nullopt;
  ++tally.defects;
  const Defect defect{seed, trial.seed(), trial.program(index), *system};
  if (sight == Sight::Whole && tally.defects <= mostDefects)
    report(defect, *seen, answer);
  return defect;
}

std::vector<Defect> compareBatch(size_t first, size_t count, Sight sight, Tally &tally) {
  std::vector<Program> programs;
  for (size_t run = first; run < first + count; ++run)
    programs.push_back(randomProgram(seedOf(run)));
  const Trial trial(programs, seedOf(first), sight);
  std::vector<Defect> defects;
  for (size_t i = 0; i < count; ++i)
    if (auto defect = compare(seedOf(first + i), trial, i, sight, tally))
      defects.push_back(*defect);
  return defects;
}

void print(const Tally &tally) {
  std::cout << "hostile programs: " << tally.total() << ", " << tally.conforms << " conform, "
            << tally.violates << " violate, " << tally.unknown << " unknown ("
            << 100 * tally.unknown / std::max<size_t>(1, tally.total()) << " %: " << tally.open
            << " depend on memory of others, " << tally.refused
            << " refused for callbacks and recursion, " << tally.imprecise()
            << " for other reasons), " << tally.leftOut << " left out; " << tally.seen
            << " seen to violate, " << tally.refuted << " of them refuted\n";
  for (const auto &[reason, count] : tally.reasons)
    std::cout << "  " << count << " unknown: " << reason << "\n";
}

} // namespace

TEST_CASE("no hostile program conforms that is seen to violate") {
  Tally tally;
  const size_t count = runs(20000);
  for (size_t first = 0; first < count && tally.defects < mostDefects; first += batchSize)
    compareBatch(first, std::min(batchSize, count - first), Sight::Whole, tally);
  print(tally);
  CHECK(tally.defects == 0);
  CHECK(tally.imprecise() * 20 <= tally.total());
}

TEST_CASE("a tool that forgets is caught, and the program shrinks") {
  Tally tally;
  constexpr size_t most = 20 * batchSize;
  std::vector<Defect> defects;
  for (size_t first = 0; first < most && defects.empty(); first += batchSize)
    defects = compareBatch(first, batchSize, Sight::Forgetful, tally);
  REQUIRE_FALSE(defects.empty());
  const Defect &defect = defects.front();
  INFO("seed " << defect.seed << "\n" << text(defect.program));
  const Program small = shrunk(defect, Sight::Forgetful, 30);
  CHECK(sizeOf(small) < sizeOf(defect.program));
  CHECK(isDefect(defect, small, Sight::Forgetful));
  CHECK_FALSE(isDefect(defect, small, Sight::Whole));
}

} // namespace understudy::tests::hostile
