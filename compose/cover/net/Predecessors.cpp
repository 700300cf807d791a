// SPDX-License-Identifier: Apache-2.0
//
// Cover predecessors (section 3.1 of the widening paper), for a transition t and a target
// (to | M). What t produces need not be there before, so the passive threads must cover the rest
// M - produces after they have moved; before they have moved they are some multiset P, and the
// predecessor is (from | P + consumes). For P:
//
// - no passive moves: P = rest.
// - signals: either a thread moves from y to x, P = rest - x + y, or no thread can move, P = rest,
//   which needs a rest without sources of moves. In the second case more threads do no harm: if a
//   source is among them, it is one of the additional threads that moves. A thread that moves for
//   nothing (x not in the rest) is needed only when the rest has a source, since otherwise P = rest
//   is smaller.
// - transfers: each thread of the rest in x was in some y with a move y -> x, or in x itself if
//   there is no move from x. All combinations; they have the same number of threads, so two of
//   them are equal or incomparable. Additional threads move somewhere and do no harm.
//
// In each case P is minimal and every P' from which the rest can be covered is above some P:
// monotonicity, Lemma 3.
#include "compose/cover/net/Predecessors.h"

#include "compose/cover/Configurations.h"

#include <algorithm>

namespace understudy::compose::cover::net {

namespace {

std::vector<Threads> beforeSignal(const std::vector<Move> &signals, const Threads &rest) {
  bool hasSource = std::any_of(rest.begin(), rest.end(),
                               [&](const Group &group) { return isSource(signals, group.local); });
  std::vector<Threads> result;
  if (!hasSource)
    result.push_back(rest);
  for (const Move &move : signals) {
    if (!hasSource && countOf(rest, move.to) == 0)
      continue;
    Threads before = rest;
    takeFrom(before, move.to, 1);
    addTo(before, move.from, 1);
    result.push_back(std::move(before));
  }
  return result;
}

/// All ways to distribute `group` over `origins`, added to `partial`.
void distribute(const std::vector<LocalState> &origins, size_t next, uint32_t left,
                Threads &partial, const std::vector<Threads> &tails, std::vector<Threads> &result) {
  if (next + 1 == origins.size()) {
    for (const Threads &tail : tails) {
      Threads whole = plus(tail, partial);
      addTo(whole, origins[next], left);
      result.push_back(std::move(whole));
    }
    return;
  }
  for (uint32_t here = 0; here <= left; ++here) {
    Threads more = partial;
    if (here > 0)
      addTo(more, origins[next], here);
    distribute(origins, next + 1, left - here, more, tails, result);
  }
}

std::vector<Threads> beforeTransfer(const std::vector<Move> &transfers, const Threads &rest) {
  std::vector<Threads> result{{}};
  for (const Group &group : rest) {
    std::vector<LocalState> origins;
    for (const Move &move : transfers)
      if (move.to == group.local)
        origins.push_back(move.from);
    if (!isSource(transfers, group.local))
      origins.push_back(group.local);
    if (origins.empty())
      return {};
    std::vector<Threads> longer;
    Threads none;
    distribute(origins, 0, group.count, none, result, longer);
    result = std::move(longer);
  }
  return result;
}

} // namespace

void appendPredecessors(const Transition &transition, uint32_t number, const Configuration &target,
                        std::vector<Predecessor> &result) {
  if (transition.to != target.shared)
    return;
  Threads rest = less(target.threads, transition.produces);
  if (transition.signals.empty() && transition.transfers.empty()) {
    result.push_back({{transition.from, plus(rest, transition.consumes)}, number});
    return;
  }
  std::vector<Threads> before = transition.signals.empty()
                                    ? beforeTransfer(transition.transfers, rest)
                                    : beforeSignal(transition.signals, rest);
  std::sort(before.begin(), before.end());
  before.erase(std::unique(before.begin(), before.end()), before.end());
  for (const Threads &threads : before) {
    bool minimal = std::none_of(before.begin(), before.end(), [&](const Threads &other) {
      return other != threads && isBelow(other, threads);
    });
    if (minimal)
      result.push_back({{transition.from, plus(threads, transition.consumes)}, number});
  }
}

std::vector<Predecessor> predecessors(const NetIndex &index, const Configuration &target) {
  std::vector<Predecessor> result;
  for (uint32_t number : index.alwaysInto(target.shared))
    appendPredecessors(index.transition(number), number, target, result);
  for (const Group &group : target.threads)
    for (uint32_t number : index.producing(target.shared, group.local))
      appendPredecessors(index.transition(number), number, target, result);
  std::sort(result.begin(), result.end(), [](const Predecessor &a, const Predecessor &b) {
    if (auto order = a.configuration <=> b.configuration; order != 0)
      return order < 0;
    return a.transition < b.transition;
  });
  auto end =
      std::unique(result.begin(), result.end(), [](const Predecessor &a, const Predecessor &b) {
        return a.configuration == b.configuration;
      });
  result.erase(end, result.end());
  return result;
}

} // namespace understudy::compose::cover::net
