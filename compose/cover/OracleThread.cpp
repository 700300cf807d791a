// SPDX-License-Identifier: Apache-2.0
#include "compose/cover/OracleThread.h"

#include <utility>

namespace understudy::compose::cover {

OracleThread::~OracleThread() {
  abandon();
  {
    std::lock_guard lock(mutex_);
    quit_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable())
    thread_.join();
}

void OracleThread::begin(uint64_t work) {
  {
    std::lock_guard lock(mutex_);
    work_ = work;
  }
  if (thread_.joinable())
    changed_.notify_all();
  else
    thread_ = std::thread([this] { serve(); });
}

void OracleThread::end() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return work_ == 0; });
  if (failure_)
    std::rethrow_exception(std::exchange(failure_, nullptr));
}

void OracleThread::abandon() {
  oracle_.interrupt();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return work_ == 0; });
}

void OracleThread::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return work_ > 0 || quit_; });
    if (quit_)
      return;
    uint64_t work = work_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      oracle_.run(work);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    failure_ = failure;
    work_ = 0;
    changed_.notify_all();
  }
}

} // namespace understudy::compose::cover
