// SPDX-License-Identifier: Apache-2.0
#include "Definition.h"

#include <algorithm>
#include <set>

namespace understudy::tests {

std::vector<AbstractLocal> SaturatedContract::initial() const {
  std::vector<AbstractLocal> all;
  for (Configuration m : machine_.initial())
    all.push_back({m, std::nullopt});
  return all;
}

const std::vector<Configuration> &SaturatedContract::silent(Configuration from, GlobalId g) {
  const auto [found, isNew] = silent_.try_emplace({from, g});
  if (!isNew)
    return found->second;
  std::set<Configuration> reached{from};
  std::vector<Configuration> todo{from};
  while (!todo.empty()) {
    const Configuration m = todo.back();
    todo.pop_back();
    for (Configuration next : machine_.moves(m, g, g))
      if (reached.insert(next).second)
        todo.push_back(next);
  }
  found->second.assign(reached.begin(), reached.end());
  return found->second;
}

bool SaturatedContract::wrong(GlobalId g, const AbstractLocal &local) {
  const auto &reached = silent(local.at, g);
  return (local.left && !machine_.relies(local.at, *local.left, g)) ||
         std::any_of(reached.begin(), reached.end(),
                     [&](Configuration n) { return machine_.fails(n, g); });
}

const std::vector<AbstractLocal> &SaturatedContract::successors(GlobalId g,
                                                                const AbstractLocal &local,
                                                                const ConcreteThread::Step &step) {
  const GlobalId after = step.after;
  const auto [found, isNew] = successors_.try_emplace({g, local, after, step.action});
  if (!isNew)
    return found->second;
  std::set<AbstractLocal> targets;
  for (Configuration n : silent(local.at, g))
    for (Configuration moved : machine_.moves(n, g, after, step.action))
      for (Configuration m : silent(moved, after))
        targets.insert({m, after});
  found->second.assign(targets.begin(), targets.end());
  return found->second;
}

std::string word(Breach breach) {
  switch (breach) {
  case Breach::Wrong:
    return "wrong";
  case Breach::Step:
    return "step";
  case Breach::Marker:
    return "marker";
  case Breach::Return:
    return "return";
  }
  return {};
}

namespace {

constexpr size_t mostPairs = 60000;

using Candidates = std::vector<AbstractLocal>; ///< F; sorted

class Exploration {
public:
  Exploration(ConcreteThread &thread, ContractMachine &contract)
      : thread_(thread), contract_(contract) {}

  std::optional<Disproof> run(size_t longest);

private:
  struct Pair {
    LocalId l = 0;
    Candidates candidates;
    auto operator<=>(const Pair &) const = default;
  };
  struct Origin {
    const Pair *from = nullptr;
    GlobalId before = 0;
    GlobalId after = 0;
    size_t length = 0;
  };

  bool returnsAtOnce();
  void visit(const Pair &pair, const Origin &origin);
  std::optional<Disproof> expand(const Pair &pair, size_t length);
  std::optional<Breach> breached(const ConcreteThread::Step &step, const Candidates &after);
  Candidates image(const Candidates &from, GlobalId g, const ConcreteThread::Step &step);
  Disproof tell(Breach breach, const Pair &last, GlobalId g, std::optional<GlobalId> after);
  std::string stepText(const Pair &from, GlobalId g, std::optional<GlobalId> after);

  ConcreteThread &thread_;
  SaturatedContract contract_;
  std::map<Pair, Origin> seen_;
  std::vector<const Pair *> queue_;
};

bool Exploration::returnsAtOnce() {
  for (GlobalId g = 0; g < thread_.space().size(); ++g) {
    if (!thread_.possible(g))
      continue;
    bool ended = false;
    for (const AbstractLocal &local : contract_.initial())
      for (Configuration n : contract_.silent(local.at, g))
        ended = ended || contract_.machine().final(n);
    if (!ended)
      return false;
  }
  return true;
}

Candidates Exploration::image(const Candidates &from, GlobalId g,
                              const ConcreteThread::Step &step) {
  std::set<AbstractLocal> targets;
  for (const AbstractLocal &local : from) {
    const auto &reached = contract_.successors(g, local, step);
    targets.insert(reached.begin(), reached.end());
  }
  return {targets.begin(), targets.end()};
}

std::optional<Breach> Exploration::breached(const ConcreteThread::Step &step,
                                            const Candidates &after) {
  ContractMachine &machine = contract_.machine();
  const auto some = [&](const auto &holds) {
    return std::any_of(after.begin(), after.end(),
                       [&](const AbstractLocal &local) { return holds(local.at); });
  };
  if (after.empty())
    return Breach::Step;
  if (step.marker &&
      !some([&](Configuration m) { return machine.stateOf(m).name == *step.marker; }))
    return Breach::Marker;
  const bool keepsLock = !thread_.local(step.next).held.empty();
  if (thread_.returned(step.next) && keepsLock)
    return Breach::Return;
  if (thread_.returned(step.next) && !some([&](Configuration m) { return machine.final(m); }))
    return Breach::Return;
  return std::nullopt;
}

void Exploration::visit(const Pair &pair, const Origin &origin) {
  const auto [found, isNew] = seen_.try_emplace(pair, origin);
  if (!isNew)
    return;
  if (seen_.size() > mostPairs)
    throw TooLarge();
  queue_.push_back(&found->first);
}

std::optional<Disproof> Exploration::expand(const Pair &pair, size_t length) {
  const std::optional<GlobalId> left = pair.candidates.front().left;
  for (GlobalId g = 0; g < thread_.space().size(); ++g) {
    if (left && !thread_.othersMay(pair.l, *left, g))
      continue;
    if (!thread_.possible(g) ||
        std::any_of(pair.candidates.begin(), pair.candidates.end(),
                    [&](const AbstractLocal &local) { return contract_.wrong(g, local); }))
      continue;
    if (thread_.wrong(g, pair.l))
      return tell(Breach::Wrong, pair, g, std::nullopt);
    if (length == 0)
      continue;
    for (const ConcreteThread::Step &step : thread_.steps(g, pair.l)) {
      Candidates after = image(pair.candidates, g, step);
      if (const auto breach = breached(step, after))
        return tell(*breach, pair, g, step.after);
      visit({step.next, std::move(after)}, {&pair, g, step.after, seen_.at(pair).length + 1});
    }
  }
  return std::nullopt;
}

std::optional<Disproof> Exploration::run(size_t longest) {
  for (LocalId l : thread_.initial()) {
    if (thread_.returned(l) && !returnsAtOnce())
      return Disproof{Breach::Return, 0, "returns without a step\n"};
    visit({l, contract_.initial()}, {});
  }
  for (size_t next = 0; next < queue_.size(); ++next) {
    const Pair &pair = *queue_[next];
    if (auto found = expand(pair, longest - std::min(longest, seen_.at(pair).length)))
      return found;
  }
  return std::nullopt;
}

std::string Exploration::stepText(const Pair &from, GlobalId g, std::optional<GlobalId> after) {
  ContractMachine &machine = contract_.machine();
  std::string states;
  for (const AbstractLocal &local : from.candidates)
    states += (states.empty() ? "" : " ") + machine.text(local.at);
  const SharedSpace &space = thread_.space();
  return "{" + states + "} at " + space.text(g) +
         (after ? ", step to " + space.text(*after) : ", goes wrong") + "\n";
}

Disproof Exploration::tell(Breach breach, const Pair &last, GlobalId g,
                           std::optional<GlobalId> after) {
  Disproof disproof{breach, seen_.at(last).length + (after ? 1 : 0), stepText(last, g, after)};
  for (const Origin *origin = &seen_.at(last); origin->from; origin = &seen_.at(*origin->from))
    disproof.story = stepText(*origin->from, origin->before, origin->after) + disproof.story;
  return disproof;
}

} // namespace

std::optional<Disproof> disproof(ConcreteThread &thread, ContractMachine &contract,
                                 size_t longest) {
  return Exploration(thread, contract).run(longest);
}

} // namespace understudy::tests
