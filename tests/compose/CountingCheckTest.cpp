// SPDX-License-Identifier: Apache-2.0
#include "compose/CountingCheck.h"

#include "logic/Error.h"
#include "tests/specs/CompileSupport.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

using namespace understudy;
using namespace understudy::compose;

namespace {

using Outcome = Discharge::Outcome;
using logic::SolverProgram;

std::string fileText(const std::string &name) {
  std::ifstream stream(std::string(UNDERSTUDY_SOURCE) + "/" + name);
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
    script = countingObligations(program, evidence, counts);
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
