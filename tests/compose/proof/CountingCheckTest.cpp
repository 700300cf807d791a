// SPDX-License-Identifier: Apache-2.0
#include "compose/proof/CountingCheck.h"
#include "tests/Support.h"

#include "compose/ProgramCopy.h"
#include "logic/Error.h"
#include "tests/specs/CompileSupport.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

using namespace understudy;
using namespace understudy::compose;
using namespace understudy::compose::proof;

namespace {

using Outcome = Discharge::Outcome;
using logic::solver::SolverProgram;

std::string fileText(const std::string &name) {
  std::ifstream stream(tests::sourceFolder() + "/" + name);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

LocationId locationOf(const Program &program, const std::string &thread, const std::string &name) {
  const Template &type = program.templates.at(*program.templateNamed(thread));
  for (LocationId i = 0; i < type.locations.size(); ++i)
    if (type.locations[i].name == name)
      return i;
  throw std::logic_error("no location " + name);
}

/// Evidence by names.
class Evidenced {
public:
  explicit Evidenced(const Program &program) : program_(program) {}

  Evidenced &follow(const std::string &thread) {
    evidence.singles.push_back(*program_.templateNamed(thread));
    return *this;
  }
  Evidenced &crowd(const std::string &thread, const std::string &location,
                   std::vector<logic::Value> locals = {}) {
    evidence.crowds.push_back({*program_.templateNamed(thread),
                               locationOf(program_, thread, location), std::move(locals)});
    return *this;
  }
  Evidenced &at(const std::vector<std::string> &control, const std::string &formula) {
    Control locations;
    for (size_t i = 0; i < control.size(); ++i)
      locations.push_back(
          locationOf(program_, program_.templates[evidence.singles[i]].name, control[i]));
    evidence.invariants.push_back({locations, formula});
    return *this;
  }

  CountingEvidence evidence;

private:
  using Control = std::vector<LocationId>;
  const Program &program_;
};

/// Both solvers must say the same. The answer as text: "holds", or the failing obligation.
std::string verdict(const Program &program, const CountingEvidence &evidence,
                    const ThreadCounts &counts = {}) {
  ObligationScript script;
  try {
    script = countingObligations(withNumbers(program, counts), evidence);
  } catch (const InvalidEvidence &invalid) {
    return invalid.what();
  }
  std::string answers[2];
  for (SolverProgram solver : {SolverProgram::Z3, SolverProgram::Cvc5}) {
    Discharge result = discharge(script, {solver, 60});
    answers[solver == SolverProgram::Z3 ? 0 : 1] =
        result.outcome == Outcome::Holds ? "holds"
        : result.outcome == Outcome::Fails
            ? result.obligation.meaning
            : "unknown: " + result.obligation.meaning + ": " + result.reason;
  }
  CHECK(answers[0] == answers[1]);
  return answers[0];
}

Program bluetooth() {
  return tests::compileContract(fileText("tests/data/bluetooth.contract")).program;
}

const std::vector<std::string> workerStates{"Start", "Entered", "Working", "Leaving",
                                            "Left",  "Last",    "Done"};

const std::string holders = "count.PnpAdd.Entered count.PnpAdd.Working count.PnpAdd.Leaving";
const std::string own = "(= pendingIO (+ 1 " + holders + "))";
const std::string gone = "(= pendingIO (+ " + holders + "))";
const std::string quiet = "(not stoppingEvent) (= count.PnpAdd.Last 0) (not stopped)";
const std::string nobodyWorks = "(= count.PnpAdd.Working 0)";
const std::string lastMeansIdle =
    "(=> (or stoppingEvent (> count.PnpAdd.Last 0)) " + nobodyWorks + ")";

std::string all(const std::vector<std::string> &parts) {
  std::string text = "(and true";
  for (const std::string &part : parts)
    text += " " + part;
  return text + ")";
}

Evidenced bluetoothProof(const Program &program) {
  Evidenced proof(program);
  proof.follow("PnpStop");
  for (const std::string &state : workerStates)
    proof.crowd("PnpAdd", state);
  return proof.at({"Start"}, all({own, quiet}))
      .at({"Announced"}, all({own, quiet, "stoppingFlag"}))
      .at({"Left"}, all({gone, "stoppingFlag", "(not stopped)", lastMeansIdle}))
      .at({"Last"}, all({gone, "stoppingFlag", "(not stopped)", nobodyWorks}))
      .at({"Waiting"}, all({gone, "stoppingFlag", "(not stopped)", lastMeansIdle}))
      .at({"Freeing"}, all({gone, "stoppingFlag", nobodyWorks}))
      .at({"Done"}, all({gone, "stoppingFlag", nobodyWorks}));
}

} // namespace

TEST_CASE("the Bluetooth protocol has a proof for any number of workers") {
  Program program = bluetooth();
  CountingEvidence proof = bluetoothProof(program).evidence;
  CHECK(verdict(program, proof) == "holds");
  CHECK(verdict(program, proof, {{*program.templateNamed("PnpAdd"), 3}}) == "holds");
}

TEST_CASE("a wrong counting proof is rejected for the right reason") {
  Program program = bluetooth();
  Evidenced proof = bluetoothProof(program);
  std::vector<CountingEvidence::At> &invariants = proof.evidence.invariants;

  SECTION("an invariant is weakened") {
    invariants[4].formula = all({gone, "stoppingFlag", "(not stopped)"});
    CHECK(verdict(program, proof.evidence) ==
          "the step '-> Freeing : stoppingEvent' of PnpStop (test.contract:29), taken with PnpStop "
          "in Waiting, leads to the invariant for PnpStop in Freeing");
  }
  SECTION("a conjunct is dropped where a step needs it") {
    invariants[0].formula = all({own, "(not stoppingEvent)", "(not stopped)"});
    CHECK(verdict(program, proof.evidence) ==
          "the step '-> Announced : stoppingFlag'' of PnpStop (test.contract:24), taken with "
          "PnpStop in Start, leads to the invariant for PnpStop in Announced");
  }
  SECTION("an invariant is too strong at the start") {
    invariants[0].formula = all({own, quiet, "stoppingFlag"});
    CHECK(verdict(program, proof.evidence) ==
          "the initial state leads to the invariant for PnpStop in Start");
  }
  SECTION("an invariant allows what goes wrong") {
    for (CountingEvidence::At &at : invariants)
      at.formula = "true";
    CHECK(verdict(program, proof.evidence) ==
          "the step '!stopped' of PnpAdd (test.contract:13) never fails, "
          "PnpStop in Start");
  }
  SECTION("a crowd is missing") {
    std::erase_if(proof.evidence.crowds, [&](const auto &crowd) {
      return crowd.location == locationOf(program, "PnpAdd", "Last");
    });
    for (CountingEvidence::At &at : invariants) {
      size_t found = at.formula.find("count.PnpAdd.Last");
      if (found != std::string::npos)
        at.formula.replace(found, std::string("count.PnpAdd.Last").size(), "0");
    }
    CHECK(verdict(program, proof.evidence) ==
          "the step '-> Last : pendingIO == 0' of PnpAdd (test.contract:17) leads to a listed "
          "crowd, PnpStop in Left");
  }
  SECTION("the first crowd is missing") {
    proof.evidence.crowds.erase(proof.evidence.crowds.begin());
    CHECK(verdict(program, proof.evidence) ==
          "every PnpAdd thread that starts in Start is in a listed crowd (test.contract:9)");
  }
  SECTION("a control is missing") {
    invariants.erase(invariants.begin() + 4);
    CHECK(verdict(program, proof.evidence) ==
          "the step '-> Waiting : pendingIO != 0' of PnpStop (test.contract:26), taken with "
          "PnpStop in Left, never leads to PnpStop in Waiting, which has no invariant");
  }
  SECTION("the start is missing") {
    invariants.erase(invariants.begin());
    CHECK(verdict(program, proof.evidence) ==
          "the initial state never leads to PnpStop in Start, which has no invariant");
  }
  SECTION("a thread of any number is followed") {
    Evidenced other(program);
    other.follow("PnpAdd");
    CHECK(verdict(program, other.evidence) ==
          "it follows thread PnpAdd as if there were one, but any number is started");
  }
  SECTION("what is listed twice, or is nowhere") {
    proof.evidence.crowds.push_back(proof.evidence.crowds.front());
    CHECK(verdict(program, proof.evidence) == "the crowd at PnpAdd.Start is listed twice");
    proof.evidence.crowds.back() = {0, 999, {}};
    CHECK(verdict(program, proof.evidence) ==
          "a crowd is at a place that the program does not have");
    proof.evidence.crowds.back() = {7, 0, {}};
    CHECK(verdict(program, proof.evidence) ==
          "a crowd is at a place that the program does not have");
    proof.evidence.crowds.back() = {*program.templateNamed("PnpStop"), 0, {}};
    CHECK(verdict(program, proof.evidence) ==
          "the crowd at PnpStop.Start is of a thread that is followed");
    proof.evidence.crowds.back() = {0, 0, {logic::Value(1)}};
    CHECK(verdict(program, proof.evidence) ==
          "the crowd at PnpAdd.Start does not have the locals of its thread");
    proof.evidence.crowds.pop_back();
    invariants.push_back(invariants.front());
    CHECK(verdict(program, proof.evidence) == "two invariants are given for PnpStop in Start");
    invariants.back().control = {999};
    CHECK(verdict(program, proof.evidence) ==
          "an invariant is at a control that the program does not have");
    proof.evidence.singles.push_back(proof.evidence.singles.front());
    CHECK(verdict(program, proof.evidence) == "it follows thread PnpStop twice");
  }
}

TEST_CASE("formulas of a proof cannot smuggle in commands") {
  Program program = bluetooth();
  auto with = [&](const std::string &formula) {
    CountingEvidence evidence = bluetoothProof(program).evidence;
    evidence.invariants[0].formula = formula;
    return verdict(program, evidence);
  };
  std::string begin =
      "the invariant for PnpStop in Start is not a formula over the program's variables: ";
  CHECK(with("true)\n(assert false") == begin + "something follows its end");
  CHECK(with("(and true))(assert false)") == begin + "something follows its end");
  CHECK(with(")(") == begin + "a parenthesis closes that was not opened");
  CHECK(with("true (assert false)") == begin + "something follows its end");
  CHECK(with("(and true") == begin + "it is not complete");
  CHECK(with("") == begin + "it is not complete");
  CHECK(with("(assert false)") == begin + "the word 'assert' is not allowed");
  CHECK(with("inv!0") == begin + "the word 'inv!0' is not allowed");
  CHECK(with("true ; comment") == begin + "something follows its end");
  CHECK(with("\"text\"") == begin + "the character '\"' is not allowed");
  CHECK(with("|pendingIO") == begin + "the character '|' is not allowed");
  CHECK(with("(= pendingIO 007)") == begin + "the word '007' is not allowed");
  CHECK(with("(exists ((x Int)) true)") == begin + "the word 'exists' is not allowed");
}

TEST_CASE("a formula that makes no sense is never accepted") {
  Program program = bluetooth();
  CountingEvidence evidence = bluetoothProof(program).evidence;
  evidence.invariants[0].formula = "(+ stopped 1)";
  ObligationScript script = countingObligations(program, evidence);
  for (SolverProgram solver : {SolverProgram::Z3, SolverProgram::Cvc5})
    CHECK(discharge(script, {solver, 60}).outcome == Outcome::Unknown);
}

TEST_CASE("threads that are forked are counted, not followed") {
  Program program = tests::compileConc("global int x = 0;\n"
                                       "thread Main { fork Worker(); fork Worker(); }\n"
                                       "thread Worker { assert x == 0; }\n"
                                       "run Main;\n")
                        .program;
  Evidenced followed(program);
  followed.follow("Main").follow("Worker");
  CHECK(verdict(program, followed.evidence) ==
        "it follows thread Worker as if there were one, but 0 are started");
}
