// SPDX-License-Identifier: Apache-2.0
//
// Problem: how many threads of a template can be alive together is not known, and neither is
// whether the program is correct with that many.
// Idea (petrification paper, section 4, Figure 5): petrify with a limit β, check the safety
// specification (no error place) and the bound specification (no `insufficient` place) of the net,
// and raise β while the bound does not hold.
// Invariant: all limits below β are known to be too small (Theorem 3.10), so that β is the thread
// width of what is forked when the bound holds; both specifications together make the program
// correct (Theorem 3.11), and a violation at any β is one of the program (Theorem 3.12).
// Deviations: predicates are kept from check to check; invariants that the start breaks are found
// before; a proof is checked before it counts.
#include "compose/refine/Refine.h"

#include "compose/petri/Petrify.h"
#include "compose/refine/ProofCheck.h"
#include "compose/refine/RunTrace.h"
#include "logic/Error.h"
#include "logic/Substitute.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace understudy::compose::refine {

namespace {

using logic::solver::Satisfiability;
using petri::Specification;
using Outcome = AbstractionResult::Outcome;

class Engine {
public:
  Engine(const Program &program, const RefineOptions &options)
      : program_(program), options_(options), budget_(options),
        triples_(*program.pool, options.resources, budget_) {
    Verdict &verdict = result_.verdict;
    verdict.engine = EngineName::Refine;
    verdict.assumptions = program.assumptions;
  }

  RefineResult run() {
    try {
      decide();
    } catch (const logic::Unsupported &unsupported) {
      unknown(unsupported.what(), Ending::Refused);
      result_.verdict.where = unsupported.range();
    }
    if (result_.verdict.answer == Answer::Unknown && budget_.exhausted())
      result_.ending = Ending::Time;
    Statistics &statistics = result_.verdict.statistics;
    statistics = statisticsOf(result_.iterations);
    statistics.seconds = budget_.seconds();
    return std::move(result_);
  }

private:
  const Program &program_;
  const RefineOptions &options_;
  Budget budget_;
  HoareTriples triples_;
  Predicates predicates_;
  std::optional<petri::PetriProgram> petri_;
  RefineResult result_;
  std::vector<InvariantDomain> domains_;

  void unknown(const std::string &reason, Ending ending = Ending::Open) {
    result_.ending = ending;
    result_.verdict.answer = Answer::Unknown;
    result_.verdict.reason = reason;
  }

  void decide() {
    const uint32_t least = petri::leastLimit(program_);
    if (least > options_.maxWidth)
      return unknownWidth();
    petrify(least);
    if (!hasStart() || startBreaksInvariant())
      return;
    switch (options_.algorithm) {
    case Algorithm::SafetyFirst:
      while (holds(Specification::Safety) && !holds(Specification::Bound) && raise())
        ;
      return;
    case Algorithm::BoundFirst:
      while (!holds(Specification::Bound))
        if (!raise())
          return;
      holds(Specification::Safety);
      return;
    case Algorithm::Together:
      while (!holds(Specification::Both) && raise())
        ;
      return;
    }
    throw std::logic_error("unknown algorithm");
  }

  void unknownWidth() {
    unknown("more than " + std::to_string(options_.maxWidth) +
                " threads of one kind may be alive at once; --max-width sets the limit",
            Ending::Width);
  }

  void petrify(uint32_t limit) {
    result_.limit = limit;
    budget_.report("petrification, width " + std::to_string(limit));
    petri_ = petri::petrify(program_, {limit, options_.maxTransitions, &budget_});
    domains_.clear();
  }

  /// The last check found a run into `insufficient`: try the next limit. False: there is an answer.
  bool raise() {
    if (!result_.verdict.reason.empty() || result_.verdict.trace)
      return false;
    if (result_.limit >= options_.maxWidth) {
      unknownWidth();
      return false;
    }
    petrify(result_.limit + 1);
    predicates_ = withImages(predicates_, *petri_);
    return true;
  }

  /// Of a program that cannot start every claim is true, and none is worth anything.
  bool hasStart() {
    const Feasibility start = feasible(*program_.pool, stepsOf(*petri_, {}), budget_.limits());
    if (start.answer == Satisfiability::Unknown)
      unknown("cannot decide whether there is an initial state: " + start.reason, Ending::Refused);
    if (start.answer == Satisfiability::Unsat)
      unknown("no initial state satisfies the initial values and conditions", Ending::Refused);
    return start.answer == Satisfiability::Sat;
  }

  bool startBreaksInvariant() {
    for (const Claim &invariant : program_.invariants) {
      std::vector<Step> steps = stepsOf(*petri_, {});
      steps.front().conjuncts.push_back(program_.pool->negate(invariant.formula));
      Feasibility found = feasible(*program_.pool, steps, budget_.limits());
      if (found.answer == Satisfiability::Unsat)
        continue;
      if (found.answer == Satisfiability::Unknown)
        unknown("cannot decide whether there is an initial state: " + found.reason,
                Ending::Refused);
      else
        violated({}, found.execution);
      return true;
    }
    return false;
  }

  void violated(const petri::Run &run, const Execution &execution) {
    RunTrace found = traceOf(program_, *petri_, run, execution);
    if (!found.trace)
      return unknown("a violation was found, but it does not replay: " + found.defect);
    result_.verdict.trace = std::move(found.trace);
    result_.verdict.answer = Answer::Unsafe;
  }

  bool holds(Specification specification) {
    AbstractionOptions options;
    options.search = options_.search;
    options.resources = options_.resources;
    options.maxStates = options_.maxStates;
    options.maxRefinements = options_.maxRefinements;
    AbstractionResult found = checkSpecification(program_, *petri_, specification, predicates_,
                                                 triples_, budget_, options);
    result_.iterations.push_back({result_.limit, specification, found.outcome, found.statistics});
    switch (found.outcome) {
    case Outcome::Open:
      unknown(found.reason);
      return false;
    case Outcome::Holds:
      return accept(std::move(found.domain));
    case Outcome::Violated:
      break;
    }
    if (petri_->transitions[found.run.back()].kind != petri::TransitionKind::Insufficient)
      violated(found.run, found.execution);
    return false;
  }

  bool accept(InvariantDomain domain) {
    budget_.report("check of the proof");
    if (auto defect = defectOf(domain, program_, *petri_, budget_)) {
      unknown("the proof was rejected: " + *defect);
      return false;
    }
    domains_.push_back(std::move(domain));
    const bool complete = options_.algorithm == Algorithm::Together || domains_.size() == 2;
    if (!complete)
      return true;
    result_.proof = domains_;
    result_.net = std::make_shared<petri::PetriProgram>(*petri_);
    result_.verdict.answer = Answer::Safe;
    uint32_t width = program_.starts.empty() ? 0 : result_.limit;
    for (const Start &start : program_.starts)
      width = std::max(width, start.count);
    result_.verdict.width = width;
    return true;
  }
};

/// The variable as one of the instance `number`, if it belongs to the instance with that scope.
Term imageOf(Term predicate, const std::string &scope, uint32_t number) {
  logic::TermPool &pool = predicate.pool();
  const std::string image = scope.substr(0, scope.rfind('#') + 1) + std::to_string(number);
  return logic::substitute(predicate, [&](Variable v, bool) {
    return v.scope() == scope ? pool.var(pool.variable(image, v.name(), v.sort())) : Term();
  });
}

} // namespace

Predicates withImages(const Predicates &predicates, const petri::PetriProgram &petri) {
  const std::set<Variable> existing(petri.variables.begin(), petri.variables.end());
  auto exists = [&](Term image) {
    const auto variables = variablesIn(image);
    return std::all_of(variables.begin(), variables.end(),
                       [&](Variable v) { return existing.contains(v); });
  };
  Predicates result = predicates;
  for (std::vector<Term> &automaton : result) {
    std::set<Term> seen(automaton.begin(), automaton.end());
    const std::vector<Term> before = automaton;
    for (const Term &predicate : before)
      for (Variable v : variablesIn(predicate)) {
        if (v.scope().find('#') == std::string::npos)
          continue;
        const Term image = imageOf(predicate, v.scope(), petri.limit);
        if (exists(image) && seen.insert(image).second)
          automaton.push_back(image);
      }
  }
  return result;
}

Statistics statisticsOf(const std::vector<RefineIteration> &iterations) {
  Statistics result;
  for (const RefineIteration &iteration : iterations) {
    const AbstractionStatistics &cost = iteration.statistics;
    result.states = std::max(result.states, cost.states);
    result.transitions = std::max(result.transitions, cost.transitions);
    result.refinements += cost.refinements;
    result.predicates = std::max(result.predicates, cost.predicates);
    result.events = std::max(result.events, cost.events);
  }
  return result;
}

RefineResult verifyRefine(const Program &program, const RefineOptions &options) {
  return Engine(program, options).run();
}

} // namespace understudy::compose::refine
