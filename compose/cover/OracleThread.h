// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/cover/KarpMiller.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>

namespace understudy::compose::cover {

/// Runs an oracle in a thread of its own, round by round. Between `begin` and `end` the oracle
/// belongs to that thread, otherwise to the caller's.
class OracleThread {
public:
  explicit OracleThread(KarpMiller &oracle) : oracle_(oracle) {}
  ~OracleThread();
  OracleThread(const OracleThread &) = delete;
  OracleThread &operator=(const OracleThread &) = delete;

  /// A round of so much work begins.
  void begin(uint64_t work);
  /// Waits for the end of the round; rethrows what the oracle threw.
  void end();
  /// Ends the round at once; the oracle is of no more use for rounds.
  void abandon();

private:
  KarpMiller &oracle_;
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t work_ = 0; ///< 0: no round
  bool quit_ = false;
  std::exception_ptr failure_;
  std::thread thread_;

  void serve();
};

} // namespace understudy::compose::cover
