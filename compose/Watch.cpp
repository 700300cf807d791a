// SPDX-License-Identifier: Apache-2.0
#include "compose/Watch.h"

#include <chrono>
#include <cstdio>
#include <functional>
#include <unistd.h>

namespace understudy::compose {

namespace {

constexpr std::chrono::milliseconds betweenLooks{10};

/// "5", "0.25": without zeros at the end.
std::string numberText(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

} // namespace

uint64_t residentBytes() {
  unsigned long size = 0, resident = 0;
  if (std::FILE *file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%lu %lu", &size, &resident) != 2)
      resident = 0;
    std::fclose(file);
  }
  return resident * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

Watch::Watch(double maxSeconds, uint64_t maxMemoryBytes, const std::stop_token &outer)
    : maxSeconds_(maxSeconds), maxMemoryBytes_(maxMemoryBytes),
      forward_(outer, [this] { source_.request_stop(); }) {
  if (maxSeconds_ > 0 || maxMemoryBytes_ > 0)
    thread_ = std::jthread([this](const std::stop_token &quit) { look(quit); });
}

Watch::~Watch() = default;

std::optional<std::string> Watch::exceeded() const {
  const std::lock_guard lock(mutex_);
  return exceeded_;
}

void Watch::look(const std::stop_token &quit) {
  const auto begin = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  while (!quit.stop_requested()) {
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - begin;
    if (maxSeconds_ > 0 && used.count() >= maxSeconds_)
      exceeded_ = "time limit of " + numberText(maxSeconds_) + " s";
    else if (maxMemoryBytes_ > 0 && residentBytes() >= maxMemoryBytes_)
      exceeded_ = "memory limit of " + std::to_string(maxMemoryBytes_ >> 20) + " MB";
    if (exceeded_) {
      lock.unlock();
      source_.request_stop();
      return;
    }
    changed_.wait_for(lock, quit, betweenLooks, [] { return false; });
  }
}

} // namespace understudy::compose
