// SPDX-License-Identifier: Apache-2.0
//
// The engine: pre-pass, then a backward search with the oracle beside it, until one of them
// answers.
//
// The problem: the two run in parallel and tell each other what they find; if they did so whenever
// they find it, the trace or the proof would depend on the machine. The idea: they work in rounds.
// In a round each does a fixed amount of work, counted in configurations, in its own thread;
// between rounds the search learns all that the oracle found. So a run is a function of the input.
// When the search answers, the oracle is stopped at once; when the oracle answers, the search first
// finishes its round, a matter of milliseconds, so that its answer, if it has one, comes first
// every time.
//
// The pre-pass has two parts. The sign analysis comes first. The state equation is for large safe
// nets, and costs more than most problems do altogether; so it comes after a few rounds that left
// the question open.
//
// Every answer is checked here before it is given: a trace is replayed on the problem; a proof is
// closed under the predecessors by all transitions, also those that the pre-pass left out.
#include "compose/cover/Cover.h"

#include "compose/cover/OracleThread.h"
#include "compose/cover/ProofClosure.h"
#include "compose/cover/net/Fire.h"
#include "compose/cover/net/StateEquation.h"
#include "logic/Error.h"
#include "logic/Log.h"
#include "logic/Words.h"

#include <algorithm>
#include <new>
#include <stdexcept>

namespace understudy::compose::cover {

namespace {

class Engine {
public:
  Engine(const net::CoverProblem &problem, const CoverOptions &options)
      : problem_(problem), options_(options), budget_(options) {}

  CoverAnswer run() {
    try {
      prepare();
      if (options_.prePass == CoverOptions::PrePass::On && targetsImpossible())
        safe({}, "sign analysis");
      else
        search();
    } catch (const logic::Unsupported &reason) {
      answer_.answer = Answer::Unknown;
      answer_.reason = reason.what();
    } catch (const std::bad_alloc &) {
      answer_.answer = Answer::Unknown;
      answer_.reason = "out of memory";
    }
    collect();
    return std::move(answer_);
  }

private:
  const net::CoverProblem &problem_;
  const CoverOptions &options_;
  std::unique_ptr<net::SignAnalysis> signs_;
  std::unique_ptr<net::NetIndex> index_;
  std::unique_ptr<KarpMiller> oracle_;
  std::unique_ptr<Search> search_;
  size_t learned_ = 0; ///< nodes of the oracle that the search knows
  CoverAnswer answer_;
  Budget budget_;

  double seconds() const { return budget_.seconds(); }

  void prepare() {
    if (options_.prePass == CoverOptions::PrePass::On)
      signs_ = std::make_unique<net::SignAnalysis>(problem_);
    index_ = std::make_unique<net::NetIndex>(problem_.net,
                                             signs_ ? signs_->useful() : std::vector<bool>{});
    auto &useful = answer_.statistics.usefulTransitions;
    useful = problem_.net.transitions.size();
    if (signs_)
      useful = std::count(signs_->useful().begin(), signs_->useful().end(), true);
  }

  bool targetsImpossible() const {
    return std::none_of(
        problem_.targets.begin(), problem_.targets.end(),
        [&](const net::Configuration &target) { return signs_->isPossible(target); });
  }

  void makeSearch() {
    if (options_.oracle == CoverOptions::Oracle::On)
      oracle_ = std::make_unique<KarpMiller>(*index_, signs_.get(), problem_.targets);
    SearchInput input{&problem_, index_.get(), signs_.get(), oracle_.get()};
    switch (options_.algorithm) {
    case CoverOptions::Algorithm::Backward:
      search_ = backwardSearch(input);
      break;
    case CoverOptions::Algorithm::Cat:
      search_ = wideningSearch(input, Variant::Full, options_.widenThreads);
      break;
    case CoverOptions::Algorithm::Lean:
      search_ = wideningSearch(input, Variant::Lean, options_.widenThreads);
      break;
    }
  }

  void search() {
    constexpr uint64_t work = 2000, firstAlone = 4, beforeEquation = 8;
    constexpr uint64_t unitsOfRound = 5 * work;
    makeSearch();
    std::optional<OracleThread> thread;
    if (oracle_)
      thread.emplace(*oracle_);
    while (!isDecided()) {
      if (auto limit = limitReached()) {
        answer_.reason = *limit;
        return;
      }
      uint64_t round = answer_.statistics.rounds++;
      if (round == beforeEquation && provedByEquation())
        return;
      bool both = oracle_ && oracle_->status() == KarpMiller::Status::Running;
      bool threaded = both && round >= firstAlone; // small problems need no thread
      if (threaded)
        thread->begin(work);
      search_->run(work);
      if (search_->status() != Search::Status::Running)
        break;
      if (threaded)
        thread->end();
      else if (both)
        oracle_->run(work);
      exchange();
      budget_.work(unitsOfRound);
      report();
    }
    if (thread)
      thread->abandon();
    conclude();
  }

  bool provedByEquation() {
    if (!signs_ || options_.stateEquation == CoverOptions::StateEquation::Off)
      return false;
    answer_.stateEquation = net::proveByStateEquation(problem_, signs_->useful());
    if (!answer_.stateEquation)
      return false;
    answer_.answer = Answer::Safe;
    answer_.decidedBy = "state equation";
    return true;
  }

  bool isDecided() const {
    return search_->status() != Search::Status::Running ||
           (oracle_ && (oracle_->status() == KarpMiller::Status::Covered ||
                        oracle_->status() == KarpMiller::Status::Complete));
  }

  void exchange() {
    if (!oracle_ || isDecided())
      return;
    for (; learned_ < oracle_->nodes().size(); ++learned_)
      search_->learn(oracle_->nodes()[learned_].configuration, static_cast<uint32_t>(learned_));
  }

  std::optional<std::string> limitReached() const {
    uint64_t memory = search_->statistics().memoryBytes + (oracle_ ? oracle_->memoryBytes() : 0);
    if (memory > options_.maxMemoryBytes)
      return "memory limit";
    if (search_->statistics().vertices > options_.maxVertices)
      return "limit of " + std::to_string(options_.maxVertices) + " configurations";
    if (budget_.exhausted())
      return "time limit";
    return std::nullopt;
  }

  void conclude() {
    switch (search_->status()) {
    case Search::Status::Covered:
      return unsafe(search_->chain(), name());
    case Search::Status::Uncoverable:
      return safe(search_->uncoverable(), name());
    case Search::Status::Running:
      break;
    }
    if (oracle_->status() == KarpMiller::Status::Covered)
      unsafe(oracle_->chainToTarget(), "oracle");
    else
      safe(uncoverableByOracle(problem_, *index_, *oracle_, signs_.get()), "oracle");
  }

  std::string name() const {
    switch (options_.algorithm) {
    case CoverOptions::Algorithm::Backward:
      return "backward search";
    case CoverOptions::Algorithm::Cat:
      return "CAT";
    case CoverOptions::Algorithm::Lean:
      break;
    }
    return "lean CAT";
  }

  void unsafe(const Chain &chain, const std::string &by) {
    net::CoverTrace trace = traceOf(problem_.net, chain);
    if (auto defect = net::replay(problem_, trace))
      throw std::logic_error("the firing sequence does not replay: " + *defect);
    answer_.answer = Answer::Unsafe;
    answer_.decidedBy = by;
    answer_.trace = std::move(trace);
  }

  void safe(std::vector<net::Configuration> uncoverable, const std::string &by) {
    net::CoverProof proof = closeProof(problem_, std::move(uncoverable), signs_.get());
    answer_.answer = Answer::Safe;
    answer_.decidedBy = by;
    answer_.proof = std::move(proof);
  }

  void collect() {
    CoverStatistics &statistics = answer_.statistics;
    if (search_)
      statistics.search = search_->statistics();
    if (oracle_) {
      statistics.oracleNodes = oracle_->nodes().size();
      statistics.oracleSuccessors = oracle_->successors();
    }
    statistics.seconds = seconds();
  }

  void report() {
    Statistics statistics;
    statistics.states = search_->statistics().vertices;
    statistics.transitions = search_->statistics().predecessors;
    logic::log(logic::level::decisions, [&] {
      return "round " + std::to_string(answer_.statistics.rounds) + ": " +
             logic::plural(statistics.states, "configuration") +
             (oracle_ ? ", forward " + logic::plural(oracle_->nodes().size(), "node") : "");
    });
    budget_.report("cover", statistics);
  }
};

} // namespace

CoverAnswer decideCover(const net::CoverProblem &problem, const CoverOptions &options) {
  return Engine(problem, options).run();
}

} // namespace understudy::compose::cover
