// SPDX-License-Identifier: Apache-2.0
//
// The problem: answers must belong to questions, whatever the solver prints. The idea: every
// question ends with an `echo` of its number; what stands before the echo must be exactly one
// answer. One socket is the solver's input and output, so that a solver that died is an error and
// not a signal.
#include "logic/solver/SolverProcess.h"

#include "logic/Error.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char **environ;

namespace understudy::logic::solver {

namespace {

using Clock = std::chrono::steady_clock;

std::vector<std::string> commandLine(SolverProgram program) {
  if (program == SolverProgram::Z3)
    return {"z3", "-in", "-smt2"};
  return {"cvc5", "--incremental", "--lang=smt2", "--quiet"};
}

/// Milliseconds until the deadline, for `poll`; none: wait for ever.
int remaining(double seconds, Clock::time_point begin) {
  if (seconds <= 0)
    return -1;
  double left = seconds - std::chrono::duration<double>(Clock::now() - begin).count();
  return left <= 0 ? 0 : static_cast<int>(std::min(left * 1000 + 1, 1e9));
}

std::string trimmed(const std::string &text) {
  constexpr const char *space = " \t\r\n";
  size_t begin = text.find_first_not_of(space);
  if (begin == std::string::npos)
    return "";
  return text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

/// What the solver said, short enough for a message.
std::string shown(std::string text) {
  constexpr size_t most = 200;
  for (char &c : text)
    if (static_cast<unsigned char>(c) < ' ')
      c = ' ';
  return text.size() > most ? text.substr(0, most) + "…" : text;
}

} // namespace

std::string word(SolverProgram program) { return program == SolverProgram::Z3 ? "z3" : "cvc5"; }

SolverProcess::SolverProcess(SolverProgram program) : program_(program) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw Unsupported(std::string("cannot connect to the solver: ") + std::strerror(errno));
  std::vector<std::string> words = commandLine(program);
  std::vector<char *> arguments;
  for (std::string &argument : words)
    arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_adddup2(&actions, ends[1], stream);
  int failed =
      ::posix_spawnp(&process_, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (failed != 0) {
    ::close(ends[0]);
    throw Unsupported("cannot start the solver " + words[0] + ": " + std::strerror(failed));
  }
  socket_ = ends[0];
  ::fcntl(socket_, F_SETFL, O_NONBLOCK);
}

SolverProcess::~SolverProcess() { stop(); }

void SolverProcess::stop() {
  if (socket_ < 0)
    return;
  ::close(socket_);
  socket_ = -1;
  ::kill(process_, SIGKILL);
  int status = 0;
  ::waitpid(process_, &status, 0);
}

void SolverProcess::tell(const std::string &commands) { pending_ += commands; }

SolverReply SolverProcess::fail(const std::string &reason) {
  if (broken_.empty())
    broken_ = reason;
  stop();
  return {Satisfiability::Unknown, broken_};
}

SolverReply SolverProcess::check(double seconds) {
  if (!broken_.empty())
    return {Satisfiability::Unknown, broken_};
  std::string mark = "understudy " + std::to_string(++questions_);
  pending_ += "(check-sat)\n(echo \"" + mark + "\")\n";
  if (std::string problem = communicate(seconds, mark); !problem.empty())
    return fail(problem);
  size_t end = received_.find(mark);
  std::string answer = received_.substr(0, end);
  received_.erase(0, end + mark.size());
  if (received_.starts_with("\""))
    received_.erase(0, 1);
  if (answer.ends_with("\""))
    answer.pop_back();
  answer = trimmed(answer);
  if (answer == "unsat")
    return {Satisfiability::Unsat, {}};
  if (answer == "sat")
    return {Satisfiability::Sat, {}};
  if (answer == "unknown")
    return {Satisfiability::Unknown, word(program_) + " gave up"};
  return fail(word(program_) + " answered: " + shown(answer));
}

/// Sends what is pending and reads until the mark. Says what went wrong, or nothing.
std::string SolverProcess::communicate(double seconds, const std::string &until) {
  Clock::time_point begin = Clock::now();
  size_t sent = 0;
  char buffer[4096];
  while (received_.find(until) == std::string::npos) {
    pollfd event{socket_, static_cast<short>(POLLIN | (sent < pending_.size() ? POLLOUT : 0)), 0};
    int ready = ::poll(&event, 1, remaining(seconds, begin));
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      return word(program_) + " gave no answer within the time limit";
    if ((event.revents & POLLIN) != 0 || (event.revents & POLLHUP) != 0) {
      ssize_t count = ::recv(socket_, buffer, sizeof buffer, 0);
      if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR))
        return word(program_) + " ended without an answer" +
               (trimmed(received_).empty() ? "" : ": " + shown(trimmed(received_)));
      if (count > 0)
        received_.append(buffer, static_cast<size_t>(count));
    } else if ((event.revents & POLLOUT) != 0) {
      ssize_t count = ::send(socket_, pending_.data() + sent, pending_.size() - sent, MSG_NOSIGNAL);
      if (count < 0 && errno != EAGAIN && errno != EINTR)
        return word(program_) + " ended without an answer";
      if (count > 0)
        sent += static_cast<size_t>(count);
    }
  }
  pending_.clear();
  return "";
}

} // namespace understudy::logic::solver
