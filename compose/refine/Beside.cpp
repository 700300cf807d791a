// SPDX-License-Identifier: Apache-2.0
//
// Problem: algorithm 1 gives up at the first specification it leaves open, algorithm 3 may not meet
// that obstacle (Table 2 of the petrification paper: each decides programs that the other does
// not), and nobody wants to wait for one after the other. Idea: algorithm 3 begins in a thread of
// its own once algorithm 1 has been busy for a while, and is stopped when it is not needed. If it
// has not begun when it is needed, it runs in the caller's thread. Invariant: the answer depends on
// what the two find, never on which was faster. Therefore algorithm 1 always goes first, and
// algorithm 3 works on a copy of the program in a pool of its own, on whichever thread it runs: the
// order of terms in a pool guides the searches. What is found in the copy is checked on the program
// itself: a trace replays there, and a proof is carried over and checked there.
#include "compose/refine/Beside.h"

#include "compose/Interpreter.h"
#include "compose/ProgramCopy.h"
#include "compose/petri/Petrify.h"
#include "compose/refine/ProofCheck.h"
#include "logic/Transfer.h"

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

namespace understudy::compose::refine {

namespace {

/// Algorithm 3 on the copy. Stopped, if it runs, when it is destroyed.
class SecondOpinion {
public:
  SecondOpinion(const Program &program, const RefineOptions &options, const BesideOptions &beside)
      : program_(program), options_(options), budget_(options), patience_(beside.patience) {
    const unsigned cores = beside.cores != 0 ? beside.cores : std::thread::hardware_concurrency();
    if (cores < 2)
      return;
    try {
      thread_ = std::jthread([this](const std::stop_token &stop) { wait(stop); });
    } catch (const std::system_error &) {
      // No thread is to be had: as with one core.
    }
  }

  /// Its proof is about the copy, and must not be looked at after this is gone. Called once.
  RefineResult result() {
    if (isMine()) {
      if (thread_.joinable())
        thread_.join();
      return run(options_.stop, options_.progress);
    }
    budget_.report("refine, algorithm 3");
    {
      std::stop_callback forward(options_.stop, [this] { thread_.request_stop(); });
      thread_.join();
    }
    if (error_)
      std::rethrow_exception(error_);
    return std::move(result_);
  }

private:
  const Program &program_;
  const RefineOptions &options_;
  Budget budget_;
  std::chrono::milliseconds patience_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool begun_ = false; ///< some thread runs it
  Program copy_;       ///< owns the terms of the result's proof
  RefineResult result_;
  std::exception_ptr error_;
  std::jthread thread_; ///< the last member: it uses the others

  /// The caller's thread is to run it, and the other one leaves.
  bool isMine() {
    const std::lock_guard lock(mutex_);
    if (begun_)
      return false;
    begun_ = true;
    changed_.notify_all();
    return true;
  }

  void wait(const std::stop_token &stop) {
    const logic::LogScope scope(logic::Topic::Refine);
    {
      std::unique_lock lock(mutex_);
      if (changed_.wait_for(lock, stop, patience_, [this] { return begun_; }) ||
          stop.stop_requested())
        return;
      begun_ = true;
    }
    try {
      result_ = run(stop, {});
    } catch (...) {
      error_ = std::current_exception();
    }
  }

  RefineResult run(const std::stop_token &stop, const Progress &progress) {
    RefineOptions options = options_;
    options.algorithm = Algorithm::Together;
    options.maxSeconds = budget_.limits().seconds;
    options.progress = progress;
    options.stop = stop;
    copy_ = copyOf(program_);
    return verifyRefine(copy_, options);
  }
};

} // namespace

bool confirm(const Program &program, RefineResult &found, const RefineOptions &options,
             Budget &budget) {
  if (found.verdict.trace)
    return !replay(program, *found.verdict.trace);
  const auto petri = std::make_shared<petri::PetriProgram>(
      petri::petrify(program, {found.limit, options.maxTransitions, &budget}));
  found.net = petri;
  logic::Transfer transfer(*program.pool);
  bool complete = false;
  for (InvariantDomain &domain : found.proof) {
    for (DomainComponent &component : domain.components)
      for (std::vector<Term> &law : component.laws)
        for (Term &conjunct : law)
          conjunct = transfer(conjunct);
    complete = complete || domain.specification == petri::Specification::Both;
    if (defectOf(domain, program, *petri, budget))
      return false;
  }
  return complete;
}

RefineResult verifyBeside(const Program &program, const RefineOptions &options,
                          const BesideOptions &beside) {
  Budget budget(options);
  SecondOpinion second(program, options, beside);
  RefineOptions alone = options;
  alone.algorithm = Algorithm::SafetyFirst;
  RefineResult first = verifyRefine(program, alone);
  if (first.ending != Ending::Open)
    return first;
  RefineResult other = second.result();
  // All limits below that of algorithm 1 are known to be too small.
  const bool isTaken = other.ending == Ending::Decided &&
                       (other.verdict.answer == Answer::Unsafe || other.limit >= first.limit) &&
                       confirm(program, other, options, budget);
  RefineResult result = isTaken ? other : first;
  if (other.ending != Ending::Time) {
    result.iterations = first.iterations;
    result.iterations.insert(result.iterations.end(), other.iterations.begin(),
                             other.iterations.end());
  }
  result.verdict.statistics = statisticsOf(result.iterations);
  result.verdict.statistics.seconds = budget.seconds();
  return result;
}

} // namespace understudy::compose::refine
