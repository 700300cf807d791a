// SPDX-License-Identifier: Apache-2.0
//
// From a path of canonical states to a concrete trace. A canonical state has forgotten which thread
// is which, so the path is walked again with the reference interpreter: from the concrete
// configuration reached so far, some concrete step leads to a configuration whose canonical form is
// the next state of the path. That is what makes every trace replay.
#include "compose/exploration/ExplicitSearch.h"

#include "logic/Error.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace understudy::compose::exploration {

Configuration ExplicitSearch::concreteStart(uint32_t number) const {
  ExplicitState state(order_);
  state.decode(store_.state(number));
  if (auto original = starts_.find(number); original != starts_.end())
    state = original->second;
  Configuration start{model_.globalValues(state.global), {}, 0};
  for (const ThreadGroup &group : state.groups())
    for (uint32_t i = 0; i < group.count; ++i)
      start.threads.push_back(model_.threadOf(group.local));
  // Threads are numbered in the order of `run`.
  if (order_ == ExplicitState::Order::Sorted) {
    std::vector<Thread> ordered;
    std::set<TemplateId> done;
    for (const Start &first : program_.starts)
      if (done.insert(first.thread).second)
        std::copy_if(start.threads.begin(), start.threads.end(), std::back_inserter(ordered),
                     [&](const Thread &thread) { return thread.thread == first.thread; });
    start.threads = std::move(ordered);
  }
  for (Thread &thread : start.threads)
    thread.number = ++start.created;
  return start;
}

Configuration ExplicitSearch::listed(uint32_t number) const {
  ExplicitState state(order_);
  state.decode(store_.state(number));
  Configuration reached{model_.globalValues(state.global), {}, 0};
  for (const ThreadGroup &group : state.groups())
    for (uint32_t i = 0; i < group.count; ++i) {
      reached.threads.push_back(model_.threadOf(group.local));
      reached.threads.back().number = ++reached.created;
    }
  return reached;
}

/// Every state is expanded once more, to see under which names its successors are known.
ReachedStates ExplicitSearch::reachedStates() {
  ReachedStates result;
  for (uint32_t number = 0; number < store_.size(); ++number)
    result.states.push_back(listed(number));
  if (!names_)
    return result;
  result.dead = names_->dead();
  record_ = &result;
  ExplicitState state(order_);
  for (current_ = 0; current_ < store_.size(); ++current_) {
    state.decode(store_.state(current_));
    expand(state);
  }
  record_ = nullptr;
  std::sort(result.renamed.begin(), result.renamed.end());
  result.renamed.erase(std::unique(result.renamed.begin(), result.renamed.end()),
                       result.renamed.end());
  return result;
}

ExplicitState ExplicitSearch::abstractionOf(const Configuration &configuration) {
  ExplicitState state(order_);
  state.global = model_.globalOf(configuration.globals);
  for (const Thread &thread : configuration.threads)
    state.add(model_.localOf(thread));
  if (names_)
    names_->makeCanonical(state);
  return state;
}

/// One thread for each local state is enough where threads are interchangeable.
std::vector<Thread> ExplicitSearch::distinctThreads(const Configuration &configuration) {
  if (order_ == ExplicitState::Order::Listed)
    return configuration.threads;
  std::vector<Thread> result;
  std::set<LocalId> seen;
  for (const Thread &thread : configuration.threads)
    if (seen.insert(model_.localOf(thread)).second)
      result.push_back(thread);
  return result;
}

Step ExplicitSearch::concreteStep(const Interpreter &interpreter, const Configuration &before,
                                  uint32_t next) {
  auto wanted = store_.state(next);
  for (const Thread &thread : distinctThreads(before))
    for (Step &step : interpreter.stepsOf(before, thread)) {
      budget_.work(before.threads.size());
      abstractionOf(step.after).encode(bytes_);
      bool same = std::equal(bytes_.begin(), bytes_.end(), wanted.begin(), wanted.end());
      if (same && !interpreter.stepFailure(before, step))
        return std::move(step);
    }
  throw std::logic_error("a step of the search has no concrete counterpart");
}

void ExplicitSearch::appendFailure(const Interpreter &interpreter, Trace &trace) {
  const Configuration before = trace.end();
  if (!violation_->edge) {
    if (violation_->kind == FailureKind::Deadlock)
      trace.failure = {FailureKind::Deadlock, {}, "no thread can move", {}};
    else if (auto failure = interpreter.stateFailure(before))
      trace.failure = *failure;
    return;
  }
  for (const Thread &thread : distinctThreads(before)) {
    if (thread.thread != model_.info(violation_->mover).thread)
      continue; // its ids may have other names
    for (Step &step : interpreter.stepsOf(before, thread)) {
      budget_.work(before.threads.size());
      auto failure = interpreter.stepFailure(before, step);
      if (!failure || failure->kind != violation_->kind || step.edge != *violation_->edge)
        continue;
      trace.failure = *failure;
      trace.steps.push_back(std::move(step));
      return;
    }
  }
  throw std::logic_error("the failure found has no concrete counterpart");
}

Trace ExplicitSearch::buildTrace() {
  std::vector<uint32_t> path;
  for (uint32_t n = violation_->state; n != StateStore::noParent; n = store_.parent(n))
    path.push_back(n);
  std::reverse(path.begin(), path.end());
  Interpreter interpreter(program_);
  Trace trace{concreteStart(path.front()), {}, {}};
  for (size_t i = 1; i < path.size(); ++i)
    trace.steps.push_back(concreteStep(interpreter, trace.end(), path[i]));
  appendFailure(interpreter, trace);
  return trace;
}

} // namespace understudy::compose::exploration
