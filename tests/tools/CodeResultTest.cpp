// SPDX-License-Identifier: Apache-2.0
#include "tools/report/CodeResult.h"
#include "tools/ExitCode.h"
#include "tools/report/CodeReport.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::tools;
using namespace understudy::tools::options;
using namespace understudy::tools::report;
using compose::Answer;
using passes::ConformAnswer;
using passes::ViolationKind;

namespace {

passes::ThreadConformance thread(const std::string &name, ConformAnswer answer) {
  passes::ThreadConformance result;
  result.thread = name;
  result.function = name;
  result.answer = answer;
  if (answer == ConformAnswer::Unknown)
    result.reason = "too hard";
  if (answer == ConformAnswer::Violates)
    result.story.emplace().kind = ViolationKind::Return;
  if (answer == ConformAnswer::Conforms) {
    result.vacuity.emplace();
    result.unreached.emplace();
  }
  return result;
}

CodeResult conforming(const std::vector<ConformAnswer> &answers) {
  CodeResult result;
  result.command = options::CommandName::Conform;
  for (size_t i = 0; i < answers.size(); ++i)
    result.conformance.threads.push_back(
        thread(std::string(1, static_cast<char>('A' + i)), answers[i]));
  return result;
}

Result engine(Answer answer) {
  Result result;
  result.verdict.answer = answer;
  if (answer == Answer::Unknown)
    result.verdict.reason = "too many states";
  if (answer == Answer::Safe)
    result.verdict.scope = "for 2 or fewer A threads";
  return result;
}

CodeResult checked(const std::vector<ConformAnswer> &answers, Answer contracts) {
  CodeResult result = conforming(answers);
  result.command = options::CommandName::Check;
  result.composition.emplace().contracts = engine(contracts);
  return result;
}

std::string verdictOf(CodeResult result, Switch strict = Switch::Off) {
  judge(result, strict);
  return verdictLine(result);
}

constexpr auto yes = ConformAnswer::Conforms;
constexpr auto no = ConformAnswer::Violates;
constexpr auto open = ConformAnswer::Unknown;

} // namespace

TEST_CASE("conform: violates outweighs unknown outweighs conforms", "[tools]") {
  CHECK(verdictOf(conforming({yes, yes})) ==
        "verdict: conforms (provided the composition is safe)");
  CHECK(verdictOf(conforming({yes, open})) == "verdict: unknown (B: too hard)");
  CHECK(verdictOf(conforming({open, open, yes})) ==
        "verdict: unknown (A: too hard; and 1 more thread)");
  CHECK(verdictOf(conforming({open, no, yes})) ==
        "verdict: violates (B: it returns before the contract has ended)");
  CHECK(verdictOf(conforming({no, no, no})) ==
        "verdict: violates (A: it returns before the contract has ended; and 2 more threads)");
}

TEST_CASE("conform: start values that disagree are a violation", "[tools]") {
  CodeResult result = conforming({yes});
  result.conformance.start.emplace().kind = ViolationKind::Start;
  CHECK(violates(result.conformance));
  CHECK(verdictOf(result) == "verdict: violates (initial values differ from the contract)");
}

TEST_CASE("check: the composition decides when every thread conforms", "[tools]") {
  CHECK(verdictOf(checked({yes}, Answer::Safe)) == "verdict: safe (for 2 or fewer A threads)");
  CHECK(verdictOf(checked({yes}, Answer::Unknown)) == "verdict: unknown (too many states)");
  CHECK(verdictOf(checked({yes, open}, Answer::Safe)) == "verdict: unknown (B: too hard)");
}

TEST_CASE("check: a failure of the contracts is not one of the code", "[tools]") {
  CodeResult result = checked({yes}, Answer::Unsafe);
  CHECK(verdictOf(result) == "verdict: unsafe (contracts)");
  result.composition->code = engine(Answer::Safe);
  CHECK(verdictOf(result) == "verdict: unsafe (contracts)");
  result.composition->code = engine(Answer::Unknown);
  CHECK(verdictOf(result) == "verdict: unsafe (contracts)");
  result.composition->code = engine(Answer::Unsafe);
  CHECK(verdictOf(result) == "verdict: unsafe");
}

TEST_CASE("check: without contracts the composition is the code", "[tools]") {
  CodeResult result = checked({}, Answer::Unsafe);
  result.composition->hasContracts = false;
  CHECK(verdictOf(result) == "verdict: unsafe");
}

TEST_CASE("check: what a weak contract allows decides nothing while a thread is unknown",
          "[tools]") {
  CodeResult result = checked({open}, Answer::Unsafe);
  CHECK(verdictOf(result) == "verdict: unknown (A: too hard)");
  result.composition->code = engine(Answer::Unsafe);
  CHECK(verdictOf(result) == "verdict: unsafe");
}

TEST_CASE("check: --strict makes a proof under assumptions unknown, and only that", "[tools]") {
  CodeResult proven = checked({yes}, Answer::Safe);
  CHECK(verdictOf(proven, Switch::On) == "verdict: safe (for 2 or fewer A threads)");
  proven.conformance.assumptions = {"the sun rises"};
  CHECK(verdictOf(proven, Switch::On) ==
        "verdict: unknown (safe only under assumptions, which --strict does not allow)");
  CodeResult broken = checked({yes}, Answer::Unsafe);
  broken.conformance.assumptions = {"the sun rises"};
  CHECK(verdictOf(broken, Switch::On) == "verdict: unsafe (contracts)");
}

TEST_CASE("check: assumptions are listed once, in a fixed order", "[tools]") {
  CodeResult result = checked({yes, yes}, Answer::Safe);
  addAssumptions(result, {"of the contract"});
  result.conformance.threads[0].assumptions = {"of A", "of both"};
  result.conformance.threads[1].assumptions = {"of both", "of B"};
  result.conformance.assumptions = {"of the system", "of A"};
  result.composition->contracts.verdict.assumptions = {"of the contract", "of the code"};
  judge(result, Switch::Off);
  CHECK(result.assumptions == std::vector<std::string>{"of the contract", "of A", "of both", "of B",
                                                       "of the system", "of the code"});
}

TEST_CASE("conform and check: exit codes", "[tools]") {
  CHECK(exitCodeOf(CodeAnswer::Conforms) == Proven);
  CHECK(exitCodeOf(CodeAnswer::Safe) == Proven);
  CHECK(exitCodeOf(CodeAnswer::Violates) == Violation);
  CHECK(exitCodeOf(CodeAnswer::Unsafe) == Violation);
  CHECK(exitCodeOf(CodeAnswer::Unknown) == Undecided);
}

TEST_CASE("check: the run line as the contract has it", "[tools]") {
  compose::Program program;
  program.templates.resize(3);
  program.templates[0].name = "PnpStop";
  program.templates[1].name = "PnpAdd";
  program.templates[2].name = "Timer";
  program.starts = {{0, 1, false}, {1, 0, true}, {2, 3, false}};
  CHECK(runLine(program) == "run PnpStop, PnpAdd*, Timer * 3;");
}

TEST_CASE("check: the report names every thread", "[tools]") {
  CodeResult result = checked({yes, open}, Answer::Safe);
  result.standForThemselves = {"Starter"};
  result.environments = {"Clock"};
  result.conformance.threads[0].sharedSteps = 3;
  result.conformance.threads[0].vacuity->states.push_back({"Last", {}});
  result.conformance.plainAccesses = {"a.c:3: plain read of x", "a.c:4: plain write of x",
                                      "a.c:3: plain read of x"};
  judge(result, Switch::Off);
  CHECK(textReport(result, Verbosity::Normal, TraceLength::Excerpt) ==
        "A:        conforms (3 steps)\n"
        "  the code never reaches state Last\n"
        "B:        unknown (too hard)\n"
        "Starter:  no contract, its code stands for itself\n"
        "Clock:    environment, has no code\n"
        "composition: safe (for 2 or fewer A threads)\n"
        "deadlock not checked\n"
        "accesses that need sequential consistency: 2\n"
        "assumptions: none\n"
        "certificate: none\n"
        "verdict: unknown (B: too hard)\n");
  CHECK(textReport(result, Verbosity::Quiet, TraceLength::Excerpt) ==
        "verdict: unknown (B: too hard)\n");
}

TEST_CASE("check: code that is never reached is listed, and unknown with --strict", "[tools]") {
  CodeResult result = checked({yes}, Answer::Safe);
  auto file = std::make_shared<logic::SourceFile>("a.c", "\n\n  assert(open);\n  b[i] = 1;\n");
  result.conformance.threads[0].unreached->never = {{"assert(open)", {file, {3, 3}, {3, 9}}}};
  CHECK(verdictOf(result) == "verdict: safe (for 2 or fewer A threads)");
  CHECK(verdictOf(result, Switch::On) == "verdict: unknown (A: never reached: a.c:3 assert(open))");
  CHECK(textReport(result, Verbosity::Normal, TraceLength::Excerpt)
            .find("\n  never reached: a.c:3 assert(open)\n") != std::string::npos);
  result.conformance.threads[0].unreached->never.clear();
  result.conformance.threads[0].unreached->outside = {{"b[i] = 1", {file, {4, 3}, {4, 4}}}};
  CHECK(verdictOf(result, Switch::On) ==
        "verdict: unknown (A: index may be out of bounds: a.c:4 b[i] = 1)");
  result.conformance.threads[0].unreached.reset();
  CHECK(verdictOf(result, Switch::On) ==
        "verdict: unknown (A: cannot tell which code is never reached, as --strict requires)");
}
