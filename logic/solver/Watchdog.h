// SPDX-License-Identifier: Apache-2.0
//
// Stops a long computation from outside, after some time or when another thread asks.
//
// The problem: a stop that arrives a moment before the computation listens is lost, and one that
// arrives a moment after it ended hits the next computation. The idea: stops are sent by one
// thread, only while the computation is registered as running (under the mutex), and again and
// again until it has ended.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace understudy::logic::solver {

class Watchdog {
public:
  enum class Cause : uint8_t { None, Interrupted, OutOfTime };
  struct Outcome {
    Cause cause = Cause::None;
    bool stopSent = false; ///< `stop` was called, perhaps too late to have an effect
  };

  /// `stop` asks the computation to end; it is called on the watchdog's thread.
  explicit Watchdog(std::function<void()> stop) : stop_(std::move(stop)) {}
  ~Watchdog();
  Watchdog(const Watchdog &) = delete;
  Watchdog &operator=(const Watchdog &) = delete;

  /// The computation begins; 0 seconds mean no limit. False: an interrupt came before, has been
  /// consumed by this call, and the computation must not begin.
  bool begin(double seconds);
  /// The computation has ended. From now on no stop is sent.
  Outcome end();

  /// Stops the running computation or, if there is none, prevents the next. Any thread may call it.
  void interrupt();

private:
  using Clock = std::chrono::steady_clock;

  std::function<void()> stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool running_ = false;
  bool interrupted_ = false;
  bool stopSent_ = false;
  bool quit_ = false;
  std::optional<Clock::time_point> deadline_;
  std::thread thread_;

  void startThread();
  void watch();
};

} // namespace understudy::logic::solver
