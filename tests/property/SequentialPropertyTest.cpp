// SPDX-License-Identifier: Apache-2.0
//
// Random programs of one thread and finite data: the sequential engine against the explicit one.
#include "RandomConc.h"
#include "Shrink.h"
#include "Support.h"
#include "compose/exploration/Explicit.h"
#include "compose/sequential/Sequential.h"
#include "logic/Error.h"
#include "specs/Compile.h"
#include "specs/syntax/Parse.h"

#include <catch2/catch.hpp>

#include <iostream>
#include <map>

namespace understudy::tests {
namespace {

using compose::Answer;

struct Opinion {
  Answer expected = Answer::Unknown;
  Answer got = Answer::Unknown;
  std::string reason;
  std::string defect;
};

std::string defectOf(const compose::Program &program, const compose::Verdict &expected,
                     const compose::sequential::SequentialResult &got) {
  const compose::Verdict &verdict = got.verdict;
  if (verdict.engine != compose::EngineName::Sequential)
    return "another engine's name";
  if (verdict.answer == Answer::Unknown)
    return verdict.reason.empty() ? "unknown without a reason" : "";
  if (verdict.answer != expected.answer)
    return "expected " + word(expected.answer) + ", got " + word(verdict.answer);
  if (verdict.answer == Answer::Safe)
    return "";
  if (!verdict.trace)
    return "unsafe without a trace";
  return compose::replay(program, *verdict.trace).value_or("");
}

/// Expected unknown: the program is rejected or too large for the explicit engine.
Opinion judge(const std::string &text, compose::sequential::SequentialOptions::Boxes boxes) {
  Opinion opinion;
  try {
    auto file = std::make_shared<const logic::SourceFile>("random.conc", text);
    const compose::Program program =
        specs::compile(specs::syntax::parseConc(file).tree, {specs::SpuriousWakeups::Off}).program;
    compose::exploration::ExplicitOptions options;
    options.maxStates = 20000;
    const compose::Verdict expected = compose::exploration::verifyExplicit(program, options);
    opinion.expected = expected.answer;
    opinion.reason = expected.reason;
    if (expected.answer == Answer::Unknown)
      return opinion;
    compose::sequential::SequentialOptions limits;
    limits.resources = 20'000'000;
    limits.boxes = boxes;
    const compose::sequential::SequentialResult got =
        compose::sequential::verifySequential(program, limits);
    opinion.got = got.verdict.answer;
    opinion.reason = got.verdict.reason;
    opinion.defect = defectOf(program, expected, got);
  } catch (const logic::Error &error) {
    opinion.reason = error.what();
  }
  return opinion;
}

} // namespace

TEST_CASE("random programs of one thread") {
  size_t judged = 0;
  size_t unknown = 0;
  std::map<Answer, size_t> answers;
  std::map<std::string, size_t> reasons;
  const size_t count = runs(4000);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t seed = seedOf(i);
    const std::string text = randomOneThreadConc(seed);
    const auto boxes = seed % 2 == 0 ? compose::sequential::SequentialOptions::Boxes::On
                                     : compose::sequential::SequentialOptions::Boxes::Off;
    const Opinion opinion = judge(text, boxes);
    ++reasons[opinion.reason];
    if (!opinion.defect.empty()) {
      const std::string smallest = shrink(text, [&](const std::string &candidate) {
        return judge(candidate, boxes).defect == opinion.defect;
      });
      FAIL_CHECK("seed " << seed << ": " << opinion.defect << "\n" << smallest);
    }
    if (opinion.expected == Answer::Unknown)
      continue;
    ++judged;
    ++answers[opinion.expected];
    unknown += opinion.got == Answer::Unknown ? 1 : 0;
  }
  std::cout << "one thread: " << count << " programs, " << answers[Answer::Safe] << " safe, "
            << answers[Answer::Unsafe] << " unsafe, " << unknown << " of them unknown\n";
  if (std::getenv("UNDERSTUDY_NOTES"))
    for (const auto &[reason, times] : reasons)
      std::cout << "  " << times << " " << reason << "\n";
  CHECK(judged * 10 >= count * 8);
  CHECK(answers[Answer::Safe] * 5 >= judged);
  CHECK(answers[Answer::Unsafe] * 5 >= judged);
  CHECK(unknown * 20 <= judged);
}

} // namespace understudy::tests
