// SPDX-License-Identifier: Apache-2.0
#include "tools/command/Engines.h"

#include "compose/counting/Counting.h"
#include "compose/cover/translate/VerifyCover.h"
#include "compose/refine/Beside.h"
#include "logic/Error.h"
#include "tools/command/Run.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <sys/resource.h>

namespace understudy::tools::command {

using compose::Answer;
using compose::Program;
using compose::TemplateId;
using compose::Verdict;

namespace {

std::vector<std::string> openThreads(const Program &program) {
  std::vector<std::string> names;
  for (const compose::Start &start : program.starts)
    if (start.unbounded)
      names.push_back(program.templates[start.thread].name);
  return names;
}

/// The locations that can follow `source`, along edges.
std::set<compose::LocationId> reachable(const compose::Template &thread,
                                        compose::LocationId source) {
  std::set<compose::LocationId> seen{source};
  std::vector<compose::LocationId> open{source};
  while (!open.empty()) {
    compose::LocationId at = open.back();
    open.pop_back();
    for (const compose::Edge &edge : thread.edges)
      if (edge.source == at && seen.insert(edge.target).second)
        open.push_back(edge.target);
  }
  return seen;
}

/// A fork stands in a loop, or a thread forks its own kind, perhaps through others: the number of
/// threads may have no bound.
bool mayForkForever(const Program &program) {
  std::set<std::pair<TemplateId, TemplateId>> forks;
  for (TemplateId id = 0; id < program.templates.size(); ++id)
    for (const compose::Edge &edge : program.templates[id].edges)
      if (const auto *fork = std::get_if<compose::Fork>(&edge.action)) {
        forks.emplace(id, fork->thread);
        if (reachable(program.templates[id], edge.target).contains(edge.source))
          return true;
      }
  for (TemplateId via = 0; via < program.templates.size(); ++via)
    for (TemplateId from = 0; from < program.templates.size(); ++from)
      for (TemplateId to = 0; to < program.templates.size(); ++to)
        if (forks.contains({from, via}) && forks.contains({via, to}))
          forks.emplace(from, to);
  return std::any_of(forks.begin(), forks.end(),
                     [](auto fork) { return fork.first == fork.second; });
}

bool hasForks(const Program &program) {
  return std::any_of(program.templates.begin(), program.templates.end(), [](const auto &thread) {
    return std::any_of(thread.edges.begin(), thread.edges.end(), [](const compose::Edge &edge) {
      return std::holds_alternative<compose::Fork>(edge.action);
    });
  });
}

bool isDecided(const EngineAnswer &answer) { return answer.verdict.answer != Answer::Unknown; }

class EngineRun {
public:
  EngineRun(const Program &program, const options::RunOptions &options,
            const compose::Progress &progress)
      : program_(program), options_(options), progress_(progress) {}

  EngineAnswer run() {
    refuseOptionsOfRefine();
    switch (options_.engine) {
    case options::Engine::Explicit:
      return explicitly(options_.maxStates);
    case options::Engine::Count:
      refuseForAnyNumber("count");
      return counting(FewThreads::TryFirst);
    case options::Engine::Refine:
      refuseForRefine();
      return refining(Effort::Full);
    case options::Engine::Cover:
      refuseForAnyNumber("cover");
      return covering();
    case options::Engine::Auto:
      break;
    }
    // Numbers that somebody set are explored, and only the explicit engine sees deadlocks.
    if (!options_.threads.empty() || options_.deadlock == options::Switch::On)
      return explicitly(options_.maxStates);
    return openThreads(program_).empty() ? pick() : countThenCover();
  }

private:
  const Program &program_;
  const options::RunOptions &options_;
  const compose::Progress &progress_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();

  /// What is left of --timeout; 0: no limit.
  double seconds() const {
    constexpr double least = 0.001;
    if (options_.timeoutSeconds <= 0)
      return 0;
    std::chrono::duration<double> used = std::chrono::steady_clock::now() - begin_;
    return std::max(options_.timeoutSeconds - used.count(), least);
  }

  void refuseForAnyNumber(const std::string &engine) const {
    if (!options_.threads.empty())
      throw logic::Error({},
                         "--engine " + engine +
                             " proves a program for any number of threads, and "
                             "--threads sets one",
                         "leave one of them out");
    if (options_.deadlock == options::Switch::On)
      throw logic::Error({}, "--engine " + engine + " does not look for deadlocks",
                         "leave out --deadlock, or take --engine explicit");
  }

  void refuseOptionsOfRefine() const {
    const bool mayRefine =
        options_.engine == options::Engine::Auto || options_.engine == options::Engine::Refine;
    if (!mayRefine && (options_.algorithm || options_.maxWidth))
      throw logic::Error({}, "--algorithm and --max-width are for --engine refine",
                         "leave them out, or take --engine refine");
  }

  void refuseForRefine() const {
    if (!options_.threads.empty())
      throw logic::Error({}, "--engine refine does not know --threads",
                         "it takes programs without 'T*' only; leave one of them out");
    if (options_.deadlock == options::Switch::On)
      throw logic::Error({}, "--engine refine does not look for deadlocks",
                         "leave out --deadlock, or take --engine explicit");
  }

  /// Quick: among other engines, with limits after which those are worth a try, and with one
  /// algorithm.
  enum class Effort : uint8_t { Quick, Full };

  compose::refine::RefineOptions refinement(Effort effort) const {
    return effort == Effort::Quick ? quickRefinement() : fullRefinement();
  }

  compose::refine::RefineOptions quickRefinement() const {
    constexpr uint32_t smallWidth = 4;
    compose::refine::RefineOptions engine;
    engine.maxWidth = std::min(smallWidth, options_.maxWidth.value_or(smallWidth));
    engine.maxStates = 20'000;
    engine.maxRefinements = 30;
    engine.maxTransitions = 10'000;
    return engine;
  }

  compose::refine::RefineOptions fullRefinement() const {
    compose::refine::RefineOptions engine;
    engine.maxWidth = options_.maxWidth.value_or(engine.maxWidth);
    engine.maxStates = options_.maxStates.value_or(engine.maxStates);
    return engine;
  }

  EngineAnswer refining(Effort effort) const {
    compose::refine::RefineOptions engine = refinement(effort);
    if (options_.algorithm)
      engine.algorithm = static_cast<compose::refine::Algorithm>(*options_.algorithm);
    engine.maxSeconds = seconds();
    engine.progress = progress_;
    const bool isAlone = options_.algorithm || effort == Effort::Quick;
    compose::refine::RefineResult result = isAlone
                                               ? compose::refine::verifyRefine(program_, engine)
                                               : compose::refine::verifyBeside(program_, engine);
    return {std::move(result.verdict), std::nullopt, std::move(result.iterations)};
  }

  EngineAnswer explicitly(std::optional<uint64_t> maxStates) const {
    using compose::exploration::ExplicitOptions;
    ExplicitOptions engine;
    engine.counts = threadCounts(program_, options_.threads);
    engine.symmetry = options_.symmetry == options::Switch::On ? ExplicitOptions::Symmetry::On
                                                               : ExplicitOptions::Symmetry::Off;
    engine.deadlock = options_.deadlock == options::Switch::On ? ExplicitOptions::Deadlock::Check
                                                               : ExplicitOptions::Deadlock::Ignore;
    engine.maxStates = maxStates.value_or(engine.maxStates);
    if (options_.memoryMegabytes)
      engine.maxMemoryBytes = *options_.memoryMegabytes << 20;
    engine.maxSeconds = seconds();
    engine.progress = progress_;
    EngineAnswer answer;
    if (options_.certificate)
      engine.reached = [&](std::vector<compose::Configuration> states) {
        answer.evidence = compose::proof::ExplicitEvidence{std::move(states)};
      };
    answer.verdict = compose::exploration::verifyExplicit(program_, engine);
    return answer;
  }

  using FewThreads = compose::counting::CountingOptions::FewThreads;

  EngineAnswer counting(FewThreads few) const {
    compose::counting::CountingOptions engine;
    engine.fewThreads = few;
    engine.maxSeconds = seconds();
    engine.fewStates = std::min(engine.fewStates, options_.maxStates.value_or(engine.fewStates));
    engine.progress = progress_;
    compose::counting::CountingResult result = compose::counting::verifyCounting(program_, engine);
    Verdict &verdict = result.verdict;
    auto open = openThreads(program_);
    if (verdict.answer == Answer::Unknown && !open.empty())
      verdict.reason += "; a number of threads can be set with --threads " + open.front() + "=N";
    EngineAnswer answer{std::move(verdict), std::nullopt, {}};
    if (options_.certificate && result.proof)
      answer.evidence = compose::proof::evidenceOf(program_, *result.proof);
    return answer;
  }

  EngineAnswer covering() const {
    compose::cover::translate::VerifyCoverOptions engine;
    engine.search = options_.cover;
    engine.translate.maxSeconds = seconds();
    engine.search.maxSeconds = seconds();
    engine.search.progress = progress_;
    engine.search.maxVertices = options_.maxStates.value_or(engine.search.maxVertices);
    if (options_.memoryMegabytes)
      engine.search.maxMemoryBytes = *options_.memoryMegabytes << 20;
    compose::cover::translate::VerifyCoverResult result =
        compose::cover::translate::verifyCover(program_, engine);
    EngineAnswer answer{std::move(result.verdict), std::nullopt};
    if (options_.certificate && result.proof)
      answer.evidence = compose::proof::CoverEvidence{std::move(result.proof->uncoverable)};
    return answer;
  }

  /// What counting leaves open may have finite data.
  EngineAnswer countThenCover() const {
    EngineAnswer first = counting(FewThreads::TryFirst);
    if (first.verdict.answer != Answer::Unknown)
      return first;
    EngineAnswer second = covering();
    return second.verdict.answer != Answer::Unknown ? second : first;
  }

  /// No thread is run in any number.
  EngineAnswer pick() const {
    constexpr uint64_t quickStates = 200'000;
    auto states = options_.maxStates;
    bool quick = mayForkForever(program_) && states.value_or(quickStates + 1) > quickStates;
    EngineAnswer first = explicitly(quick ? quickStates : states);
    if (isDecided(first))
      return first;
    // Counting proves no thread width, so small widths are tried before it where threads are
    // forked, unless a certificate is wanted, which it writes.
    if (hasForks(program_) && !options_.certificate)
      if (EngineAnswer next = refining(Effort::Quick); isDecided(next))
        return next;
    if (EngineAnswer next = counting(FewThreads::Skip); isDecided(next))
      return next;
    if (EngineAnswer next = refining(Effort::Full); isDecided(next))
      return next;
    if (EngineAnswer next = covering(); isDecided(next))
      return next;
    return quick ? explicitly(states) : first;
  }
};

/// The most that the process has had in memory.
uint64_t peakMemoryBytes() {
  constexpr uint64_t kilobyte = 1024;
  rusage usage{};
  return ::getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<uint64_t>(usage.ru_maxrss) * kilobyte
                                               : 0;
}

} // namespace

EngineAnswer runEngines(const Program &program, const options::RunOptions &options,
                        const compose::Progress &progress) {
  EngineAnswer answer = EngineRun(program, options, progress).run();
  answer.verdict.statistics.memoryBytes = peakMemoryBytes();
  return answer;
}

} // namespace understudy::tools::command
