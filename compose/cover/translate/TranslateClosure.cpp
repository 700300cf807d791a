// SPDX-License-Identifier: Apache-2.0
//
// Which local states may occur with which shared state. A thread acts; all others that may be there
// pass on to the next shared state as they are, or woken. Each passage is remembered, so that a
// local state found later passes on, too.
#include "compose/IdUse.h"
#include "compose/cover/translate/TranslateParts.h"
#include "logic/Error.h"

#include <algorithm>

namespace understudy::compose::cover::translate {

namespace {

[[noreturn]] void tooMany(const std::string &what, uint64_t limit) {
  throw logic::Unsupported("the program has more than " + std::to_string(limit) + " " + what +
                           "; the cover engine needs finite data");
}

} // namespace

ProgramNet::Closure::Closure(ProgramNet &net, const TranslateOptions &options)
    : net_(net), options_(options), idsMatter_(analyseIds(net.program_).matters), budget_(options) {
}

bool ProgramNet::Closure::isWrong(net::SharedState shared) const {
  SharedMeaning meaning = net_.shared(shared);
  if (net_.model_->violatedInvariant(meaning.global))
    return true;
  for (size_t a = 0; a < meaning.singles.size(); ++a)
    for (size_t b = 0; b < a; ++b)
      if (areExcluded(meaning.singles[a], meaning.singles[b]))
        return true;
  return false;
}

bool ProgramNet::Closure::areExcluded(exploration::LocalId first,
                                      exploration::LocalId second) const {
  const exploration::LocalInfo &a = net_.model_->info(first);
  const exploration::LocalInfo &b = net_.model_->info(second);
  auto at = [](const exploration::LocalInfo &info, const Place &place) {
    return info.thread == place.thread && info.location == place.location;
  };
  return a.excluded && b.excluded &&
         std::any_of(net_.program_.exclusions.begin(), net_.program_.exclusions.end(),
                     [&](const Exclusion &e) {
                       return (at(a, e.first) && at(b, e.second)) ||
                              (at(b, e.first) && at(a, e.second));
                     });
}

void ProgramNet::Closure::addShared(net::SharedState shared) {
  if (shared < present_.size())
    return;
  if (shared >= options_.maxShared)
    tooMany("shared states", options_.maxShared);
  for (auto next = static_cast<net::SharedState>(present_.size()); next <= shared; ++next) {
    present_.emplace_back();
    open_.emplace_back(next, std::nullopt);
  }
}

void ProgramNet::Closure::addPair(net::SharedState shared, exploration::LocalId local) {
  Present &here = present_[shared];
  if (here.has.size() <= local)
    here.has.resize(std::max<size_t>(net_.model_->localCount(), local + 1));
  if (here.has[local])
    return;
  if (++pairs_ > options_.maxPairs)
    tooMany("pairs of a shared and a local state", options_.maxPairs);
  here.has[local] = true;
  here.locals.push_back(local);
  net_.numberOf(local);
  open_.emplace_back(shared, local);
}

void ProgramNet::Closure::run() {
  while (!open_.empty()) {
    work(1);
    auto [shared, local] = open_.back();
    open_.pop_back();
    if (isWrong(shared))
      continue;
    std::vector<Act> acts;
    if (local) {
      acts = actsOfThread(shared, *local);
    } else {
      for (size_t single = 0; single < net_.singles_.size(); ++single) {
        std::vector<Act> more = actsOfSingle(shared, single);
        acts.insert(acts.end(), more.begin(), more.end());
      }
    }
    work(acts.size());
    for (const Act &act : acts)
      if (!act.fails)
        follow(shared, act);
    if (local)
      for (const Passage &passage :
           std::vector<Passage>(present_[shared].passages.begin(), present_[shared].passages.end()))
        pass(*local, passage);
  }
}

void ProgramNet::Closure::follow(net::SharedState shared, const Act &act) {
  addShared(act.to);
  if (act.after)
    addPair(act.to, *act.after);
  if (act.effect == Act::Effect::Fork)
    addPair(act.to, act.created);
  Passage passage{act.to, Act::Effect::None, 0};
  if (act.effect == Act::Effect::Signal || act.effect == Act::Effect::WakeOne)
    passage = {act.to, Act::Effect::Signal, act.cond};
  if (act.effect == Act::Effect::Broadcast)
    passage = {act.to, Act::Effect::Broadcast, act.cond};
  if (!present_[shared].passages.insert(passage).second)
    return;
  for (exploration::LocalId local : std::vector<exploration::LocalId>(present_[shared].locals))
    pass(local, passage);
}

void ProgramNet::Closure::pass(exploration::LocalId local, const Passage &passage) {
  const exploration::LocalInfo info = net_.model_->info(local);
  bool wakes = passage.effect != Act::Effect::None && info.waitsOn == passage.cond;
  if (wakes)
    addPair(passage.to, info.woken);
  if (!wakes || passage.effect == Act::Effect::Signal)
    addPair(passage.to, local);
}

// ---- what a thread can do

std::vector<Act> ProgramNet::Closure::actsOfThread(net::SharedState shared,
                                                   exploration::LocalId local) {
  std::vector<Act> result;
  addActs(shared, local, std::nullopt, result);
  return result;
}

std::vector<Act> ProgramNet::Closure::actsOfSingle(net::SharedState shared, size_t single) {
  std::vector<Act> result;
  addActs(shared, net_.shared(shared).singles[single], single, result);
  return result;
}

std::vector<Act> ProgramNet::Closure::actsOf(net::SharedState shared) {
  std::vector<Act> result;
  if (isWrong(shared))
    return result;
  for (size_t single = 0; single < net_.singles_.size(); ++single)
    addActs(shared, net_.shared(shared).singles[single], single, result);
  for (exploration::LocalId local : std::vector<exploration::LocalId>(present_[shared].locals))
    addActs(shared, local, std::nullopt, result);
  return result;
}

void ProgramNet::Closure::addActs(net::SharedState shared, exploration::LocalId actor,
                                  std::optional<size_t> single, std::vector<Act> &out) {
  const SharedMeaning before = net_.shared(shared);
  const TemplateId thread = net_.model_->info(actor).thread;
  for (const exploration::Move &move :
       std::vector<compose::exploration::Move>(net_.model_->moves(before.global, actor))) {
    Act act;
    act.step = {thread, move.edge};
    act.fails = move.fails;
    act.global = move.global;
    if (!single) {
      act.before = actor;
      act.after = move.local;
    }
    if (move.effect == exploration::Move::Effect::Fork ||
        move.effect == exploration::Move::Effect::FreshFork) {
      addForks(move, act, before, single, out);
      continue;
    }
    SharedMeaning after = before;
    after.global = move.global;
    if (single)
      after.singles[*single] = move.local;
    if (move.effect == exploration::Move::Effect::Join) {
      act.effect = Act::Effect::Join;
      act.joinTemplate = move.joinTemplate;
      act.joinId = move.joinId;
    }
    if (move.effect == exploration::Move::Effect::Signal ||
        move.effect == exploration::Move::Effect::Broadcast) {
      addWakes(move, act, after, single, out);
      continue;
    }
    if (!act.fails)
      act.to = net_.numberOf(after);
    out.push_back(act);
  }
}

void ProgramNet::Closure::addForks(const exploration::Move &move, Act act,
                                   const SharedMeaning &before, std::optional<size_t> single,
                                   std::vector<Act> &out) {
  std::vector<exploration::FreshThread> outcomes{{move.global, move.local, move.object}};
  if (move.effect == exploration::Move::Effect::FreshFork) {
    const Edge &edge = net_.program_.edge(act.step.thread, act.step.edge);
    if (idsMatter_)
      throw logic::Unsupported("the step '" + edge.text +
                                   "' creates a fresh thread id, and the program stores ids or "
                                   "joins by them: there are infinitely many",
                               edge.range);
    outcomes = net_.model_->forkFresh(move, 0);
  }
  for (const exploration::FreshThread &outcome : outcomes) {
    SharedMeaning after = before;
    after.global = outcome.global;
    if (single)
      after.singles[*single] = outcome.mover;
    else
      act.after = outcome.mover;
    act.global = outcome.global;
    act.effect = Act::Effect::Fork;
    act.created = outcome.created;
    if (!act.fails)
      act.to = net_.numberOf(after);
    out.push_back(act);
  }
}

/// Of the threads that exist once, those that waited before the step are still where they were.
void ProgramNet::Closure::addWakes(const exploration::Move &move, Act act,
                                   const SharedMeaning &after, std::optional<size_t> single,
                                   std::vector<Act> &out) {
  act.cond = move.object;
  std::vector<size_t> waiting;
  for (size_t i = 0; i < after.singles.size(); ++i)
    if (i != single && net_.model_->info(after.singles[i]).waitsOn == act.cond)
      waiting.push_back(i);
  if (act.fails) {
    out.push_back(act);
    return;
  }
  auto woken = [&](std::vector<size_t> who) {
    SharedMeaning next = after;
    for (size_t i : who)
      next.singles[i] = net_.model_->info(next.singles[i]).woken;
    return net_.numberOf(next);
  };
  if (move.effect == exploration::Move::Effect::Broadcast) {
    act.effect = Act::Effect::Broadcast;
    act.to = woken(waiting);
    out.push_back(act);
    return;
  }
  for (size_t one : waiting) {
    act.effect = Act::Effect::None;
    act.to = woken({one});
    out.push_back(act);
  }
  act.effect = waiting.empty() ? Act::Effect::Signal : Act::Effect::WakeOne;
  act.to = woken({});
  out.push_back(act);
}

} // namespace understudy::compose::cover::translate
