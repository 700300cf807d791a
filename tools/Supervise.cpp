// SPDX-License-Identifier: Apache-2.0
//
// The child has a process group of its own, so that solvers and compilers that it started end with
// it. Signals that end the parent are taken from a queue, not handled: the group is killed first.
#include "tools/Supervise.h"

#include "logic/Error.h"
#include "tools/ExitCode.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace understudy::tools {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

constexpr long tick = 50'000'000; ///< nanoseconds between two looks at the limits

sigset_t watchedSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT})
    sigaddset(&set, signal);
  return set;
}

/// Memory that the processes of the group really use, in bytes.
uint64_t memoryOf(pid_t group) {
  static const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  uint64_t pages = 0;
  std::error_code failed;
  for (const auto &entry : fs::directory_iterator("/proc", failed)) {
    std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos ||
        ::getpgid(static_cast<pid_t>(std::stol(name))) != group)
      continue;
    uint64_t whole = 0;
    uint64_t resident = 0;
    if (std::ifstream(entry.path() / "statm") >> whole >> resident)
      pages += resident;
  }
  return pages * page;
}

class Parent {
public:
  Parent(pid_t child, const ProcessLimits &limits, const sigset_t &before)
      : child_(child), limits_(limits), before_(before) {}

  ChildEnd await() {
    const sigset_t watched = watchedSignals();
    const timespec interval{0, tick};
    while (true) {
      int signal = ::sigtimedwait(&watched, nullptr, &interval);
      if (signal > 0 && signal != SIGCHLD)
        endBySignal(signal);
      int status = 0;
      if (::waitpid(child_, &status, WNOHANG) == child_)
        return ended(status);
      if (std::string limit = reached(); !limit.empty()) {
        killGroup();
        ::waitpid(child_, &status, 0);
        return {InternalError, limit};
      }
    }
  }

private:
  pid_t child_;
  ProcessLimits limits_;
  const sigset_t &before_;
  Clock::time_point begin_ = Clock::now();

  void killGroup() const {
    ::kill(-child_, SIGKILL);
    ::kill(child_, SIGKILL); // it may not have made its group yet
  }

  [[noreturn]] void endBySignal(int signal) const {
    killGroup();
    ::signal(signal, SIG_DFL);
    ::raise(signal);
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
    ::_exit(InternalError);
  }

  std::string reached() const {
    std::ostringstream text;
    constexpr double grace = 0.5; // work that knows the limit ends by itself, and says more
    double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    if (limits_.seconds > 0 && seconds >= limits_.seconds + grace)
      text << "the time limit of " << limits_.seconds << " s was reached";
    else if (limits_.megabytes > 0 && memoryOf(child_) >> 20 >= limits_.megabytes)
      text << "the memory limit of " << limits_.megabytes << " MB was reached";
    return text.str();
  }

  ChildEnd ended(int status) const {
    ::kill(-child_, SIGKILL); // what it started and left behind
    if (WIFEXITED(status))
      return {WEXITSTATUS(status), ""};
    std::cerr << "internal error: the worker process was killed (" << ::strsignal(WTERMSIG(status))
              << ")\n";
    return {InternalError, ""};
  }
};

} // namespace

std::optional<ChildEnd> continueInChild(const ProcessLimits &limits) {
  std::cout.flush();
  std::cerr.flush();
  const sigset_t watched = watchedSignals();
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &watched, &before);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) {
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    throw logic::Unsupported(std::string("cannot start the worker process: ") +
                             std::strerror(errno));
  }
  if (child > 0) {
    ::setpgid(child, child);
    ChildEnd end = Parent(child, limits, before).await();
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    return end;
  }
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent)
    ::_exit(InternalError);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return std::nullopt;
}

} // namespace understudy::tools
