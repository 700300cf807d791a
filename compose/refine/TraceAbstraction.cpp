// SPDX-License-Identifier: Apache-2.0
//
// Problem: no run of a Petri program that marks a bad place may be feasible.
// Idea: trace abstraction (engine of the petrification paper, its reference [9]). Look for such a
// run; if it is infeasible, its interpolants are predicates of a Floyd-Hoare automaton, which
// rejects this run and many others with it; look again beside all automata.
// Invariant: every run that some automaton rejects is infeasible, so when no run is left the
// specification holds. Each automaton rejects the run it was made for, so no run comes twice.
// A run about which nothing is found out is set aside by an observer that proves nothing: from then
// on the specification cannot hold any more, but it can be violated.
#include "compose/refine/TraceAbstraction.h"

#include "compose/petri/Explorer.h"
#include "compose/petri/Unfolder.h"
#include "compose/refine/FloydHoare.h"
#include "compose/refine/SetAside.h"
#include "logic/Log.h"
#include "logic/Words.h"

#include <algorithm>
#include <memory>
#include <set>

namespace understudy::compose::refine {

namespace {

using logic::solver::Satisfiability;
using Outcome = AbstractionResult::Outcome;

class Loop {
public:
  Loop(const Program &program, const petri::PetriProgram &petri, petri::Specification specification,
       Predicates &known, HoareTriples &triples, Budget &budget, const AbstractionOptions &options)
      : petri_(petri), net_(petri::specified(petri, program, specification)), known_(known),
        triples_(triples), budget_(budget), options_(options),
        phase_("refine, width " + std::to_string(petri.limit) + ", " + petri::word(specification)) {
    result_.domain.limit = petri.limit;
    result_.domain.specification = specification;
  }

  AbstractionResult run() {
    const double begin = budget_.seconds();
    const uint64_t queries = triples_.queries();
    search();
    AbstractionStatistics &statistics = result_.statistics;
    statistics.automata = automata_.size();
    for (const auto &automaton : automata_)
      statistics.predicates += automaton->predicates().size();
    statistics.places = net_.net.places;
    statistics.transitions = net_.net.transitions.size();
    statistics.queries += triples_.queries() - queries;
    statistics.seconds = budget_.seconds() - begin;
    return std::move(result_);
  }

private:
  const petri::PetriProgram &petri_;
  petri::SpecifiedNet net_;
  Predicates &known_;
  HoareTriples &triples_;
  Budget &budget_;
  const AbstractionOptions &options_;
  std::string phase_;
  double reported_ = 0; ///< when it was last told how far this is
  std::vector<std::unique_ptr<FloydHoare>> automata_;
  std::vector<std::unique_ptr<SetAside>> aside_; ///< no part of a proof
  std::string whyAside_;                         ///< of the first
  AbstractionResult result_;

  void open(const std::string &reason) {
    result_.outcome = Outcome::Open;
    result_.reason = whyAside_.empty() ? reason : whyAside_;
  }

  /// Goes on with other runs. False: there is an outcome.
  bool setAside(const petri::Run &run, const std::string &reason) {
    if (budget_.exhausted()) {
      open("time limit");
      return false;
    }
    logic::log(logic::level::decisions, [&] { return "run set aside: " + reason; });
    if (whyAside_.empty())
      whyAside_ = reason;
    if (aside_.size() >= options_.maxSetAside) {
      open(reason);
      return false;
    }
    aside_.push_back(std::make_unique<SetAside>(petri_, net_, run));
    return true;
  }

  uint64_t maxStates() const {
    return aside_.empty() ? options_.maxStates
                          : std::min(options_.maxStates, options_.maxStatesAside);
  }

  void search() {
    if (net_.bad.empty()) {
      result_.outcome = Outcome::Holds;
      return;
    }
    for (const auto &predicates : known_)
      add(predicates);
    while (step())
      ;
  }

  void add(std::vector<Term> predicates) {
    automata_.push_back(
        std::make_unique<FloydHoare>(petri_, net_.origin, std::move(predicates), triples_));
  }

  /// Not for every event: looking at all automata takes time, too.
  void reportNowAndThen(uint64_t events) {
    constexpr double pause = 0.2;
    if (budget_.seconds() >= reported_ + pause)
      report(events);
  }

  void report(uint64_t events) {
    reported_ = budget_.seconds();
    Statistics statistics;
    statistics.refinements = result_.statistics.refinements;
    for (const auto &automaton : automata_)
      statistics.predicates += automaton->predicates().size();
    statistics.events = events;
    budget_.report(phase_, statistics);
  }

  /// False: there is an outcome.
  bool step() {
    report(result_.statistics.events);
    std::vector<petri::Observer *> observers;
    for (const auto &automaton : automata_)
      observers.push_back(automaton.get());
    for (const auto &aside : aside_)
      observers.push_back(aside.get());
    const auto run = options_.search == Search::Explore ? explored(observers) : unfolded(observers);
    if (!result_.reason.empty())
      return false;
    logic::log(logic::level::decisions, [&] {
      return run ? "run of " + logic::plural(run->size(), "step") + " to a violation"
                 : std::string("no run to a violation is left");
    });
    if (!run) {
      conclude();
      return false;
    }
    return analyse(*run);
  }

  std::optional<petri::Run> explored(const std::vector<petri::Observer *> &observers) {
    petri::ExplorerOptions explorer;
    explorer.maxStates = maxStates();
    explorer.stop = [&] { return budget_.exhausted(); };
    const petri::ExplorerResult found = petri::explore(net_.net, net_.bad, observers, explorer);
    result_.statistics.states = found.states;
    if (!found.reason.empty())
      open(found.reason);
    return found.run;
  }

  std::optional<petri::Run> unfolded(const std::vector<petri::Observer *> &observers) {
    petri::UnfoldingLimits limits;
    limits.maxEvents = maxStates();
    const petri::Unfolder *running = nullptr;
    limits.isStopped = [&] {
      if (running)
        reportNowAndThen(running->statistics().events);
      return budget_.exhausted();
    };
    limits.work = [&](uint64_t units) { budget_.work(units); };
    petri::Unfolder unfolder(net_.net, observers, limits);
    running = &unfolder;
    const auto found = unfolder.find([&](petri::PlaceId place) {
      return std::binary_search(net_.bad.begin(), net_.bad.end(), place);
    });
    result_.statistics.events = unfolder.statistics().events;
    result_.statistics.conditions = unfolder.statistics().conditions;
    if (found == petri::Unfolder::Result::Limit)
      open(budget_.exhausted() ? "time limit"
                               : "more than " + std::to_string(maxStates()) + " events");
    return found == petri::Unfolder::Result::Found ? std::optional(unfolder.run()) : std::nullopt;
  }

  bool analyse(const petri::Run &run) {
    petri::Run original;
    for (petri::TransitionId id : run)
      original.push_back(net_.origin[id]);
    const std::vector<Step> steps = stepsOf(petri_, original);
    Feasibility feasibility = feasible(*petri_.pool, steps, budget_.limits());
    ++result_.statistics.queries;
    if (feasibility.answer == Satisfiability::Sat) {
      result_.outcome = Outcome::Violated;
      result_.run = std::move(original);
      result_.execution = std::move(feasibility.execution);
      return false;
    }
    if (feasibility.answer == Satisfiability::Unknown)
      return setAside(run,
                      "the solver cannot decide whether a run is possible: " + feasibility.reason);
    if (budget_.exhausted() || result_.statistics.refinements == options_.maxRefinements) {
      open(budget_.exhausted()
               ? "time limit"
               : "more than " + std::to_string(options_.maxRefinements) + " refinements");
      return false;
    }
    ++result_.statistics.refinements;
    return refine(run, steps);
  }

  bool refine(const petri::Run &run, const std::vector<Step> &steps) {
    std::vector<Term> predicates = predicatesFor(steps);
    if (predicates.size() > options_.maxPredicates)
      return setAside(run, "a run needs more than " + std::to_string(options_.maxPredicates) +
                               " predicates");
    add(predicates);
    if (!automata_.back()->rejects(run)) {
      automata_.pop_back();
      return setAside(run, "no proof was found that a run is impossible");
    }
    logic::log(logic::level::decisions, [&] {
      return "refinement " + std::to_string(result_.statistics.refinements) +
             ": the run is impossible, " + logic::plural(predicates.size(), "predicate");
    });
    known_.push_back(std::move(predicates));
    return true;
  }

  std::vector<Term> predicatesFor(const std::vector<Step> &steps) {
    std::vector<Term> result;
    std::set<Term> seen;
    InterpolationOptions interpolation;
    interpolation.resources = options_.resources;
    interpolation.maxSeconds = budget_.limits().seconds;
    interpolation.stop = budget_.limits().stop;
    interpolation.pace = budget_.limits().pace;
    for (const Interpolants &sequence : interpolate(*petri_.pool, steps, interpolation))
      for (const auto &conjuncts : sequence.predicates)
        for (const Term &conjunct : conjuncts)
          if (!conjunct.isTrue() && !conjunct.isFalse() && seen.insert(conjunct).second)
            result.push_back(conjunct);
    return result;
  }

  /// No run is left but those set aside.
  void conclude() {
    if (!aside_.empty())
      return open(whyAside_);
    result_.outcome = Outcome::Holds;
    for (const auto &automaton : automata_)
      result_.domain.components.push_back(automaton->domain());
  }
};

} // namespace

AbstractionResult checkSpecification(const Program &program, const petri::PetriProgram &petri,
                                     petri::Specification specification, Predicates &known,
                                     HoareTriples &triples, Budget &budget,
                                     const AbstractionOptions &options) {
  return Loop(program, petri, specification, known, triples, budget, options).run();
}

} // namespace understudy::compose::refine
