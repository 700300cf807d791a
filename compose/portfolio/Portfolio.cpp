// SPDX-License-Identifier: Apache-2.0
//
// `auto`: which engines take part, in which order, and what is said when none of them answers. How
// they run beside one another is in `Turns.cpp`. Each works on a copy of the program in a pool of
// its own, since the order of terms in a pool guides searches.
#include "compose/portfolio/Portfolio.h"

#include "compose/ProgramCopy.h"
#include "compose/Watch.h"
#include "compose/portfolio/Looks.h"
#include "compose/proof/ExplicitCheck.h"
#include "logic/Error.h"
#include "logic/Log.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <new>

namespace understudy::compose::portfolio {

namespace {

bool isDecided(const Outcome &outcome) { return outcome.verdict.answer != Answer::Unknown; }

bool looksAtNumbers(const Engine &engine) { return engine.name == EngineName::Explicit; }

/// Will its proof be the evidence that is asked for? Not each can be shown at the lines of the
/// source.
bool leavesEvidence(const Engine &engine, const Question &question) {
  return question.evidence != Question::Evidence::Annotation || engine.name == EngineName::Refine ||
         engine.name == EngineName::Count;
}

/// What goes wrong with fewer threads does so with more, of which some do nothing.
Outcome runEngine(const Engine &engine, const Program &program, const Question &question,
                  const EngineLimits &limits) {
  const logic::LogScope scope(engine.topic);
  if (question.counts.empty() || looksAtNumbers(engine))
    return engine.run(program, question, limits);
  Question asked = question;
  asked.counts.clear();
  Outcome outcome = engine.run(withNumbers(program, question.counts), asked, limits);
  if (outcome.verdict.answer == Answer::Safe)
    outcome.verdict.scope = proof::scopeText(program, question.counts);
  return outcome;
}

class Auto {
public:
  Auto(const Program &program, Question question, EngineLimits limits)
      : program_(program), question_(std::move(question)), limits_(std::move(limits)) {
    question_.company = Question::Company::AmongOthers;
  }

  Outcome run(TurnOptions turns) {
    if (question_.deadlock == Question::Deadlock::Check) // which nobody else sees
      return engineOf(EngineName::Explicit).run(program_, question_, limits_);
    const std::vector<EngineName> names = order();
    outcomes_.resize(names.size());
    std::vector<Contender> contenders;
    for (size_t i = 0; i < names.size(); ++i)
      contenders.push_back(contender(engineOf(names[i]), outcomes_[i]));
    turns.stop = limits_.stop;
    if (auto winner = firstToAnswer(contenders, turns))
      return std::move(outcomes_[*winner]);
    // A limit was met while a proof waited for one that can be shown.
    auto waiting = std::find_if(outcomes_.begin(), outcomes_.end(), isDecided);
    return waiting != outcomes_.end() ? std::move(*waiting) : unknown();
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
  /// shortest. Where threads are forked it may find no end; the next is coverability then, which
  /// takes little time for data with bounds, or trace abstraction, which finds the thread width.
  std::vector<EngineName> order() const {
    using enum EngineName;
    std::vector<EngineName> names{Explicit, Count, Refine, Cover};
    if (!openThreads(withNumbers(program_, question_.counts)).empty())
      names = {Count, Cover};
    else if (hasForks(program_))
      names = hasUnboundedData(program_) ? std::vector{Explicit, Refine, Count, Cover}
                                         : std::vector{Explicit, Cover, Refine, Count};
    std::vector<EngineName> result;
    for (bool leaves : {true, false})
      for (EngineName name : names)
        if (leavesEvidence(engineOf(name), question_) == leaves)
          result.push_back(name);
    return result;
  }

  /// How often the work of an engine counts. Numbers that somebody set are small as a rule, and
  /// exploring is the best then; data without bounds it seldom comes to an end with.
  uint64_t handicapOf(const Engine &engine) const {
    constexpr uint64_t patience = 8, doubt = 4;
    if (!question_.counts.empty())
      return looksAtNumbers(engine) ? 1 : patience;
    return engine.name == EngineName::Explicit && hasUnboundedData(program_) ? doubt : 1;
  }

  Contender contender(const Engine &engine, Outcome &outcome) {
    return {[this, &engine, &outcome](const std::stop_token &stop, logic::solver::Pace &pace) {
              EngineLimits limits = limits_;
              limits.stop = stop;
              limits.pace = &pace;
              limits.progress = progressOf(engine.name);
              log(engine, "begins");
              try {
                outcome = runEngine(engine, copyOf(program_), question_, limits);
              } catch (const std::bad_alloc &) {
                outcome.verdict.engine = engine.name;
                outcome.verdict.reason = "out of memory";
              }
              log(engine, stop.stop_requested() ? "is stopped" : said(outcome.verdict));
              // Others may still find the proof that is asked for: a minute's worth of work.
              constexpr uint64_t patience = 60'000'000;
              if (outcome.verdict.answer == Answer::Safe && !leavesEvidence(engine, question_))
                pace.spend(patience);
              return isDecided(outcome);
            },
            handicapOf(engine)};
  }

  static std::string said(const Verdict &verdict) {
    return "says " + word(verdict.answer) + (verdict.reason.empty() ? "" : ": " + verdict.reason);
  }

  static void log(const Engine &engine, const std::string &what) {
    logic::log(logic::Topic::Auto, logic::level::phases,
               [&] { return word(engine.name) + " " + what; });
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

/// Is it worth a try to set a number of threads? Then what to say.
std::string adviceOf(const Program &program, const EngineLimits &limits,
                     std::optional<EngineName> engine) {
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
  if (!isDecided(few))
    return "";
  std::string numbers = engine ? " --engine explicit" : "";
  for (const std::string &name : open)
    numbers += " --threads " + name + "=N";
  return "; try a fixed number of threads with" + numbers;
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
  Outcome outcome = engine ? runEngine(engineOf(*engine), program, question, watched)
                           : Auto(program, question, watched).run(turns);
  Verdict &verdict = outcome.verdict;
  if (!engine && verdict.answer == Answer::Safe && !verdict.width)
    verdict.width = widthOfStart(program);
  if (isDecided(outcome))
    return outcome;
  if (auto limit = watch.exceeded())
    verdict.reason = *limit;
  else if ((!engine || *engine == EngineName::Count) && question.counts.empty() &&
           verdict.reason.find("--threads") == std::string::npos) // said already
    verdict.reason += adviceOf(program, watched, engine);
  return outcome;
}

} // namespace understudy::compose::portfolio
