// SPDX-License-Identifier: Apache-2.0
//
// The problem: models made by machines have many states that no run reaches and many transitions
// that no target cares for. The idea: forget how many threads there are. Forwards: a pair (s, l)
// is possible if a start has it, or a transition all of whose consumed pairs are possible produces
// it or lets it pass. Backwards: a pair is relevant if a target has it or a cover predecessor of
// something relevant can have it. Both are least fixed points, computed with a bit per pair and a
// word of 64 local states at a time.
//
// Invariant (forwards): every reachable configuration uses possible pairs only, so configurations
// with an impossible pair are an uncoverability proof.
// Invariant (backwards): every configuration that a backward search meets uses relevant pairs only,
// so a thread in an irrelevant state may be dropped from what is known to be coverable.
#include "compose/cover/net/SignAnalysis.h"

#include "compose/cover/Configurations.h"

#include <algorithm>
#include <set>

namespace understudy::compose::cover::net {

PairSet::PairSet(const std::vector<uint32_t> *sharedNumber,
                 const std::vector<uint32_t> *localNumber, size_t sharedStates, size_t localStates)
    : sharedNumber_(sharedNumber), localNumber_(localNumber), words_((localStates + 63) / 64),
      shared_(sharedStates, 0), bits_(sharedStates * words_, 0) {}

bool PairSet::has(SharedState shared) const {
  return (*sharedNumber_)[shared] < shared_.size() && shared_[(*sharedNumber_)[shared]];
}

bool PairSet::has(SharedState shared, LocalState local) const {
  if (!has(shared))
    return false;
  uint32_t bit = (*localNumber_)[local];
  if (bit == ~uint32_t{0})
    return false;
  return bits_[(*sharedNumber_)[shared] * words_ + bit / 64] >> (bit % 64) & 1u;
}

/// A growing `PairSet` and the shared states whose part has grown since they were looked at.
class SignFlow {
public:
  explicit SignFlow(PairSet &set) : set_(set), queued_(set.shared_.size(), 0) {}

  void add(SharedState shared) {
    uint32_t s = number(shared);
    if (!set_.shared_[s]) {
      set_.shared_[s] = 1;
      queue(s, shared);
    }
  }
  void add(SharedState shared, LocalState local) {
    add(shared);
    uint32_t s = number(shared), bit = (*set_.localNumber_)[local];
    uint64_t &word = set_.bits_[s * set_.words_ + bit / 64];
    if (!(word >> (bit % 64) & 1u)) {
      word |= uint64_t{1} << (bit % 64);
      queue(s, shared);
    }
  }
  void add(SharedState shared, const Threads &threads) {
    add(shared);
    for (const Group &group : threads)
      add(shared, group.local);
  }
  /// All of one shared state's part to another's.
  void pass(SharedState from, SharedState to) {
    add(to);
    const uint64_t *source = &set_.bits_[number(from) * set_.words_];
    uint64_t *target = &set_.bits_[number(to) * set_.words_];
    uint64_t grown = 0;
    for (size_t word = 0; word < set_.words_; ++word) {
      grown |= source[word] & ~target[word];
      target[word] |= source[word];
    }
    if (grown)
      queue(number(to), to);
  }
  bool has(SharedState shared, LocalState local) const { return set_.has(shared, local); }
  bool has(SharedState shared) const { return set_.has(shared); }

  template <typename Visit>
  void run(Visit visit) {
    while (!queue_.empty()) {
      SharedState shared = queue_.back();
      queue_.pop_back();
      queued_[number(shared)] = 0;
      visit(shared);
    }
  }

private:
  PairSet &set_;
  std::vector<uint8_t> queued_;
  std::vector<SharedState> queue_;

  uint32_t number(SharedState shared) const { return (*set_.sharedNumber_)[shared]; }
  void queue(uint32_t s, SharedState shared) {
    if (!queued_[s]) {
      queued_[s] = 1;
      queue_.push_back(shared);
    }
  }
};

namespace {

using ByShared = std::vector<std::vector<uint32_t>>;

bool movesPassively(const Transition &t) { return !t.signals.empty() || !t.transfers.empty(); }

/// What passes `t` without being consumed or produced, forwards.
void passForwards(SignFlow &flow, const Transition &t, const std::vector<LocalState> &locals) {
  if (!movesPassively(t))
    return flow.pass(t.from, t.to);
  for (LocalState local : locals)
    if (flow.has(t.from, local) && !isSource(t.transfers, local))
      flow.add(t.to, local); // a signal need not move it
  for (const auto *moves : {&t.transfers, &t.signals})
    for (const Move &move : *moves)
      if (flow.has(t.from, move.from))
        flow.add(t.to, move.to);
}

void passBackwards(SignFlow &flow, const Transition &t, const std::vector<LocalState> &locals) {
  if (!movesPassively(t))
    return flow.pass(t.to, t.from);
  for (LocalState local : locals)
    if (flow.has(t.to, local) && !isSource(t.transfers, local))
      flow.add(t.from, local);
  for (const Move &move : t.transfers)
    if (flow.has(t.to, move.to))
      flow.add(t.from, move.from);
  for (const Move &move : t.signals) // another thread may take the signal
    flow.add(t.from, move.from);
}

bool isEnabled(const SignFlow &flow, const Transition &t) {
  return flow.has(t.from) && std::all_of(t.consumes.begin(), t.consumes.end(),
                                         [&](const Group &g) { return flow.has(t.from, g.local); });
}

bool canMatter(const SignFlow &flow, const Transition &t) {
  if (!flow.has(t.to))
    return false;
  return t.from != t.to || movesPassively(t) ||
         std::any_of(t.produces.begin(), t.produces.end(),
                     [&](const Group &g) { return flow.has(t.to, g.local); });
}

/// Numbers the states that occur; the others get ~0.
size_t numberStates(const std::set<uint32_t> &occurring, uint32_t states,
                    std::vector<uint32_t> &numbers) {
  numbers.assign(states, ~uint32_t{0});
  uint32_t next = 0;
  for (uint32_t state : occurring)
    numbers[state] = next++;
  return next;
}

struct Occurring {
  std::vector<uint8_t> shared, local;
  explicit Occurring(const CoverProblem &problem)
      : shared(problem.net.sharedStates, 0), local(problem.net.localStates, 0) {
    for (const Transition &t : problem.net.transitions) {
      shared[t.from] = shared[t.to] = 1;
      add(t.consumes);
      add(t.produces);
      for (const auto *moves : {&t.transfers, &t.signals})
        for (const Move &move : *moves)
          local[move.from] = local[move.to] = 1;
    }
    for (const StartSet &start : problem.net.starts) {
      shared[start.shared] = 1;
      add(start.threads);
      for (LocalState l : start.anyNumber)
        local[l] = 1;
    }
    for (const Configuration &target : problem.targets) {
      shared[target.shared] = 1;
      add(target.threads);
    }
  }
  void add(const Threads &threads) {
    for (const Group &group : threads)
      local[group.local] = 1;
  }
  static std::vector<uint32_t> listed(const std::vector<uint8_t> &flags) {
    std::vector<uint32_t> list;
    for (uint32_t i = 0; i < flags.size(); ++i)
      if (flags[i])
        list.push_back(i);
    return list;
  }
};

} // namespace

SignAnalysis::SignAnalysis(const CoverProblem &problem) {
  constexpr uint64_t mostBits = uint64_t{1} << 28;
  const TransferNet &net = problem.net;
  useful_.assign(net.transitions.size(), true);
  Occurring occurring(problem);
  auto shared = Occurring::listed(occurring.shared), locals = Occurring::listed(occurring.local);
  if (uint64_t{shared.size()} * (locals.size() + 64) > mostBits)
    return;
  sized_ = true;
  numberStates({shared.begin(), shared.end()}, net.sharedStates, sharedNumber_);
  numberStates({locals.begin(), locals.end()}, net.localStates, localNumber_);
  possible_ = relevant_ = PairSet(&sharedNumber_, &localNumber_, shared.size(), locals.size());

  ByShared from(shared.size()), into(shared.size());
  for (uint32_t t = 0; t < net.transitions.size(); ++t) {
    from[sharedNumber_[net.transitions[t].from]].push_back(t);
    into[sharedNumber_[net.transitions[t].to]].push_back(t);
  }
  std::vector<bool> fires(net.transitions.size(), false);
  SignFlow forwards(possible_);
  for (const StartSet &start : net.starts) {
    forwards.add(start.shared, start.threads);
    for (LocalState local : start.anyNumber)
      forwards.add(start.shared, local);
  }
  forwards.run([&](SharedState s) {
    for (uint32_t number : from[sharedNumber_[s]]) {
      const Transition &t = net.transitions[number];
      if (!fires[number] && !isEnabled(forwards, t))
        continue;
      if (!fires[number])
        forwards.add(t.to, t.produces);
      fires[number] = true;
      passForwards(forwards, t, locals);
    }
  });
  std::vector<bool> matters(net.transitions.size(), false);
  SignFlow backwards(relevant_);
  for (const Configuration &target : problem.targets)
    backwards.add(target.shared, target.threads);
  backwards.run([&](SharedState s) {
    for (uint32_t number : into[sharedNumber_[s]]) {
      const Transition &t = net.transitions[number];
      if (!fires[number] || (!matters[number] && !canMatter(backwards, t)))
        continue;
      if (!matters[number])
        backwards.add(t.from, t.consumes);
      matters[number] = true;
      passBackwards(backwards, t, locals);
    }
  });
  useful_ = std::move(matters);
}

bool SignAnalysis::isPossible(const Configuration &configuration) const {
  return isPossible(configuration.shared) &&
         std::all_of(configuration.threads.begin(), configuration.threads.end(),
                     [&](const Group &g) { return isPossible(configuration.shared, g.local); });
}

void SignAnalysis::dropIrrelevant(Configuration &configuration) const {
  if (sized_)
    std::erase_if(configuration.threads, [&](const Group &group) {
      return !relevant_.has(configuration.shared, group.local);
    });
}

} // namespace understudy::compose::cover::net
