// SPDX-License-Identifier: Apache-2.0
//
// The problem: which engine is fast on a program is not known before, and waiting for one after the
// other costs minutes where another one needs a moment; but the answer must not depend on how fast
// the machine is. The idea: every contender runs in a thread of its own and counts its work. Rounds
// give each the same amount of it, twice as much from round to round, and nothing is done twice: a
// contender that has used up its share waits. The winner is the first by (round, order).
// The invariant: what a contender does depends on its own counts only. So a second worker can let
// contenders work ahead, and it is known who wins as soon as nobody that could still come before
// the best answer so far is running or waiting.
#include "compose/portfolio/Turns.h"

#include "logic/Log.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace understudy::compose::portfolio {

namespace {

using Place = std::pair<uint32_t, size_t>; ///< round and number

class Race;

class Runner final : public logic::solver::Pace {
public:
  enum class State : uint8_t { New, Waiting, Running, Ended };

  Runner(Race &race, const Contender &contender, size_t number, uint64_t firstRound)
      : race_(race), contender_(contender), number_(number), share_(firstRound) {}

  void spend(uint64_t work) override;
  uint64_t allowance() const override {
    const uint64_t left = share_ > used_ ? share_ - used_ : 0;
    return std::max<uint64_t>(std::max(left, share_ / 2) / contender_.handicap, 1);
  }

  Place place() const { return {round_, number_}; }

  // Guarded by the mutex of the race.
  State state = State::New;
  bool answers = false;
  std::exception_ptr error;
  std::jthread thread;

private:
  friend class Race;
  Race &race_;
  const Contender &contender_;
  size_t number_;
  uint64_t used_ = 0;
  uint64_t share_; ///< what may be used up to the end of the round
  uint32_t round_ = 0;
};

class Race {
public:
  Race(const std::vector<Contender> &contenders, const TurnOptions &options) : options_(options) {
    workers_ = options.workers != 0 ? options.workers : std::thread::hardware_concurrency();
    workers_ = std::max(workers_, 1U);
    for (size_t i = 0; i < contenders.size(); ++i)
      runners_.push_back(std::make_unique<Runner>(*this, contenders[i], i,
                                                  std::max<uint64_t>(options.firstRound, 1)));
  }

  std::optional<size_t> run() {
    std::stop_callback forward(options_.stop, [this] {
      const std::lock_guard lock(mutex_);
      changed_.notify_all();
    });
    {
      std::unique_lock lock(mutex_);
      while (!isOver()) {
        stopLosers();
        const bool isPatient = std::chrono::steady_clock::now() < begin_ + options_.patience;
        for (unsigned busy = count(Runner::State::Running); busy < (isPatient ? 1 : workers_);
             ++busy)
          if (!letNextRun())
            break;
        if (isPatient && workers_ > 1)
          changed_.wait_until(lock, begin_ + options_.patience);
        else
          changed_.wait(lock);
      }
    }
    for (auto &runner : runners_)
      if (runner->thread.joinable()) {
        runner->thread.request_stop();
        runner->thread.join();
      }
    const Runner *best = leader();
    if (best && best->error)
      std::rethrow_exception(best->error);
    return best ? std::optional(best->number_) : std::nullopt;
  }

  /// The runner's share is used up: it waits for its turn.
  void wait(Runner &runner) {
    std::unique_lock lock(mutex_);
    while (runner.used_ > runner.share_) {
      runner.share_ *= 2;
      ++runner.round_;
    }
    logic::log(logic::Topic::Auto, logic::level::decisions, [&] {
      return logic::word(logic::currentTopic()) + " waits for round " +
             std::to_string(runner.round_);
    });
    runner.state = Runner::State::Waiting;
    changed_.notify_all();
    resumed_.wait(lock, runner.thread.get_stop_token(),
                  [&] { return runner.state == Runner::State::Running; });
  }

private:
  const TurnOptions &options_;
  unsigned workers_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable_any changed_; ///< for the race
  std::condition_variable_any resumed_; ///< for the runners
  std::vector<std::unique_ptr<Runner>> runners_;

  unsigned count(Runner::State state) const {
    return static_cast<unsigned>(std::count_if(runners_.begin(), runners_.end(),
                                               [&](const auto &r) { return r->state == state; }));
  }

  /// The best answer so far.
  const Runner *leader() const {
    const Runner *best = nullptr;
    for (const auto &runner : runners_)
      if (runner->answers && (!best || runner->place() < best->place()))
        best = runner.get();
    return best;
  }

  bool canWin(const Runner &runner) const {
    const Runner *best = leader();
    return runner.state != Runner::State::Ended && (!best || runner.place() < best->place());
  }

  bool isOver() const {
    return options_.stop.stop_requested() ||
           std::none_of(runners_.begin(), runners_.end(),
                        [&](const auto &runner) { return canWin(*runner); });
  }

  void stopLosers() {
    for (auto &runner : runners_)
      if (runner->thread.joinable() && !canWin(*runner))
        runner->thread.request_stop();
  }

  bool letNextRun() {
    Runner *next = nullptr;
    for (auto &runner : runners_)
      if ((runner->state == Runner::State::New || runner->state == Runner::State::Waiting) &&
          canWin(*runner) && (!next || runner->place() < next->place()))
        next = runner.get();
    if (!next)
      return false;
    const bool isNew = next->state == Runner::State::New;
    next->state = Runner::State::Running;
    if (isNew)
      next->thread =
          std::jthread([this, next](const std::stop_token &stop) { begin(*next, stop); });
    else
      resumed_.notify_all();
    return true;
  }

  void begin(Runner &runner, const std::stop_token &stop) {
    bool answers = false;
    std::exception_ptr error;
    try {
      answers = runner.contender_.run(stop, runner);
    } catch (...) {
      answers = true;
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    runner.state = Runner::State::Ended;
    runner.answers = answers && !stop.stop_requested();
    runner.error = error;
    changed_.notify_all();
  }
};

void Runner::spend(uint64_t work) {
  used_ += work * contender_.handicap;
  if (used_ > share_)
    race_.wait(*this);
}

} // namespace

std::optional<size_t> firstToAnswer(const std::vector<Contender> &contenders,
                                    const TurnOptions &options) {
  return Race(contenders, options).run();
}

} // namespace understudy::compose::portfolio
