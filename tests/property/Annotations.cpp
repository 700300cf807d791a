// SPDX-License-Identifier: Apache-2.0
#include "Annotations.h"

#include "GhostRun.h"
#include "compose/empire/Annotate.h"
#include "compose/petri/Petrify.h"
#include "compose/proof/OwickiGriesCheck.h"
#include "compose/refine/Refine.h"
#include "logic/Error.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <iostream>

namespace understudy::tests {

using compose::Answer;

namespace {
constexpr size_t maxRun = 2'000;
} // namespace

void Tally::tell(const std::string &name) const {
  std::cout << name << ": " << safe << " safe, " << annotated << " annotated, " << notRun
            << " not run, " << changes << " changed states\n";
  for (const auto &[reason, count] : without)
    std::cout << "  " << count << " without: " << reason << "\n";
}

std::optional<Proved> prove(Language language, const std::string &text, Tally &tally) {
  Proved result;
  try {
    result.program = compiled(language, text);
  } catch (const logic::Error &) {
    return std::nullopt;
  }
  if (runsAnyNumber(result.program))
    return std::nullopt;
  compose::refine::RefineOptions options;
  options.maxWidth = 6;
  options.resources = 2'000'000;
  options.maxStates = 20'000;
  options.maxRefinements = 60;
  const auto found = compose::refine::verifyRefine(result.program, options);
  if (found.verdict.answer != Answer::Safe)
    return std::nullopt;
  ++tally.safe;
  result.net = found.net;
  result.domains = found.proof;
  try {
    compose::Budget budget(options);
    compose::empire::AnnotateOptions effort;
    effort.maxQueries = 500;
    effort.maxTriples = 30'000;
    const auto made =
        compose::empire::annotate(result.program, *found.net, found.proof, budget, effort);
    result.annotation = made.annotation;
    CHECK(made.statistics.obligations ==
          compose::proof::owickiGriesObligations(result.program,
                                                 compose::proof::evidenceOf(result.annotation))
              .size());
  } catch (const logic::Unsupported &reason) {
    ++tally.without[reason.what()];
    return std::nullopt;
  }
  ++tally.annotated;
  return result;
}

Discharge::Outcome answer(const Program &program, const OwickiGries &annotation,
                          SolverProgram solver) {
  const Discharge found = compose::proof::discharge(
      compose::proof::owickiGriesObligations(program, compose::proof::evidenceOf(annotation)),
      {solver, 60});
  UNSCOPED_INFO(found.obligation.name << ": " << found.obligation.meaning << " " << found.reason);
  return found.outcome;
}

bool accepted(const Program &program, const OwickiGries &annotation) {
  try {
    return answer(program, annotation, SolverProgram::Z3) == Discharge::Outcome::Holds;
  } catch (const compose::proof::InvalidEvidence &) {
    return false;
  } catch (const logic::Error &) {
    return false;
  }
}

void checkMeaning(const Proved &proved, const OwickiGries &annotation, uint64_t seed,
                  Tally &tally) {
  Random random(seed);
  try {
    CHECK(faultOf(proved.program, annotation, maxRun, random, tally.changes).value_or("none") ==
          "none");
  } catch (const logic::Unsupported &) {
    ++tally.notRun;
  }
}

OwickiGries mutated(const Program &program, OwickiGries annotation, Random &random) {
  logic::TermPool &pool = *program.pool;
  auto &assertions = annotation.assertions;
  auto &updates = annotation.updates;
  switch (random.below(6)) {
  case 0:
    if (updates.empty())
      break;
    updates.erase(updates.begin() + static_cast<std::ptrdiff_t>(random.below(updates.size())));
    return annotation;
  case 1: {
    if (updates.empty())
      break;
    auto &assign = updates[random.below(updates.size())].assign;
    auto &[ghost, value] = assign[random.below(assign.size())];
    value = ghost.sort().isBool() ? pool.negate(value) : pool.add(value, pool.integer(1));
    return annotation;
  }
  case 2: {
    auto &at = assertions[random.below(assertions.size())];
    std::vector<logic::Term> parts(at.formula.operands().begin(), at.formula.operands().end());
    if (at.formula.op() != logic::Op::And && at.formula.op() != logic::Op::Or)
      break;
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(random.below(parts.size())));
    at.formula =
        at.formula.op() == logic::Op::And ? pool.conjunction(parts) : pool.disjunction(parts);
    return annotation;
  }
  case 3:
    if (annotation.ghosts.empty())
      break;
    {
      auto &ghost = annotation.ghosts[random.below(annotation.ghosts.size())];
      ghost.initial = ghost.variable.sort().isBool() ? pool.boolean(!ghost.initial.isTrue())
                                                     : pool.integer(ghost.initial.value() + 1);
    }
    return annotation;
  case 4: {
    auto &count = annotation.slots[random.below(annotation.slots.size())];
    if (count == 0)
      break;
    --count;
    std::erase_if(assertions, [&](const OwickiGries::At &at) {
      return at.slot.number > annotation.slots[at.slot.thread];
    });
    std::erase_if(updates, [&](const OwickiGries::Update &update) {
      return update.mover.number > annotation.slots[update.mover.thread] ||
             std::any_of(update.others.begin(), update.others.end(), [&](const auto &other) {
               return other.slot.number > annotation.slots[other.slot.thread];
             });
    });
    return annotation;
  }
  default:
    break;
  }
  assertions[random.below(assertions.size())].formula = pool.boolean(random.oneIn(2));
  return annotation;
}

} // namespace understudy::tests
