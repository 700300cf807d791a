// SPDX-License-Identifier: Apache-2.0
//
// The problem: any number of threads, with unbounded integers in the shared state. The idea:
// threads of one template at one location with the same locals are interchangeable, so count them
// (`CountingModel`); the counter system is a program of one thread over integers, for which affine
// invariants (`CountingAffine`) and Spacer (`CountingHorn`) find an inductive invariant.
//
// The invariant of the whole: `unsafe` is answered with a trace that the interpreter replays;
// `safe` after the invariant was checked by queries of its own; everything else is `unknown`.
//
// Counter abstraction: German and Sistla, Reasoning about systems with many processes, 1992. We
// keep integers as integers instead of abstracting them, and follow threads that exist once one by
// one. The search for a violation is left to the explicit engine with few threads first.
#include "compose/counting/Counting.h"

#include "compose/counting/CountingParts.h"
#include "compose/proof/ExplicitCheck.h"
#include "logic/Error.h"
#include "logic/Log.h"
#include "logic/Simplify.h"
#include "logic/Words.h"

#include <algorithm>

namespace understudy::compose::counting {

namespace {

using logic::solver::Satisfiability;

enum class Following { OneByOne, Counted };
enum class Help { All, Affine, None };

struct Strategy {
  Following singles;
  Help help; ///< what Spacer is told
};

/// In this order, whatever the machine.
constexpr Strategy strategies[] = {{Following::OneByOne, Help::All},
                                   {Following::OneByOne, Help::Affine},
                                   {Following::OneByOne, Help::None},
                                   {Following::Counted, Help::All}};

class CountingRun {
public:
  CountingRun(const Program &program, const CountingOptions &options)
      : program_(program), options_(options), budget_(options) {}

  CountingResult run() {
    result_.verdict.engine = EngineName::Count;
    result_.verdict.assumptions = program_.assumptions;
    if (options_.fewThreads != CountingOptions::FewThreads::TryFirst || !failsWithFew(1, few))
      tryStrategies();
    result_.statistics.queries = budget_.queries();
    result_.statistics.seconds = budget_.seconds();
    result_.verdict.statistics.seconds = result_.statistics.seconds;
    return std::move(result_);
  }

private:
  const Program &program_;
  const CountingOptions &options_;
  Budget budget_;
  CountingResult result_;

  static constexpr uint32_t few = 4; ///< threads of each kind

  bool failsWithFew(uint32_t least, uint32_t most) {
    budget_.report("few threads");
    auto found = violationWithFew(program_, least, most, options_.fewStates, budget_);
    if (!found)
      return false;
    result_.verdict.statistics = found->statistics;
    unsafe(std::move(*found->trace));
    return true;
  }

  void tryStrategies() {
    unknown("no strategy succeeded");
    for (const Strategy &strategy : strategies) {
      if (budget_.exhausted())
        unknown("time limit");
      if (budget_.exhausted() || attempt(strategy))
        break;
    }
  }

  void unsafe(Trace trace) {
    result_.verdict.answer = Answer::Unsafe;
    result_.verdict.reason.clear();
    result_.verdict.where = {};
    result_.verdict.trace = std::move(trace);
  }

  void unknown(const std::string &reason, const SourceRange &where = {}) {
    result_.verdict.answer = Answer::Unknown;
    result_.verdict.reason = reason;
    result_.verdict.where = where;
  }

  /// True if there is nothing left to try.
  bool attempt(const Strategy &strategy) {
    std::vector<TemplateId> singles = singleTemplates(program_);
    if (strategy.singles == Following::Counted && std::exchange(singles, {}).empty())
      return false; // the same as before
    ++result_.statistics.attempts;
    try {
      budget_.report("crowds");
      CountingModel model = countingModel(program_, singles, budget_);
      note(model);
      logic::log(logic::level::decisions, [&] {
        return "attempt " + std::to_string(result_.statistics.attempts) + ": " +
               logic::plural(model.crowds.size(), "counter") + ", " +
               logic::plural(model.steps.size(), "transition");
      });
      if (!hasStart(model))
        return true;
      return solve(model, strategy);
    } catch (const logic::Unsupported &unsupported) {
      if (result_.statistics.attempts == 1)
        unknown(unsupported.what(), unsupported.range());
      return false;
    }
  }

  void note(const CountingModel &model) {
    result_.statistics.crowds = model.crowds.size();
    result_.statistics.controls = model.controls.size();
    result_.statistics.steps = model.steps.size();
    result_.verdict.statistics = {};
    result_.verdict.statistics.counters = model.crowds.size();
    result_.verdict.statistics.transitions = model.steps.size();
  }

  bool hasStart(const CountingModel &model) {
    logic::solver::Solver solver(model.pool(), budget_.limits());
    for (const Term &part : model.starts.front().condition)
      solver.add(part);
    Satisfiability answer = budget_.check(solver);
    if (answer == Satisfiability::Unsat)
      unknown("no initial state satisfies the initial values and conditions");
    if (answer == Satisfiability::Unknown)
      unknown("cannot decide whether there is an initial state: " + solver.reasonUnknown());
    return answer == Satisfiability::Sat;
  }

  bool solve(const CountingModel &model, const Strategy &strategy) {
    ControlFacts facts = equationsAndBounds(model, strategy.help);
    if (strategy.help == Help::All && (isEnough(model, facts) || isEnoughWithMore(model, facts)))
      return true;
    CountingAnswer answer = solveCounting(model, facts, budget_);
    if (auto *undecided = std::get_if<CountingUndecided>(&answer)) {
      unknown(undecided->reason);
      return false;
    }
    if (auto *path = std::get_if<CountingPath>(&answer)) {
      tell(model, *path);
      return true;
    }
    return conclude(model, std::get<std::vector<Term>>(std::move(answer)));
  }

  ControlFacts equationsAndBounds(const CountingModel &model, Help help) {
    ControlFacts facts(model.controls.size());
    if (help != Help::None)
      if (auto found = affineFacts(model, budget_))
        facts = std::move(*found);
    result_.statistics.equations = facts.front().size();
    logic::log(logic::level::decisions, [&] {
      return logic::plural(result_.statistics.equations, "equation") + " at the start";
    });
    append(facts, ControlFacts(model.controls.size(), countBounds(model)));
    return facts;
  }

  static void append(ControlFacts &facts, const ControlFacts &more) {
    for (size_t i = 0; i < facts.size(); ++i)
      facts[i].insert(facts[i].end(), more[i].begin(), more[i].end());
  }

  /// Do the facts exclude all errors by themselves? Then they are the verdict.
  bool isEnough(const CountingModel &model, const ControlFacts &facts) {
    std::vector<Term> invariants;
    for (const auto &atControl : facts)
      invariants.push_back(model.pool().conjunction(atControl));
    return conclude(model, std::move(invariants));
  }

  /// The same after small clauses were added.
  bool isEnoughWithMore(const CountingModel &model, ControlFacts &facts) {
    auto found = candidateFacts(model, facts, budget_);
    if (!found)
      return false;
    logic::log(logic::level::decisions, [&] {
      return logic::plural(found->front().size(), "small clause") + " at the start";
    });
    append(facts, *found);
    return isEnough(model, facts);
  }

  /// The counters can go wrong: how, with threads?
  void tell(const CountingModel &model, const CountingPath &path) {
    auto trace = traceOf(model, path, budget_);
    uint32_t threads = startThreads(model, path);
    // Spacer does not look for few threads.
    if (threads > few + 1 && failsWithFew(few + 1, std::min(threads - 1, 2 * few)))
      return;
    if (trace)
      return unsafe(std::move(*trace));
    std::string reason = "the counters allow a violation, but no execution was found that shows it";
    for (const std::string &inexact : model.inexact)
      reason += "; " + inexact;
    unknown(reason);
  }

  /// Of the kind of which there are most.
  uint32_t startThreads(const CountingModel &model, const CountingPath &path) const {
    std::map<TemplateId, int64_t> numbers;
    int64_t most = 0;
    if (!path.states.empty())
      for (size_t i = 0; i < model.crowds.size(); ++i)
        most = std::max(most, numbers[model.crowds[i].thread] +=
                              path.states.front().values[model.firstCount() + i].number());
    return static_cast<uint32_t>(std::min<int64_t>(most, 1000));
  }

  bool conclude(const CountingModel &model, std::vector<Term> invariants) {
    for (Term &invariant : invariants)
      invariant = logic::simplify(invariant);
    if (options_.proof == CountingOptions::Proof::Small)
      if (auto needed = neededInvariants(model, invariants, budget_))
        invariants = std::move(*needed);
    budget_.report("re-check");
    if (auto wrong = recheckCounting(model, invariants, budget_)) {
      logic::log(logic::level::decisions, [&] { return "not enough: " + *wrong; });
      unknown(*wrong);
      return false;
    }
    proof::CountingProof proof{model.singles, model.crowds, {}};
    for (ControlId control = 0; control < model.controls.size(); ++control)
      if (!invariants[control].isFalse())
        proof.invariants.push_back({model.controls[control], invariants[control]});
    result_.proof = std::move(proof);
    result_.verdict.answer = Answer::Safe;
    result_.verdict.reason.clear();
    result_.verdict.where = {};
    result_.verdict.scope = proof::scopeText(program_, {});
    return true;
  }
};

} // namespace

CountingResult verifyCounting(const Program &program, const CountingOptions &options) {
  return CountingRun(program, options).run();
}

} // namespace understudy::compose::counting
