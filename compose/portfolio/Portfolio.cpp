// SPDX-License-Identifier: Apache-2.0
//
// `auto`: which engines take part, in which order, and what is said when none of them answers. How
// they run beside one another is in `Turns.cpp`. Each works on a copy of the program in a pool of
// its own, since the order of terms in a pool guides searches.
#include "compose/portfolio/Portfolio.h"

#include "compose/ProgramCopy.h"
#include "compose/Watch.h"
#include "compose/portfolio/Looks.h"
#include "logic/Error.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <new>

namespace understudy::compose::portfolio {

namespace {

bool isDecided(const Outcome &outcome) { return outcome.verdict.answer != Answer::Unknown; }

class Auto {
public:
  Auto(const Program &program, Question question, EngineLimits limits)
      : program_(program), question_(std::move(question)), limits_(std::move(limits)) {
    question_.company = Question::Company::AmongOthers;
  }

  Outcome run(TurnOptions turns) {
    // Numbers that somebody set are explored, and only the explicit engine sees deadlocks.
    if (!question_.counts.empty() || question_.deadlock == Question::Deadlock::Check)
      return engineOf(EngineName::Explicit).run(program_, question_, limits_);
    const std::vector<EngineName> names = order();
    outcomes_.resize(names.size());
    std::vector<Contender> contenders;
    for (size_t i = 0; i < names.size(); ++i)
      contenders.push_back(contender(engineOf(names[i]), outcomes_[i]));
    turns.stop = limits_.stop;
    if (auto winner = firstToAnswer(contenders, turns))
      return std::move(outcomes_[*winner]);
    return unknown();
  }

private:
  const Program &program_;
  Question question_;
  EngineLimits limits_;
  std::vector<Outcome> outcomes_;
  std::mutex mutex_; ///< of the progress
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();

  /// Threads of any number: the explicit engine and refine prove nothing, and count itself looks at
  /// few threads. Otherwise the explicit engine is first, since its counterexamples are the
  /// shortest; and trace abstraction, which finds the thread width, is before counting where
  /// threads are forked.
  std::vector<EngineName> order() const {
    using enum EngineName;
    std::vector<EngineName> names{Explicit, Count, Refine, Cover};
    if (!openThreads(program_).empty())
      names = {Count, Cover};
    else if (hasForks(program_))
      names = {Explicit, Refine, Count, Cover};
    return question_.evidence == Question::Evidence::Wanted ? withEvidenceFirst(names) : names;
  }

  static std::vector<EngineName> withEvidenceFirst(const std::vector<EngineName> &names) {
    std::vector<EngineName> result;
    for (bool leaves : {true, false})
      for (EngineName name : names)
        if (engineOf(name).leavesEvidence == leaves)
          result.push_back(name);
    return result;
  }

  Contender contender(const Engine &engine, Outcome &outcome) {
    // One that leaves no evidence waits longer for those that do.
    constexpr uint64_t patience = 8;
    const bool isLast = question_.evidence == Question::Evidence::Wanted && !engine.leavesEvidence;
    return {[this, &engine, &outcome](const std::stop_token &stop, logic::solver::Pace &pace) {
              EngineLimits limits = limits_;
              limits.stop = stop;
              limits.pace = &pace;
              limits.progress = progressOf(engine.name);
              try {
                outcome = engine.run(copyOf(program_), question_, limits);
              } catch (const std::bad_alloc &) {
                outcome.verdict.engine = engine.name;
                outcome.verdict.reason = "out of memory";
              }
              return isDecided(outcome);
            },
            isLast ? patience : 1};
  }

  /// One line for all, so one at a time.
  Progress progressOf(EngineName name) {
    if (!limits_.progress)
      return {};
    return [this, name](const std::string &phase, Statistics statistics) {
      const std::lock_guard lock(mutex_);
      const std::chrono::duration<double> used = std::chrono::steady_clock::now() - begin_;
      statistics.seconds = used.count();
      const std::string engine = word(name);
      limits_.progress(phase.starts_with(engine) ? phase : engine + ", " + phase, statistics);
    };
  }

  Outcome unknown() {
    Outcome result;
    Verdict &verdict = result.verdict;
    verdict.assumptions = program_.assumptions;
    for (Outcome &outcome : outcomes_) {
      if (!outcome.verdict.engine) // its turn did not come
        continue;
      result.attempts.push_back(
          {*outcome.verdict.engine, outcome.verdict.reason, outcome.verdict.statistics});
      verdict.statistics.seconds =
          std::max(verdict.statistics.seconds, outcome.verdict.statistics.seconds);
      if (!verdict.where.known())
        verdict.where = outcome.verdict.where;
    }
    verdict.reason = "no engine found an answer";
    return result;
  }
};

/// Is it worth a try to set a number of threads? Then for which.
std::string adviceOf(const Program &program, const EngineLimits &limits) {
  constexpr uint64_t quickStates = 100'000;
  const std::vector<std::string> open = openThreads(program);
  if (open.empty() || limits.stop.stop_requested())
    return "";
  Question question;
  for (const std::string &name : open)
    question.counts[*program.templateNamed(name)] = 2;
  EngineLimits quick = limits;
  quick.progress = {};
  quick.maxStates = std::min(quickStates, limits.maxStates.value_or(quickStates));
  const Outcome few = engineOf(EngineName::Explicit).run(program, question, quick);
  return isDecided(few) ? "; try a fixed number of threads with --threads " + open.front() + "=N"
                        : "";
}

} // namespace

Outcome decide(const Program &program, const Question &question, const EngineLimits &limits,
               std::optional<EngineName> engine, const TurnOptions &turns) {
  if (engine)
    if (auto refusal = engineOf(*engine).refusal(question, limits))
      throw logic::Error({}, refusal->reason, refusal->advice);
  const Watch watch(limits.maxSeconds, limits.maxMemoryBytes.value_or(0), limits.stop);
  EngineLimits watched = limits;
  watched.maxSeconds = 0;
  watched.stop = watch.token();
  Outcome outcome = engine ? engineOf(*engine).run(program, question, watched)
                           : Auto(program, question, watched).run(turns);
  Verdict &verdict = outcome.verdict;
  if (!engine && verdict.answer == Answer::Safe && !verdict.width)
    verdict.width = widthOfStart(program);
  if (isDecided(outcome))
    return outcome;
  if (auto limit = watch.exceeded())
    verdict.reason = *limit;
  else if (!engine || *engine == EngineName::Count)
    verdict.reason += adviceOf(program, watched);
  return outcome;
}

} // namespace understudy::compose::portfolio
