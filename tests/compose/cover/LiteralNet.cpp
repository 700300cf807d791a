// SPDX-License-Identifier: Apache-2.0
#include "tests/compose/cover/LiteralNet.h"

#include <algorithm>
#include <functional>
#include <map>

namespace understudy::tests::literal {

using namespace compose::cover;
using namespace compose::cover::net;

namespace {

using Counts = std::map<LocalState, uint32_t>;

Counts countsOf(const Threads &threads) {
  Counts counts;
  for (const Group &group : threads)
    counts[group.local] += group.count;
  return counts;
}

Threads threadsOf(const Counts &counts) {
  Threads threads;
  for (auto [local, count] : counts)
    if (count > 0)
      threads.push_back({local, count});
  return threads;
}

std::vector<LocalState> listOf(const Counts &counts) {
  std::vector<LocalState> list;
  for (auto [local, count] : counts)
    list.insert(list.end(), count, local);
  return list;
}

std::vector<LocalState> movesFrom(const std::vector<Move> &moves, LocalState local) {
  std::vector<LocalState> ends;
  for (const Move &move : moves)
    if (move.from == local)
      ends.push_back(move.to);
  return ends;
}

/// Every thread of the list takes one of its moves, or stays if it has none.
void transferAll(const std::vector<Move> &moves, const std::vector<LocalState> &list, size_t next,
                 Counts &after, const std::function<void(const Counts &)> &found) {
  if (next == list.size())
    return found(after);
  auto ends = movesFrom(moves, list[next]);
  if (ends.empty())
    ends.push_back(list[next]);
  for (LocalState end : ends) {
    ++after[end];
    transferAll(moves, list, next + 1, after, found);
    --after[end];
  }
}

uint32_t sizeOf(const Configuration &configuration) {
  uint32_t size = 0;
  for (const Group &group : configuration.threads)
    size += group.count;
  return size;
}

/// All multisets of exactly `size` threads.
void eachMultiset(uint32_t locals, LocalState next, uint32_t size, Counts &partial,
                  const std::function<void(const Counts &)> &found) {
  if (size == 0)
    return found(partial);
  if (next == locals)
    return;
  for (uint32_t here = 0; here <= size; ++here) {
    partial[next] = here;
    eachMultiset(locals, next + 1, size - here, partial, found);
  }
  partial.erase(next);
}

} // namespace

std::set<Configuration> successors(const Transition &transition, const Configuration &before) {
  std::set<Configuration> result;
  if (before.shared != transition.from)
    return result;
  Counts passive = countsOf(before.threads);
  for (const Group &group : transition.consumes) {
    if (passive[group.local] < group.count)
      return result;
    passive[group.local] -= group.count;
  }
  auto finish = [&](Counts after) {
    for (const Group &group : transition.produces)
      after[group.local] += group.count;
    result.insert({transition.to, threadsOf(after)});
  };
  if (!transition.signals.empty()) {
    bool moved = false;
    for (const Move &move : transition.signals)
      if (passive[move.from] > 0) {
        Counts after = passive;
        --after[move.from];
        ++after[move.to];
        finish(after);
        moved = true;
      }
    if (!moved)
      finish(passive);
  } else {
    Counts after;
    transferAll(transition.transfers, listOf(passive), 0, after, finish);
  }
  return result;
}

bool covers(const Configuration &larger, const Configuration &smaller) {
  Counts above = countsOf(larger.threads);
  return larger.shared == smaller.shared &&
         std::all_of(smaller.threads.begin(), smaller.threads.end(),
                     [&](const Group &group) { return above[group.local] >= group.count; });
}

bool isStart(const TransferNet &net, const Configuration &configuration) {
  return std::any_of(net.starts.begin(), net.starts.end(), [&](const StartSet &start) {
    Counts counts = countsOf(configuration.threads), least = countsOf(start.threads);
    for (LocalState local = 0; local < net.localStates; ++local) {
      bool any = std::count(start.anyNumber.begin(), start.anyNumber.end(), local) > 0;
      if (any ? counts[local] < least[local] : counts[local] != least[local])
        return false;
    }
    return start.shared == configuration.shared;
  });
}

bool isBelowStart(const TransferNet &net, const Configuration &configuration) {
  return std::any_of(net.starts.begin(), net.starts.end(), [&](const StartSet &start) {
    Counts counts = countsOf(configuration.threads), least = countsOf(start.threads);
    for (LocalState local = 0; local < net.localStates; ++local)
      if (std::count(start.anyNumber.begin(), start.anyNumber.end(), local) == 0 &&
          counts[local] > least[local])
        return false;
    return start.shared == configuration.shared;
  });
}

std::vector<Configuration> predecessors(const TransferNet &net, const Configuration &target,
                                        uint32_t most) {
  std::vector<Configuration> result;
  for (uint32_t size = 0; size <= most; ++size)
    for (SharedState shared = 0; shared < net.sharedStates; ++shared) {
      Counts partial;
      eachMultiset(net.localStates, 0, size, partial, [&](const Counts &counts) {
        Configuration candidate{shared, threadsOf(counts)};
        if (std::any_of(result.begin(), result.end(),
                        [&](const Configuration &known) { return covers(candidate, known); }))
          return;
        for (const Transition &transition : net.transitions)
          for (const Configuration &after : successors(transition, candidate))
            if (covers(after, target)) {
              result.push_back(candidate);
              return;
            }
      });
    }
  return result;
}

std::vector<Predecessor> coverPredecessors(const NetIndex &index, const Configuration &target) {
  std::vector<Predecessor> all = compose::cover::net::predecessors(index, target);
  std::vector<Predecessor> result;
  for (const Predecessor &candidate : all) {
    bool minimal = !covers(candidate.configuration, target) &&
                   std::none_of(all.begin(), all.end(), [&](const Predecessor &other) {
                     return other.configuration != candidate.configuration &&
                            covers(candidate.configuration, other.configuration);
                   });
    if (minimal)
      result.push_back(candidate);
  }
  return result;
}

std::optional<bool> isCoverable(const CoverProblem &problem, uint32_t most) {
  std::vector<Configuration> met = problem.targets;
  for (size_t next = 0; next < met.size(); ++next) {
    if (isBelowStart(problem.net, met[next]))
      return true;
    // No transition of a random net takes more than three threads beside those of the target.
    uint32_t bound = sizeOf(met[next]) + 3;
    if (bound > most)
      return std::nullopt;
    for (Configuration &before : predecessors(problem.net, met[next], bound))
      if (std::none_of(met.begin(), met.end(),
                       [&](const Configuration &known) { return covers(before, known); }))
        met.push_back(std::move(before));
  }
  return false;
}

bool isReached(const CoverProblem &problem, uint32_t most) {
  std::set<Configuration> reached;
  std::vector<Configuration> work;
  for (uint32_t size = 0; size <= most; ++size)
    for (SharedState shared = 0; shared < problem.net.sharedStates; ++shared) {
      Counts partial;
      eachMultiset(problem.net.localStates, 0, size, partial, [&](const Counts &counts) {
        Configuration start{shared, threadsOf(counts)};
        if (isStart(problem.net, start) && reached.insert(start).second)
          work.push_back(start);
      });
    }
  while (!work.empty()) {
    Configuration at = work.back();
    work.pop_back();
    for (const Configuration &target : problem.targets)
      if (covers(at, target))
        return true;
    for (const Transition &transition : problem.net.transitions)
      for (const Configuration &after : successors(transition, at))
        if (sizeOf(after) <= most && reached.insert(after).second)
          work.push_back(after);
  }
  return false;
}

namespace {

class Generator {
public:
  explicit Generator(std::mt19937_64 &random) : random_(random) {}

  CoverProblem problem() {
    CoverProblem result;
    result.net.sharedStates = below(3) + 1;
    result.net.localStates = below(3) + 1;
    locals_ = result.net.localStates;
    shared_ = result.net.sharedStates;
    uint32_t count = below(8);
    for (uint32_t i = 0; i < count; ++i)
      result.net.transitions.push_back(transition());
    for (uint32_t i = 0, starts = below(5) == 0 ? 2 : 1; i < starts; ++i)
      result.net.starts.push_back({below(shared_), threads(2), someLocals()});
    for (uint32_t i = 0, targets = below(4) == 0 ? 2 : 1; i < targets; ++i)
      result.targets.push_back({below(shared_), threads(3)});
    return result;
  }

private:
  std::mt19937_64 &random_;
  uint32_t locals_ = 1, shared_ = 1;

  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(random_() % bound); }

  Threads threads(uint32_t most) {
    Counts counts;
    for (uint32_t i = 0, size = below(most + 1); i < size; ++i)
      ++counts[below(locals_)];
    return threadsOf(counts);
  }
  Threads one() { return {{below(locals_), 1}}; }

  std::vector<LocalState> someLocals() {
    std::set<LocalState> chosen;
    for (uint32_t i = 0, size = below(3); i < size; ++i)
      chosen.insert(below(locals_));
    return {chosen.begin(), chosen.end()};
  }

  std::vector<Move> moves() {
    std::set<Move> chosen;
    for (uint32_t i = 0, size = below(3) + 1; i < size; ++i)
      chosen.insert({below(locals_), below(locals_)});
    return {chosen.begin(), chosen.end()};
  }

  Transition transition() {
    Transition t;
    t.from = below(shared_);
    t.to = below(shared_);
    switch (below(6)) {
    case 0: // blocking, with counts
      t.consumes = threads(2);
      t.produces = threads(2);
      break;
    case 1: // spawn
      t.consumes = one();
      t.produces = threadsOf([&] {
        Counts counts = countsOf(t.consumes);
        ++counts[below(locals_)];
        return counts;
      }());
      break;
    case 2:
      t.consumes = threads(1);
      t.produces = threads(1);
      t.signals = moves();
      break;
    case 3:
      t.consumes = threads(1);
      t.produces = threads(1);
      t.transfers = moves();
      break;
    default:
      t.consumes = one();
      t.produces = one();
    }
    return t;
  }
};

} // namespace

CoverProblem randomProblem(std::mt19937_64 &random) { return Generator(random).problem(); }

} // namespace understudy::tests::literal
