// SPDX-License-Identifier: Apache-2.0
//
// Random programs: what refine proves has an annotation that both solvers accept, and the program
// run with its ghosts never meets a false assertion. Changed annotations, and annotations of other
// programs, are accepted only if that is still so.
#include "Annotations.h"
#include "Judging.h"
#include "RandomConc.h"
#include "RandomContract.h"
#include "RandomForks.h"
#include "Support.h"
#include "compose/empire/Annotate.h"
#include "compose/empire/Empire.h"
#include "compose/petri/Petrify.h"
#include "compose/proof/OwickiGriesCheck.h"
#include "compose/refine/Refine.h"
#include "logic/Error.h"

#include <catch2/catch.hpp>

#include <iostream>
#include <map>
#include <set>

namespace understudy::tests {
namespace {

using compose::Answer;
using compose::Program;
using compose::proof::Discharge;
using compose::proof::OwickiGries;
using logic::solver::SolverProgram;

/// The steps of threads in slots are the transitions of the net, of which some never happen.
void checkSteps(const Proved &proved) {
  using compose::proof::SlotModel;
  using compose::proof::SlotStep;
  const SlotModel model(proved.program, proved.annotation.slots);
  using Key = std::tuple<compose::TemplateId, uint32_t, compose::EdgeId, bool,
                         std::set<std::pair<compose::TemplateId, uint32_t>>>;
  std::set<Key> ours, nets, possible;
  for (const SlotStep &step : model.steps()) {
    if (step.kind == SlotStep::Kind::Arguments || model.edgeOf(step).relation.isFalse())
      continue;
    const auto &mover = model.slots()[step.moves[0].slot];
    std::set<std::pair<compose::TemplateId, uint32_t>> others;
    for (size_t i = 1; i < step.moves.size(); ++i) {
      const auto &slot = model.slots()[step.moves[i].slot];
      others.emplace(slot.thread, slot.number);
    }
    const Key key{mover.thread, mover.number, step.edge, step.kind == SlotStep::Kind::TooFew,
                  others};
    ours.insert(key);
    if (model.canHappen(step))
      possible.insert(key);
  }
  for (const auto &transition : proved.net->transitions) {
    using Kind = compose::petri::TransitionKind;
    if (transition.kind != Kind::Edge && transition.kind != Kind::Insufficient)
      continue;
    std::set<std::pair<compose::TemplateId, uint32_t>> others;
    for (const auto &other : transition.others)
      others.emplace(other.thread, other.number);
    if (others.contains({transition.mover.thread, transition.mover.number}))
      continue; // a fork into the mover's own slot, which is never empty then
    nets.emplace(transition.mover.thread, transition.mover.number, transition.edge,
                 transition.kind == Kind::Insufficient, others);
  }
  // The net keeps what could be marked if no token were ever taken away, which is more than what
  // may happen, and less than all.
  CHECK(std::includes(nets.begin(), nets.end(), possible.begin(), possible.end()));
  CHECK(std::includes(ours.begin(), ours.end(), nets.begin(), nets.end()));
}

/// Definition 4.7, for the paper's empire and for that of the needed laws.
void checkEmpires(const Proved &proved) {
  using namespace compose::empire;
  constexpr size_t most = 3'000;
  const auto &net = proved.net->net;
  std::vector<PlaceId> bad;
  for (PlaceId place = 0; place < net.places; ++place)
    if (compose::petri::isBad(proved.net->places[place], proved.program,
                              compose::petri::Specification::Both))
      bad.push_back(place);
  std::vector<const compose::petri::Label *> labels;
  for (const auto &transition : proved.net->transitions)
    labels.push_back(&transition.label);
  compose::Budget budget{compose::refine::RefineOptions{}};
  try {
    Configurations configurations = configurationsOf(net, proved.domains, most, budget);
    Cores cores(labels, configurations.predicates, *proved.program.pool, budget);
    const auto paper = lawsOf(configurations);
    CHECK(faultOfEmpire(empireOf(net, configurations, *paper, Growth::Saturated, most, budget), net,
                        configurations, cores, bad) == "");
    keepNeeded(configurations, cores, budget);
    const auto needed = neededLaws(configurations, cores, budget);
    CHECK(faultOfEmpire(empireOf(net, configurations, *needed, Growth::Saturated, most, budget),
                        net, configurations, cores, bad) == "");
  } catch (const logic::Unsupported &) {
    return; // too large
  }
}

void checkMany(const std::string &name, Language language, std::string (*generate)(uint64_t),
               size_t count) {
  Tally tally;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t seed = seedOf(i);
    const std::string text = generate(seed);
    INFO("seed " << seed << "\n" << text);
    const auto proved = prove(language, text, tally);
    if (!proved)
      continue;
    CHECK(answer(proved->program, proved->annotation, SolverProgram::Z3) ==
          Discharge::Outcome::Holds);
    if (i % 2 == 0)
      CHECK(answer(proved->program, proved->annotation, SolverProgram::Cvc5) ==
            Discharge::Outcome::Holds);
    checkSteps(*proved);
    if (i % 4 == 0)
      checkEmpires(*proved);
    checkMeaning(*proved, proved->annotation, seed, tally);
  }
  tally.tell("annotations of " + name);
  CHECK(tally.safe * 8 >= count);
  CHECK((tally.safe - tally.annotated) * 100 <= tally.safe);
}

/// The program with one number of one line changed.
std::string changed(const std::string &text, Random &random) {
  std::vector<size_t> digits;
  for (size_t i = 0; i < text.size(); ++i)
    if (std::isdigit(static_cast<unsigned char>(text[i])) &&
        (i == 0 || !std::isalnum(static_cast<unsigned char>(text[i - 1]))))
      digits.push_back(i);
  std::string result = text;
  if (!digits.empty()) {
    char &digit = result[random.pick(digits)];
    digit = static_cast<char>('0' + (digit - '0' + 1 + static_cast<int>(random.below(3))) % 10);
  }
  return result;
}

} // namespace

TEST_CASE("annotations: random programs that fork and join") {
  checkMany("forks", Language::Conc, randomForks, runs(2000));
}

TEST_CASE("annotations: random CONC programs") {
  checkMany("CONC", Language::Conc, randomConc, runs(500));
}

TEST_CASE("annotations: random contracts") {
  checkMany("contracts", Language::Contract, randomContract, runs(1000));
}

TEST_CASE("annotations: mutants are rejected, or are valid") {
  Tally tally;
  size_t certificates = 0, rejected = 0, valid = 0;
  const size_t wanted = runs(200);
  for (size_t i = 0; certificates < wanted; ++i) {
    const uint64_t seed = seedOf(i);
    const Language language = i % 3 == 2 ? Language::Contract : Language::Conc;
    const std::string text = i % 3 == 0   ? randomConc(seed)
                             : i % 3 == 1 ? randomForks(seed)
                                          : randomContract(seed);
    INFO("seed " << seed << "\n" << text);
    const auto proved = prove(language, text, tally);
    if (!proved || proved->annotation.assertions.empty())
      continue;
    ++certificates;
    Random random(seed);
    for (size_t mutant = 0; mutant < 6; ++mutant) {
      const OwickiGries other = mutated(proved->program, proved->annotation, random);
      INFO("mutant " << mutant);
      if (!accepted(proved->program, other)) {
        ++rejected;
        continue;
      }
      ++valid;
      checkMeaning(*proved, other, seed, tally);
    }
  }
  std::cout << "mutants of " << certificates << " annotations: " << rejected << " rejected, "
            << valid << " valid, " << tally.notRun << " not run, " << tally.changes
            << " changed states\n";
  CHECK(rejected * 2 >= valid);
}

TEST_CASE("annotations: none is valid for a program that goes wrong") {
  Tally tally;
  size_t pairs = 0;
  const size_t wanted = runs(2000);
  for (size_t i = 0; pairs < wanted && i < wanted * 60; ++i) {
    const uint64_t seed = seedOf(i);
    const std::string text = i % 2 == 0 ? randomConc(seed) : randomForks(seed);
    const auto proved = prove(Language::Conc, text, tally);
    if (!proved)
      continue;
    Random random(seed);
    for (size_t attempt = 0; attempt < 4; ++attempt) {
      const std::string otherText = changed(text, random);
      INFO("seed " << seed << "\n" << otherText);
      try {
        const Program other = compiled(Language::Conc, otherText);
        if (explored(other, 0, 20'000).answer != Answer::Unsafe)
          continue;
        const auto evidence = compose::proof::evidenceOf(proved->annotation);
        ++pairs;
        const auto outcome =
            compose::proof::discharge(compose::proof::owickiGriesObligations(other, evidence), {})
                .outcome;
        CHECK(outcome != Discharge::Outcome::Holds);
      } catch (const compose::proof::InvalidEvidence &) {
        continue;
      } catch (const logic::Error &) {
        continue;
      } catch (const logic::Unsupported &) {
        continue;
      }
    }
  }
  std::cout << "annotations moved to " << pairs << " programs that go wrong\n";
  CHECK(pairs >= wanted);
}

} // namespace understudy::tests
