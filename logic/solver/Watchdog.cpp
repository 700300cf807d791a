// SPDX-License-Identifier: Apache-2.0
#include "logic/solver/Watchdog.h"

#include <algorithm>

namespace understudy::logic::solver {

namespace {

// Longer limits are no limits; the clock's arithmetic would overflow.
constexpr double longestLimit = 1e9;

constexpr std::chrono::milliseconds firstPause{1};
constexpr std::chrono::milliseconds longestPause{32};

} // namespace

Watchdog::~Watchdog() {
  {
    std::lock_guard lock(mutex_);
    quit_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable())
    thread_.join();
}

bool Watchdog::begin(double seconds) {
  std::lock_guard lock(mutex_);
  if (interrupted_) {
    interrupted_ = false;
    return false;
  }
  running_ = true;
  stopSent_ = false;
  deadline_.reset();
  if (seconds > 0 && seconds < longestLimit) {
    deadline_ = Clock::now() +
                std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    startThread();
  }
  return true;
}

Watchdog::Outcome Watchdog::end() {
  std::lock_guard lock(mutex_);
  Outcome outcome{Cause::None, stopSent_};
  if (interrupted_)
    outcome.cause = Cause::Interrupted;
  else if (stopSent_)
    outcome.cause = Cause::OutOfTime;
  running_ = false;
  interrupted_ = false;
  return outcome;
}

void Watchdog::interrupt() {
  std::lock_guard lock(mutex_);
  interrupted_ = true;
  if (running_)
    startThread();
}

/// Precondition: the mutex is held.
void Watchdog::startThread() {
  if (!thread_.joinable())
    thread_ = std::thread([this] { watch(); });
  changed_.notify_all();
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  std::chrono::milliseconds pause = firstPause;
  while (!quit_) {
    if (running_ && (interrupted_ || (deadline_ && Clock::now() >= *deadline_))) {
      stopSent_ = true;
      stop_();
      changed_.wait_for(lock, pause);
      pause = std::min(2 * pause, longestPause);
      continue;
    }
    pause = firstPause;
    if (running_ && deadline_)
      changed_.wait_until(lock, Clock::time_point(*deadline_));
    else
      changed_.wait(lock);
  }
}

} // namespace understudy::logic::solver
