// SPDX-License-Identifier: Apache-2.0
//
// From a trace of the net to an execution. The net has forgotten which thread is which, so its
// trace is walked again with the reference interpreter: from the configuration reached so far some
// step leads to one whose image is the next of the trace. That is what makes every trace replay.
#include "compose/Interpreter.h"
#include "compose/cover/translate/TranslateParts.h"

#include <algorithm>
#include <set>

namespace understudy::compose::cover::translate {

class ProgramNet::Walker {
public:
  explicit Walker(const ProgramNet &net) : net_(net), interpreter_(net.program_) {}

  std::optional<Trace> walk(const net::CoverTrace &path) {
    if (path.after.empty())
      return std::nullopt;
    trace_.start = startOf(path.after.front());
    for (size_t i = 1; i < path.after.size(); ++i) {
      if (isWrong())
        return std::move(trace_);
      if (path.after[i] == path.after[i - 1])
        continue;
      if (!step(path.after[i]))
        return std::nullopt;
      if (failed_)
        return std::move(trace_);
    }
    if (isWrong() || goesWrong())
      return std::move(trace_);
    return std::nullopt;
  }

private:
  const ProgramNet &net_;
  Interpreter interpreter_;
  Trace trace_;
  bool failed_ = false;

  /// Threads are numbered in the order of `run`.
  compose::Configuration startOf(const net::Configuration &image) const {
    const SharedMeaning meaning = net_.shared(image.shared);
    std::vector<Thread> threads;
    for (exploration::LocalId single : meaning.singles)
      threads.push_back(net_.model_->threadOf(single));
    for (const net::Group &group : image.threads)
      for (uint32_t i = 0; i < group.count; ++i)
        threads.push_back(net_.thread(group.local));
    compose::Configuration start{net_.model_->globalValues(meaning.global), {}, 0};
    // In the order of the run line.
    std::set<TemplateId> listed;
    for (const Start &entry : net_.program_.starts)
      if (listed.insert(entry.thread).second)
        for (const Thread &thread : threads)
          if (thread.thread == entry.thread) {
            start.threads.push_back(thread);
            start.threads.back().number = ++start.created;
          }
    return start;
  }

  bool isImage(const compose::Configuration &configuration, const net::Configuration &image) const {
    const SharedMeaning meaning = net_.shared(image.shared);
    if (net_.model_->globalOf(configuration.globals) != meaning.global)
      return false;
    std::vector<exploration::LocalId> wanted = meaning.singles;
    for (const net::Group &group : image.threads)
      wanted.insert(wanted.end(), group.count, net_.locals_[group.local]);
    std::vector<exploration::LocalId> found;
    for (const Thread &thread : configuration.threads)
      found.push_back(net_.model_->localOf(thread));
    std::sort(wanted.begin(), wanted.end());
    std::sort(found.begin(), found.end());
    return wanted == found;
  }

  bool isWrong() {
    if (auto failure = interpreter_.stateFailure(trace_.end())) {
      trace_.failure = *failure;
      return true;
    }
    return false;
  }

  bool step(const net::Configuration &next) {
    for (Step &step : interpreter_.steps(trace_.end())) {
      if (!isImage(step.after, next))
        continue;
      if (auto failure = interpreter_.stepFailure(trace_.end(), step)) {
        trace_.failure = *failure;
        failed_ = true;
      }
      trace_.steps.push_back(std::move(step));
      return true;
    }
    return false;
  }

  /// Some step from the last configuration fails.
  bool goesWrong() {
    for (Step &step : interpreter_.steps(trace_.end()))
      if (auto failure = interpreter_.stepFailure(trace_.end(), step)) {
        trace_.failure = *failure;
        trace_.steps.push_back(std::move(step));
        return true;
      }
    return false;
  }
};

std::optional<Trace> ProgramNet::traceOf(const net::CoverTrace &trace) const {
  return Walker(*this).walk(trace);
}

} // namespace understudy::compose::cover::translate
