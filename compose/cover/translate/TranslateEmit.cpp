// SPDX-License-Identifier: Apache-2.0
#include "compose/cover/translate/TranslateParts.h"
#include "logic/Error.h"

#include <algorithm>

namespace understudy::compose::cover::translate {

void ProgramNet::Emitter::run() {
  for (net::SharedState shared = 0; shared < closure_.sharedCount(); ++shared) {
    closure_.work(1);
    if (closure_.isWrong(shared)) {
      addTarget({shared, {}});
      continue;
    }
    addExclusions(shared);
    for (const Act &act : closure_.actsOf(shared)) {
      closure_.work(1);
      emit(shared, act);
    }
  }
  net_.problem_.targets.assign(targets_.begin(), targets_.end());
}

void ProgramNet::Emitter::addTarget(net::Configuration target) {
  targets_.insert(std::move(target));
  if (targets_.size() > options_.maxTargets)
    throw logic::Unsupported("more than " + std::to_string(options_.maxTargets) + " ways to fail");
}

void ProgramNet::Emitter::addExclusions(net::SharedState shared) {
  std::vector<exploration::LocalId> there;
  for (exploration::LocalId local : closure_.localsOf(shared))
    if (info(local).excluded)
      there.push_back(local);
  for (size_t a = 0; a < there.size(); ++a) {
    for (exploration::LocalId single : net_.shared(shared).singles)
      if (closure_.areExcluded(there[a], single))
        addTarget({shared, {{net_.numberOf(there[a]), 1}}});
    for (size_t b = 0; b <= a; ++b)
      if (closure_.areExcluded(there[a], there[b])) {
        net::Threads both;
        put(both, net_.numberOf(there[a]));
        put(both, net_.numberOf(there[b]));
        addTarget({shared, std::move(both)});
      }
  }
}

/// `there` are the threads that the step needs. One that relies is another one.
void ProgramNet::Emitter::addBrokenRelies(net::SharedState shared, const Act &act,
                                          const net::Threads &there) {
  const SharedMeaning before = net_.shared(shared);
  auto breaks = [&](exploration::LocalId local) {
    return info(local).relies && net_.model_->brokenRely(local, before.global, act.global);
  };
  // The actor, if it exists once, is where it was before the step, so that it is known by its
  // template.
  for (size_t i = 0; i < before.singles.size(); ++i) {
    bool acts = !act.before && net_.singles_[i] == act.step.thread;
    if (!acts && breaks(before.singles[i]))
      addTarget({shared, there});
  }
  for (exploration::LocalId local : closure_.localsOf(shared))
    if (breaks(local)) {
      net::Threads more = there;
      put(more, net_.numberOf(local));
      addTarget({shared, std::move(more)});
    }
}

std::vector<net::Move> ProgramNet::Emitter::wakings(net::SharedState shared, CondId cond) {
  std::vector<net::Move> result;
  for (exploration::LocalId local : closure_.localsOf(shared))
    if (info(local).waitsOn == cond)
      result.push_back({net_.numberOf(local), net_.numberOf(info(local).woken)});
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<exploration::LocalId> ProgramNet::Emitter::joinable(net::SharedState shared,
                                                                const Act &act) const {
  std::vector<exploration::LocalId> result;
  for (exploration::LocalId local : closure_.localsOf(shared)) {
    const exploration::LocalInfo &other = info(local);
    if (other.isFinal && (!act.joinTemplate || *act.joinTemplate == other.thread) &&
        (!act.joinId || act.joinId == other.id))
      result.push_back(local);
  }
  return result;
}

void ProgramNet::Emitter::emit(net::SharedState shared, const Act &act) {
  net::Transition transition;
  transition.from = shared;
  transition.to = act.to;
  if (act.before)
    put(transition.consumes, net_.numberOf(*act.before));
  if (act.after && !act.fails)
    put(transition.produces, net_.numberOf(*act.after));
  if (act.effect != Act::Effect::Join) {
    emitFor(shared, act, transition);
    return;
  }
  for (exploration::LocalId ended : joinable(shared, act)) {
    net::Transition joins = transition;
    put(joins.consumes, net_.numberOf(ended));
    emitFor(shared, act, joins);
  }
}

/// What the step needs is in `consumes`, apart from the thread that `WakeOne` wakes.
void ProgramNet::Emitter::emitFor(net::SharedState shared, const Act &act,
                                  const net::Transition &transition) {
  if (act.fails) {
    addTarget({shared, transition.consumes});
    return;
  }
  // A step that wakes one of many changes the globals as the same step that wakes another.
  if (act.effect != Act::Effect::WakeOne)
    addBrokenRelies(shared, act, transition.consumes);
  net::Transition complete = transition;
  switch (act.effect) {
  case Act::Effect::None:
  case Act::Effect::Join:
    break;
  case Act::Effect::Fork:
    put(complete.produces, net_.numberOf(act.created));
    break;
  case Act::Effect::Signal:
    complete.signals = wakings(shared, act.cond);
    break;
  case Act::Effect::Broadcast:
    complete.transfers = wakings(shared, act.cond);
    break;
  case Act::Effect::WakeOne:
    for (const net::Move &waking : wakings(shared, act.cond)) {
      net::Transition wakes = transition;
      put(wakes.consumes, waking.from);
      put(wakes.produces, waking.to);
      add(act, std::move(wakes));
    }
    return;
  }
  add(act, std::move(complete));
}

void ProgramNet::Emitter::add(const Act &act, net::Transition transition) {
  bool idle = transition.from == transition.to && transition.consumes == transition.produces &&
              transition.signals.empty() && transition.transfers.empty();
  if (idle || !known_
                   .emplace(transition.from, transition.to, transition.consumes,
                            transition.produces, transition.signals, transition.transfers)
                   .second)
    return;
  if (known_.size() > options_.maxTransitions)
    throw logic::Unsupported("the program has more than " +
                             std::to_string(options_.maxTransitions) +
                             " transitions; the cover engine needs finite data");
  transition.origin = static_cast<uint32_t>(net_.steps_.size());
  net_.steps_.push_back(act.step);
  net_.problem_.net.transitions.push_back(std::move(transition));
}

} // namespace understudy::compose::cover::translate
