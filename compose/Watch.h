// SPDX-License-Identifier: Apache-2.0
//
// The one place that measures. Time and memory are looked at by a thread of its own, many times a
// second, so that a limit holds in every phase that can be stopped.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace understudy::compose {

class Watch {
public:
  /// 0: no limit. `outer` ends the same work for another reason.
  Watch(double maxSeconds, uint64_t maxMemoryBytes, const std::stop_token &outer = {});
  ~Watch();
  Watch(const Watch &) = delete;
  Watch &operator=(const Watch &) = delete;

  /// Stopped when a limit is exceeded.
  std::stop_token token() const { return source_.get_token(); }
  /// Which one: "time limit of 5 s", "memory limit of 100 MB".
  std::optional<std::string> exceeded() const;

private:
  double maxSeconds_;
  uint64_t maxMemoryBytes_;
  std::stop_source source_;
  std::stop_callback<std::function<void()>> forward_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<std::string> exceeded_;
  std::jthread thread_; ///< the last member: it uses the others

  void look(const std::stop_token &quit);
};

/// What the process has in memory now.
uint64_t residentBytes();

} // namespace understudy::compose
