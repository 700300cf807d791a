// SPDX-License-Identifier: Apache-2.0
#include "BruteForce.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>

namespace understudy::tests::brute {

using namespace compose::cover;
using namespace compose::cover::net;

namespace {

/// A multiset as a list with repetitions, sorted.
using Bag = std::vector<LocalState>;

Bag bagOf(const Threads &threads) {
  Bag bag;
  for (const Group &group : threads)
    bag.insert(bag.end(), group.count, group.local);
  return bag;
}

Threads threadsOf(const Bag &bag) {
  std::map<LocalState, uint32_t> counts;
  for (LocalState local : bag)
    ++counts[local];
  Threads threads;
  for (const auto &[local, count] : counts)
    threads.push_back({local, count});
  return threads;
}

/// False: it is not there.
bool takeOne(Bag &bag, LocalState local) {
  auto found = std::find(bag.begin(), bag.end(), local);
  if (found == bag.end())
    return false;
  bag.erase(found);
  return true;
}

bool takeAll(Bag &bag, const Bag &taken) {
  return std::all_of(taken.begin(), taken.end(),
                     [&](LocalState local) { return takeOne(bag, local); });
}

std::set<Bag> signalled(const std::vector<Move> &moves, const Bag &passive) {
  std::set<Bag> results;
  for (const Move &move : moves) {
    Bag bag = passive;
    if (!takeOne(bag, move.from))
      continue;
    bag.push_back(move.to);
    results.insert(bag);
  }
  if (results.empty())
    results.insert(passive);
  return results;
}

std::set<Bag> transferred(const std::vector<Move> &moves, const Bag &passive) {
  std::set<Bag> results{{}};
  for (LocalState local : passive) {
    std::vector<LocalState> choices;
    for (const Move &move : moves)
      if (move.from == local)
        choices.push_back(move.to);
    if (choices.empty())
      choices.push_back(local);
    std::set<Bag> larger;
    for (const Bag &bag : results)
      for (LocalState choice : choices) {
        Bag more = bag;
        more.push_back(choice);
        std::sort(more.begin(), more.end());
        larger.insert(more);
      }
    results = larger;
  }
  return results;
}

/// Calls `visit` with every multiset of at most `most` threads.
void forEachBag(uint32_t locals, size_t most, const std::function<void(const Bag &)> &visit) {
  Bag bag;
  std::function<void(LocalState)> grow = [&](LocalState least) {
    visit(bag);
    if (bag.size() == most)
      return;
    for (LocalState local = least; local < locals; ++local) {
      bag.push_back(local);
      grow(local);
      bag.pop_back();
    }
  };
  grow(0);
}

void addMinimal(std::set<Configuration> &set, const Configuration &added) {
  if (std::any_of(set.begin(), set.end(),
                  [&](const Configuration &old) { return covers(added, old); }))
    return;
  std::erase_if(set, [&](const Configuration &old) { return covers(old, added); });
  set.insert(added);
}

bool coversOne(const Configuration &configuration, const std::vector<Configuration> &of) {
  return std::any_of(of.begin(), of.end(),
                     [&](const Configuration &one) { return covers(configuration, one); });
}

} // namespace

bool covers(const Configuration &w, const Configuration &v) {
  Bag bag = bagOf(w.threads);
  return w.shared == v.shared && takeAll(bag, bagOf(v.threads));
}

size_t sizeOf(const Configuration &configuration) { return bagOf(configuration.threads).size(); }

std::set<Configuration> fire(const Transition &transition, const Configuration &before) {
  Bag passive = bagOf(before.threads);
  if (before.shared != transition.from || !takeAll(passive, bagOf(transition.consumes)))
    return {};
  std::set<Bag> moved = !transition.signals.empty() ? signalled(transition.signals, passive)
                                                    : transferred(transition.transfers, passive);
  std::set<Configuration> results;
  for (Bag bag : moved) {
    Bag produced = bagOf(transition.produces);
    bag.insert(bag.end(), produced.begin(), produced.end());
    results.insert({transition.to, threadsOf(bag)});
  }
  return results;
}

bool isStart(const TransferNet &net, const Configuration &configuration) {
  return std::any_of(net.starts.begin(), net.starts.end(), [&](const StartSet &start) {
    Bag bag = bagOf(configuration.threads);
    if (start.shared != configuration.shared || !takeAll(bag, bagOf(start.threads)))
      return false;
    return std::all_of(bag.begin(), bag.end(), [&](LocalState local) {
      return std::find(start.anyNumber.begin(), start.anyNumber.end(), local) !=
             start.anyNumber.end();
    });
  });
}

bool startCovers(const TransferNet &net, const Configuration &configuration) {
  // The larger start: what is missing of the fixed threads is added.
  return std::any_of(net.starts.begin(), net.starts.end(), [&](const StartSet &start) {
    Bag larger = bagOf(start.threads);
    Bag left = larger;
    for (LocalState local : bagOf(configuration.threads))
      if (!takeOne(left, local))
        larger.push_back(local);
    TransferNet one;
    one.starts = {start};
    return start.shared == configuration.shared &&
           isStart(one, {configuration.shared, threadsOf(larger)});
  });
}

std::optional<bool> forward(const CoverProblem &problem, uint32_t maxThreads,
                            size_t maxConfigurations) {
  std::set<Configuration> seen;
  std::deque<Configuration> open;
  auto meet = [&](const Configuration &configuration) {
    if (sizeOf(configuration) <= maxThreads && seen.insert(configuration).second)
      open.push_back(configuration);
  };
  for (SharedState shared = 0; shared < problem.net.sharedStates; ++shared)
    forEachBag(problem.net.localStates, maxThreads, [&](const Bag &bag) {
      Configuration configuration{shared, threadsOf(bag)};
      if (isStart(problem.net, configuration))
        meet(configuration);
    });
  while (!open.empty()) {
    Configuration configuration = open.front();
    open.pop_front();
    if (coversOne(configuration, problem.targets))
      return true;
    if (seen.size() > maxConfigurations)
      return std::nullopt;
    for (const Transition &transition : problem.net.transitions)
      for (const Configuration &next : fire(transition, configuration))
        meet(next);
  }
  return false;
}

std::set<Configuration> predecessors(const TransferNet &net, const Transition &transition,
                                     const Configuration &wanted) {
  std::set<Configuration> result;
  if (wanted.shared != transition.to)
    return result;
  // The consumed threads, each wanted thread, and one that takes a signal: no more is needed.
  size_t most = bagOf(transition.consumes).size() + sizeOf(wanted) + 1;
  forEachBag(net.localStates, most, [&](const Bag &bag) {
    Configuration before{transition.from, threadsOf(bag)};
    auto after = fire(transition, before);
    if (std::any_of(after.begin(), after.end(),
                    [&](const Configuration &next) { return covers(next, wanted); }))
      addMinimal(result, before);
  });
  return result;
}

std::optional<Backward> backward(const CoverProblem &problem, size_t maxElements) {
  constexpr size_t largest = 6;
  std::set<Configuration> basis;
  std::deque<Configuration> open;
  for (const Configuration &target : problem.targets) {
    addMinimal(basis, target);
    open.push_back(target);
  }
  for (size_t rounds = 0; !open.empty(); ++rounds) {
    Configuration element = open.front();
    open.pop_front();
    if (startCovers(problem.net, element))
      return Backward{true, {}};
    if (!basis.contains(element))
      continue;
    if (sizeOf(element) > largest || rounds > maxElements)
      return std::nullopt;
    for (const Transition &transition : problem.net.transitions)
      for (const Configuration &before : predecessors(problem.net, transition, element)) {
        if (coversOne(before, {basis.begin(), basis.end()}))
          continue;
        addMinimal(basis, before);
        open.push_back(before);
      }
  }
  return Backward{false, {basis.begin(), basis.end()}};
}

bool isProof(const CoverProblem &problem, const std::vector<Configuration> &elements) {
  for (const Configuration &target : problem.targets)
    if (!coversOne(target, elements))
      return false;
  for (const Configuration &element : elements) {
    if (startCovers(problem.net, element))
      return false;
    for (const Transition &transition : problem.net.transitions)
      for (const Configuration &before : predecessors(problem.net, transition, element))
        if (!coversOne(before, elements))
          return false;
  }
  return true;
}

bool isTrace(const CoverProblem &problem, const CoverTrace &trace) {
  if (trace.after.size() != trace.fired.size() + 1 || !isStart(problem.net, trace.after.front()))
    return false;
  for (size_t i = 0; i < trace.fired.size(); ++i)
    if (trace.fired[i] >= problem.net.transitions.size() ||
        !fire(problem.net.transitions[trace.fired[i]], trace.after[i]).contains(trace.after[i + 1]))
      return false;
  return coversOne(trace.after.back(), problem.targets);
}

} // namespace understudy::tests::brute
