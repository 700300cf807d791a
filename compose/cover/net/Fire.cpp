// SPDX-License-Identifier: Apache-2.0
#include "compose/cover/net/Fire.h"

#include "compose/cover/Configurations.h"

#include <algorithm>
#include <map>
#include <set>

namespace understudy::compose::cover::net {

namespace {

/// Threads that must move, what they may become, and how many of each are wanted: a small flow
/// problem, solved by augmenting paths.
class Assignment {
public:
  Assignment(const std::vector<Move> &moves, const Threads &movers, Threads wanted)
      : moves_(moves), idle_(movers), wanted_(std::move(wanted)) {}

  /// False: the wanted threads cannot all be had.
  bool solve() {
    for (const Group &group : wanted_)
      for (uint32_t have = 0; have < group.count;) {
        visited_.clear();
        uint32_t gained = supply(group.local, group.count - have);
        if (gained == 0)
          return false;
        have += gained;
      }
    return true;
  }

  /// All movers after the move; those nobody wants take their first move.
  Threads result() const {
    Threads threads;
    for (const auto &[move, count] : flow_)
      if (count > 0)
        addTo(threads, move.to, count);
    for (const Group &group : idle_)
      for (const Move &move : moves_)
        if (move.from == group.local) {
          addTo(threads, move.to, group.count);
          break;
        }
    return threads;
  }

private:
  const std::vector<Move> &moves_;
  Threads idle_;
  Threads wanted_;
  std::map<Move, uint32_t> flow_;
  std::set<LocalState> visited_; ///< targets already asked in this round

  /// Brings up to `amount` more threads to `target`, rerouting others; returns how many.
  uint32_t supply(LocalState target, uint32_t amount) {
    if (!visited_.insert(target).second)
      return 0;
    for (const Move &move : moves_) {
      if (move.to != target)
        continue;
      if (uint32_t idle = std::min(countOf(idle_, move.from), amount); idle > 0) {
        takeFrom(idle_, move.from, idle);
        flow_[move] += idle;
        return idle;
      }
      if (uint32_t gained = reroute(move, amount); gained > 0)
        return gained;
    }
    return 0;
  }

  /// Takes threads of the same origin from another target, which gets others instead.
  uint32_t reroute(const Move &move, uint32_t amount) {
    for (const Move &other : moves_) {
      if (other.from != move.from || other.to == move.to || flow_[other] == 0)
        continue;
      uint32_t gained = supply(other.to, std::min(flow_[other], amount));
      if (gained == 0)
        continue;
      flow_[other] -= gained;
      flow_[move] += gained;
      return gained;
    }
    return 0;
  }
};

bool moves(const std::vector<Move> &list, LocalState local) {
  return std::any_of(list.begin(), list.end(), [&](const Move &m) { return m.from == local; });
}

std::optional<Threads> transferTowards(const Transition &transition, const Threads &passive,
                                       const Threads &wanted) {
  Threads movers, stays;
  for (const Group &group : passive)
    (moves(transition.transfers, group.local) ? movers : stays).push_back(group);
  Assignment assignment(transition.transfers, movers, less(wanted, stays));
  if (!assignment.solve())
    return std::nullopt;
  return plus(stays, assignment.result());
}

std::optional<Threads> signalTowards(const Transition &transition, const Threads &passive,
                                     const Threads &wanted) {
  bool someMoves = false;
  for (const Move &move : transition.signals) {
    if (countOf(passive, move.from) == 0)
      continue;
    someMoves = true;
    Threads after = passive;
    takeFrom(after, move.from, 1);
    addTo(after, move.to, 1);
    if (isBelow(wanted, after))
      return after;
  }
  if (!someMoves && isBelow(wanted, passive))
    return passive;
  return std::nullopt;
}

std::optional<Configuration> startAbove(const StartSet &start, const Configuration &configuration) {
  if (start.shared != configuration.shared)
    return std::nullopt;
  Threads more = less(configuration.threads, start.threads);
  bool allowed = std::all_of(more.begin(), more.end(), [&](const Group &group) {
    return std::binary_search(start.anyNumber.begin(), start.anyNumber.end(), group.local);
  });
  if (!allowed)
    return std::nullopt;
  return Configuration{start.shared, maximum(start.threads, configuration.threads)};
}

} // namespace

std::optional<Configuration> fireTowards(const Transition &transition,
                                         const Configuration &configuration,
                                         const Configuration &goal) {
  if (configuration.shared != transition.from || goal.shared != transition.to ||
      !isBelow(transition.consumes, configuration.threads))
    return std::nullopt;
  Threads passive = less(configuration.threads, transition.consumes);
  Threads wanted = less(goal.threads, transition.produces);
  std::optional<Threads> after;
  if (!transition.signals.empty())
    after = signalTowards(transition, passive, wanted);
  else if (!transition.transfers.empty())
    after = transferTowards(transition, passive, wanted);
  else if (isBelow(wanted, passive))
    after = passive;
  if (!after)
    return std::nullopt;
  return Configuration{transition.to, plus(*after, transition.produces)};
}

bool isStep(const Transition &transition, const Configuration &before, const Configuration &after) {
  // A result above `after` with as many threads is `after`.
  return fireTowards(transition, before, after) == after;
}

bool isStart(const TransferNet &net, const Configuration &configuration) {
  return std::any_of(net.starts.begin(), net.starts.end(), [&](const StartSet &start) {
    return startAbove(start, configuration) == configuration;
  });
}

std::optional<Configuration> startAbove(const TransferNet &net,
                                        const Configuration &configuration) {
  for (const StartSet &start : net.starts)
    if (auto found = startAbove(start, configuration))
      return found;
  return std::nullopt;
}

std::optional<std::string> replay(const CoverProblem &problem, const CoverTrace &trace) {
  if (trace.after.size() != trace.fired.size() + 1)
    return "the trace has " + std::to_string(trace.fired.size()) + " steps and " +
           std::to_string(trace.after.size()) + " configurations";
  if (!isStart(problem.net, trace.after.front()))
    return text(trace.after.front()) + " is not an initial configuration";
  for (size_t i = 0; i < trace.fired.size(); ++i) {
    if (trace.fired[i] >= problem.net.transitions.size())
      return "step " + std::to_string(i + 1) + " fires a transition that does not exist";
    if (!isStep(problem.net.transitions[trace.fired[i]], trace.after[i], trace.after[i + 1]))
      return "step " + std::to_string(i + 1) + " does not lead from " + text(trace.after[i]) +
             " to " + text(trace.after[i + 1]);
  }
  bool covers = std::any_of(problem.targets.begin(), problem.targets.end(),
                            [&](const Configuration &t) { return isBelow(t, trace.after.back()); });
  return covers ? std::nullopt : std::optional(text(trace.after.back()) + " covers no target");
}

} // namespace understudy::compose::cover::net
