// SPDX-License-Identifier: Apache-2.0
//
// The table of engines: a row for each, and what stands between its options and the common ones.
#include "compose/counting/Counting.h"
#include "compose/cover/translate/VerifyCover.h"
#include "compose/portfolio/Engine.h"
#include "compose/portfolio/Looks.h"
#include "compose/proof/OwickiGriesCheck.h"
#include "compose/refine/Beside.h"
#include "logic/Error.h"

#include <algorithm>
#include <stdexcept>

namespace understudy::compose::portfolio {

namespace {

std::optional<Refusal> refuseWidth(const Question &question, const EngineLimits &limits) {
  if (question.algorithm || limits.maxWidth)
    return Refusal{"--algorithm and --max-width are only for --engine refine",
                   "drop them, or use --engine refine"};
  return std::nullopt;
}

std::optional<Refusal> refuseDeadlock(const Question &question, EngineName engine) {
  if (question.deadlock == Question::Deadlock::Check)
    return Refusal{"--engine " + word(engine) + " does not check for deadlock",
                   "drop --deadlock, or use --engine explicit"};
  return std::nullopt;
}

/// Of an engine that knows no thread width.
template <EngineName engine>
std::optional<Refusal> refuseOthers(const Question &question, const EngineLimits &limits) {
  if (auto refusal = refuseWidth(question, limits))
    return refusal;
  return refuseDeadlock(question, engine);
}

std::optional<Refusal> refuseForRefine(const Question &question, const EngineLimits &) {
  return refuseDeadlock(question, EngineName::Refine);
}

std::vector<NamedCount> stateCounts(const Statistics &statistics) {
  return {{"states", "state", statistics.states},
          {"transitions", "transition", statistics.transitions},
          {"depth", "", statistics.depth}};
}

std::vector<NamedCount> counterCounts(const Statistics &statistics) {
  if (statistics.states != 0) // the answer is about few threads
    return stateCounts(statistics);
  return {{"counters", "counter", statistics.counters},
          {"transitions", "transition", statistics.transitions}};
}

std::vector<NamedCount> refinementCounts(const Statistics &statistics) {
  return {{"refinements", "refinement", statistics.refinements},
          {"predicates", "predicate", statistics.predicates},
          {"events", "event", statistics.events}};
}

std::vector<NamedCount> netCounts(const Statistics &statistics) {
  return {{"states", "shared state", statistics.states},
          {"localStates", "local state", statistics.counters},
          {"transitions", "transition", statistics.transitions}};
}

Outcome runExplicit(const Program &program, const Question &question, const EngineLimits &limits) {
  exploration::ExplicitOptions options;
  static_cast<Limits &>(options) = limits;
  options.counts = question.counts;
  options.symmetry = question.symmetry;
  options.deadlock = question.deadlock;
  options.maxStates = limits.maxStates.value_or(options.maxStates);
  Outcome outcome;
  if (question.evidence != Question::Evidence::Unwanted)
    options.reached = [&](ReachedStates states) { outcome.evidence = std::move(states); };
  outcome.verdict = exploration::verifyExplicit(program, options);
  return outcome;
}

Outcome runCount(const Program &program, const Question &question, const EngineLimits &limits) {
  counting::CountingOptions options;
  static_cast<Limits &>(options) = limits;
  // The explicit engine looks for violations, unless threads are run in any number.
  if (question.company == Question::Company::AmongOthers && openThreads(program).empty())
    options.fewThreads = counting::CountingOptions::FewThreads::Skip;
  options.fewStates = std::min(options.fewStates, limits.maxStates.value_or(options.fewStates));
  if (question.evidence != Question::Evidence::Unwanted)
    options.proof = counting::CountingOptions::Proof::Small;
  counting::CountingResult result = counting::verifyCounting(program, options);
  Outcome outcome{std::move(result.verdict)};
  if (question.evidence != Question::Evidence::Unwanted && result.proof)
    outcome.evidence = proof::evidenceOf(program, *result.proof);
  return outcome;
}

Outcome runRefine(const Program &program, const Question &question, const EngineLimits &limits) {
  refine::RefineOptions options;
  static_cast<Limits &>(options) = limits;
  options.maxWidth = limits.maxWidth.value_or(options.maxWidth);
  options.maxStates = limits.maxStates.value_or(options.maxStates);
  options.algorithm = question.algorithm.value_or(options.algorithm);
  refine::BesideOptions beside;
  if (question.company == Question::Company::AmongOthers)
    beside.cores = 1;
  refine::RefineResult result = question.algorithm ? refine::verifyRefine(program, options)
                                                   : refine::verifyBeside(program, options, beside);
  Outcome outcome{std::move(result.verdict), std::nullopt, std::move(result.iterations)};
  if (question.evidence == Question::Evidence::Unwanted || outcome.verdict.answer != Answer::Safe)
    return outcome;
  try {
    Budget budget(options);
    empire::Annotated made = empire::annotate(program, *result.net, result.proof, budget);
    outcome.evidence = proof::evidenceOf(made.annotation);
    outcome.annotation = made.statistics;
  } catch (const logic::Unsupported &reason) {
    outcome.withoutEvidence = reason.what();
  }
  return outcome;
}

Outcome runCover(const Program &program, const Question &question, const EngineLimits &limits) {
  cover::translate::VerifyCoverOptions options;
  options.search = question.cover;
  static_cast<Limits &>(options.translate) = limits;
  static_cast<Limits &>(options.search) = limits;
  options.search.maxVertices = limits.maxStates.value_or(options.search.maxVertices);
  cover::translate::VerifyCoverResult result = cover::translate::verifyCover(program, options);
  Outcome outcome{std::move(result.verdict)};
  if (question.evidence != Question::Evidence::Unwanted && result.proof)
    outcome.evidence = proof::CoverEvidence{std::move(result.proof->uncoverable)};
  return outcome;
}

constexpr Engine table[] = {
    {EngineName::Explicit, logic::Topic::Explicit, "for fixed numbers of threads",
     "too many states", refuseWidth, runExplicit, stateCounts},
    {EngineName::Count, logic::Topic::Count, "for any number",
     "engine count found no evidence to write", refuseOthers<EngineName::Count>, runCount,
     counterCounts},
    {EngineName::Refine, logic::Topic::Refine, "for forked threads and unbounded data",
     "engine refine made no annotation", refuseForRefine, runRefine, refinementCounts},
    {EngineName::Cover, logic::Topic::Cover, "for any number with finite data",
     "the state equation gives no certificate", refuseOthers<EngineName::Cover>, runCover,
     netCounts},
};

} // namespace

std::span<const Engine> engines() { return table; }

const Engine &engineOf(EngineName name) {
  for (const Engine &engine : table)
    if (engine.name == name)
      return engine;
  throw std::logic_error("no engine for any program: " + word(name));
}

} // namespace understudy::compose::portfolio
