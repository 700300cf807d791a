// SPDX-License-Identifier: Apache-2.0
#include "compose/tnet/Retrace.h"

#include <algorithm>
#include <stdexcept>

namespace understudy::compose::tnet {

using exploration::StateStore;

std::vector<uint32_t> pathTo(const StateStore &store, uint32_t number) {
  std::vector<uint32_t> path;
  for (uint32_t at = number; at != StateStore::noParent; at = store.parent(at))
    path.push_back(at);
  std::reverse(path.begin(), path.end());
  return path;
}

Binding bindingOf(const Pattern &pattern, const Matcher &matcher, const Matcher::Slots &slots,
                  const std::vector<Pid> &pids) {
  Binding binding;
  for (Variable pid : pattern.pids)
    binding[pid] = {pids[static_cast<Atom>(slots[matcher.slotOf(pid)])], 0};
  for (Variable data : pattern.data)
    binding[data] = {{}, slots[matcher.slotOf(data)]};
  return binding;
}

Walk Retracing::along(const std::vector<uint32_t> &path) {
  Walk walk{{{startMarking(net_)}, {}}, {Pid{1}}};
  State state(net_);
  for (size_t i = 1; i < path.size(); ++i) {
    state.decode(store_.state(path[i - 1]));
    if (!step(walk, state, path[i]))
      throw std::logic_error("a step of the search cannot be repeated");
  }
  return walk;
}

bool Retracing::step(Walk &walk, const State &state, uint32_t target) {
  bool found = false;
  for (uint32_t t = 0; t < rules_.size() && !found; ++t)
    rules_.matcher(t).run(state, budget_,
                          [&](Matcher::Slots &slots, const std::vector<uint32_t> &taken) {
                            if (leadsTo(target, rules_.after(state, t, slots, taken))) {
                              follow(walk, t, slots);
                              found = true;
                            }
                            return !found;
                          });
  return found;
}

bool Retracing::leadsTo(uint32_t target, const std::optional<State> &next) {
  if (!next)
    return false;
  budget_.work(2 + next->tokens().size() / 4);
  next->encode(labelling_, bytes_, positions_);
  return std::ranges::equal(bytes_, store_.state(target));
}

/// Fires the transition literally, as the last step of the search did.
void Retracing::follow(Walk &walk, uint32_t transition, const Matcher::Slots &slots) const {
  const Transition &fired = net_.transitions[transition];
  auto done = firing(net_, walk.run.markings.back(), transition,
                     bindingOf(fired.pattern, rules_.matcher(transition), slots, walk.pids));
  if (!done)
    throw std::logic_error("a step of the search has no literal counterpart");
  std::vector<Pid> all = std::move(walk.pids);
  for (const Spawn &spawn : fired.spawns)
    all.push_back(done->binding.at(spawn.child).pid);
  walk.pids.assign(positions_.size(), {});
  const std::vector<Atom> &names = rules_.names();
  for (Atom atom = 0; atom < all.size(); ++atom)
    if (names[atom] != noAtom)
      walk.pids[positions_[names[atom]]] = all[atom];
  walk.run.markings.push_back(done->after);
  walk.run.fired.push_back(std::move(*done));
}

} // namespace understudy::compose::tnet
