// SPDX-License-Identifier: Apache-2.0
//
// Random systems with any number of threads: what the counting engine says against the explicit
// engine for few of them; and random programs with fixed numbers, on which both must agree.
#include "Judging.h"
#include "RandomConc.h"
#include "RandomContract.h"
#include "RandomCounting.h"
#include "Support.h"
#include "compose/Interpreter.h"
#include "compose/counting/Counting.h"
#include "compose/counting/CountingParts.h"
#include "compose/proof/CountingCheck.h"
#include "logic/Error.h"

#include <catch2/catch.hpp>

#include <iostream>
#include <map>

namespace understudy::tests {
namespace {

using compose::Answer;
using compose::Program;
using FewThreads = compose::counting::CountingOptions::FewThreads;

struct Opinion {
  bool accepted = false;
  bool compared = false; ///< the explicit engine had an answer
  Answer got = Answer::Unknown;
  Answer expected = Answer::Unknown;
  bool needsCounting = false;
  std::string reason;
  std::string defect;
};

compose::counting::CountingResult counted(const Program &program, FewThreads few) {
  compose::counting::CountingOptions options;
  options.resources = 1'000'000;
  options.fewThreads = few;
  options.proof = compose::counting::CountingOptions::Proof::Small;
  return compose::counting::verifyCounting(program, options);
}

/// Would something go wrong if nobody counted: if any number of threads, more or fewer than there
/// are, could be in each crowd at any moment?
bool needsCounting(const Program &program) {
  compose::counting::CountingOptions options;
  compose::Budget budget(options);
  const compose::counting::CountingModel model = compose::counting::countingModel(
      program, compose::counting::singleTemplates(program), budget);
  const std::vector<logic::Variable> kept(model.variables.begin(),
                                          model.variables.begin() +
                                              static_cast<std::ptrdiff_t>(model.firstCount()));
  logic::solver::HornSolver horn(model.pool(), {1'000'000, 0});
  std::vector<logic::solver::PredicateId> predicates;
  for (size_t i = 0; i < model.controls.size(); ++i)
    predicates.push_back(horn.declare(kept));
  const logic::solver::PredicateId error = horn.declare({});
  auto here = [&](compose::counting::ControlId control) {
    logic::solver::HornAtom atom{predicates[control], {}};
    for (logic::Variable v : kept)
      atom.arguments.push_back(model.pool().var(v));
    return atom;
  };
  for (const compose::counting::CountingStart &start : model.starts)
    horn.add(std::nullopt, start.condition, here(start.control));
  for (const compose::counting::CountingStep &step : model.steps)
    horn.add(here(step.source), step.guard,
             {predicates[step.target],
              {step.after.begin(),
               step.after.begin() + static_cast<std::ptrdiff_t>(model.firstCount())}});
  for (const compose::counting::CountingError &wrong : model.errors)
    horn.add(here(wrong.source), wrong.guard, {error, {}});
  return horn.query(error) == logic::solver::Satisfiability::Sat;
}

bool hasArrays(const Program &program) {
  return std::any_of(program.globals.begin(), program.globals.end(),
                     [](logic::Variable v) { return v.sort().isArray(); });
}

/// Does the validator accept the proof, with both solvers? (cvc5 1.0.3 gives up on some arrays.)
std::string defectOf(const Program &program, const compose::proof::CountingProof &proof) {
  const compose::proof::ObligationScript script =
      compose::proof::countingObligations(program, compose::proof::evidenceOf(program, proof));
  for (logic::solver::SolverProgram solver :
       {logic::solver::SolverProgram::Z3, logic::solver::SolverProgram::Cvc5}) {
    const compose::proof::Discharge found = compose::proof::discharge(script, {solver, 60});
    if (found.outcome == compose::proof::Discharge::Outcome::Unknown &&
        solver == logic::solver::SolverProgram::Cvc5 && hasArrays(program))
      continue;
    if (found.outcome != compose::proof::Discharge::Outcome::Holds)
      return "the proof was rejected: " + found.obligation.meaning + " " + found.reason;
  }
  return "";
}

std::string defectOf(const Program &program, const compose::counting::CountingResult &got) {
  const compose::Verdict &verdict = got.verdict;
  if (verdict.answer == Answer::Unknown)
    return verdict.reason.empty() ? "unknown without a reason" : "";
  if (verdict.answer == Answer::Safe)
    return got.proof ? defectOf(program, *got.proof) : "safe without a proof";
  return verdict.trace ? compose::replay(program, *verdict.trace).value_or("")
                       : "unsafe without a trace";
}

/// Any number of threads against up to six of each kind.
Opinion judgeAny(const std::string &text) {
  Opinion opinion;
  try {
    const Program program = compiled(Language::Contract, text);
    opinion.accepted = true;
    const compose::counting::CountingResult got = counted(program, FewThreads::TryFirst);
    opinion.got = got.verdict.answer;
    opinion.reason = got.verdict.reason;
    opinion.defect = defectOf(program, got);
    if (opinion.got != Answer::Safe)
      return opinion;
    for (uint32_t threads = 1; threads <= 6; ++threads) {
      const compose::Verdict verdict = explored(program, threads, 20'000);
      if (verdict.answer == Answer::Unsafe)
        opinion.defect = "safe, but it goes wrong with few threads";
      if (verdict.answer != Answer::Safe)
        break;
      opinion.compared = true;
    }
    opinion.needsCounting = needsCounting(program);
  } catch (const logic::Error &error) {
    opinion.reason = error.what();
  }
  return opinion;
}

/// A fixed number of threads, at first with nobody else to look for violations.
Opinion judgeFixed(Language language, const std::string &text) {
  Opinion opinion;
  try {
    const Program program = compiled(language, text);
    opinion.accepted = true;
    const compose::Verdict expected = explored(program, 2, 20'000);
    const bool open = std::any_of(program.starts.begin(), program.starts.end(),
                                  [](const compose::Start &start) { return start.unbounded; });
    if (expected.answer == Answer::Unknown)
      return opinion;
    opinion.compared = true;
    opinion.expected = expected.answer;
    compose::counting::CountingResult got = counted(program, FewThreads::Skip);
    if (got.verdict.answer == Answer::Unknown) // as the command does
      got = counted(program, FewThreads::TryFirst);
    opinion.got = got.verdict.answer;
    opinion.reason = got.verdict.reason;
    opinion.defect = defectOf(program, got);
    const bool agree = opinion.got == Answer::Unknown || opinion.got == expected.answer ||
                       (open && expected.answer == Answer::Safe);
    if (!agree)
      opinion.defect = "expected " + word(expected.answer) + ", got " + word(opinion.got);
  } catch (const logic::Error &error) {
    opinion.reason = error.what();
  }
  return opinion;
}

struct Count {
  size_t accepted = 0, compared = 0, safe = 0, unsafe = 0, unknown = 0, counting = 0;
  size_t undecided = 0; ///< of those that the explicit engine decides
  Reasons reasons;

  void add(const Opinion &opinion) {
    reasons.add(word(opinion.expected) + " " + opinion.reason);
    accepted += opinion.accepted ? 1 : 0;
    compared += opinion.compared ? 1 : 0;
    if (!opinion.accepted)
      return;
    safe += opinion.got == Answer::Safe ? 1 : 0;
    unsafe += opinion.got == Answer::Unsafe ? 1 : 0;
    unknown += opinion.got == Answer::Unknown ? 1 : 0;
    counting += opinion.needsCounting ? 1 : 0;
    undecided += opinion.compared && opinion.got == Answer::Unknown ? 1 : 0;
  }
  void tell(const std::string &name) const {
    std::cout << name << ": " << accepted << " programs, " << compared << " compared, " << safe
              << " safe (" << counting << " need counting), " << unsafe << " unsafe, " << unknown
              << " unknown\n";
    reasons.tell();
  }
};

template <typename Judge>
void note(Count &count, uint64_t seed, const std::string &text, Judge judge) {
  const Opinion opinion = judge(text);
  count.add(opinion);
  requireNoDefect(seed, text, opinion.defect, judge);
}

} // namespace

TEST_CASE("counting: random systems with any number of threads") {
  Count count;
  const size_t all = runs(5000);
  for (size_t i = 0; i < all; ++i)
    note(count, seedOf(i), randomCounting(seedOf(i)), judgeAny);
  count.tell("any number of threads");
  CHECK(count.accepted * 20 >= all * 19);
  CHECK(count.counting * 3 >= count.accepted);
  CHECK(count.unsafe * 10 >= count.accepted);
  CHECK(count.unknown * 20 <= count.accepted);
}

TEST_CASE("counting: random programs with fixed numbers of threads") {
  Count conc;
  Count contract;
  const size_t all = runs(2000);
  for (size_t i = 0; i < all; ++i) {
    const uint64_t seed = seedOf(i);
    note(conc, seed, randomScalarConc(seed),
         [](const std::string &text) { return judgeFixed(Language::Conc, text); });
    note(contract, seed, randomContract(seed),
         [](const std::string &text) { return judgeFixed(Language::Contract, text); });
  }
  conc.tell("counting, CONC");
  contract.tell("counting, contracts");
  CHECK(conc.compared * 2 >= all);
  CHECK(contract.compared * 2 >= all);
  CHECK(conc.undecided * 20 <= conc.compared);
  CHECK(contract.undecided * 20 <= contract.compared);
}

} // namespace understudy::tests
