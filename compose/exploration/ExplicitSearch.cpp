// SPDX-License-Identifier: Apache-2.0
#include "compose/exploration/ExplicitSearch.h"

#include "compose/exploration/DeadIds.h"
#include "logic/Error.h"
#include "logic/Log.h"
#include "logic/Words.h"

#include <algorithm>
#include <set>

namespace understudy::compose::exploration {

ExplicitSearch::ExplicitSearch(const Program &program, const ExplicitOptions &options)
    : program_(program), options_(options), model_(program), ids_(analyseIds(program)),
      order_(options.symmetry == ExplicitOptions::Symmetry::On ? ExplicitState::Order::Sorted
                                                               : ExplicitState::Order::Listed),
      alive_(program.templates.size()), next_(order_), named_(order_), budget_(options) {
  using Names = ExplicitOptions::Names;
  if (order_ != ExplicitState::Order::Sorted || options.names == Names::Keep || !ids_.matters ||
      !ids_.opaque)
    return;
  names_.emplace(model_, ids_,
                 options.names == Names::Rename ? std::vector<DeadLocal>{}
                                                : deadIds(program, ids_));
}

Verdict ExplicitSearch::run() {
  Verdict verdict;
  verdict.engine = EngineName::Explicit;
  verdict.assumptions = program_.assumptions;
  verdict.deadlockChecked = options_.deadlock == ExplicitOptions::Deadlock::Check;
  std::optional<std::string> limit;
  std::optional<Trace> trace;
  try {
    addStarts();
    limit = explore();
    if (violation_)
      trace = buildTrace();
  } catch (const logic::Unsupported &reason) {
    if (!budget_.exhausted())
      throw;
    limit = reason.what();
  }
  report();
  verdict.statistics = statistics_;
  if (trace) {
    if (auto wrong = replay(program_, *trace))
      throw std::logic_error("the counterexample does not replay: " + *wrong);
    verdict.answer = Answer::Unsafe;
    verdict.trace = std::move(trace);
  } else if (limit) {
    verdict.reason = *limit;
  } else if (ids_.givesFresh && ids_.matters && !ids_.opaque) {
    verdict.reason = "the program compares or computes with the ids that fork returns, so no "
                     "finite set of ids is enough";
  } else {
    verdict.answer = Answer::Safe;
    verdict.width = width_;
    if (options_.reached && store_.size() <= options_.maxReached)
      options_.reached(reachedStates());
  }
  return verdict;
}

std::optional<std::string> ExplicitSearch::explore() {
  // A program that cannot start is not proved by having nothing to explore.
  if (store_.size() == 0)
    throw logic::Unsupported("no initial state satisfies the initial values and conditions");
  std::optional<std::string> limit;
  ExplicitState state(order_);
  uint32_t levelEnd = store_.size();
  for (current_ = 0; current_ < store_.size() && !violation_ && !limit; ++current_) {
    if (current_ == levelEnd) {
      ++statistics_.depth;
      levelEnd = store_.size();
    }
    if (current_ % 4096 == 0)
      report();
    limit = limitReached();
    const uint64_t before = statistics_.transitions;
    state.decode(store_.state(current_));
    expand(state);
    budget_.work(1 + statistics_.transitions - before);
  }
  preferDeadlock(levelEnd);
  return limit;
}

void ExplicitSearch::addStarts() {
  for (const ThreadCounts &counts : countsToTry())
    addStartsWith(counts);
}

/// More threads can do all that fewer can, except get stuck: deadlock needs every number.
std::vector<ThreadCounts> ExplicitSearch::countsToTry() const {
  std::vector<ThreadCounts> result{options_.counts};
  if (options_.deadlock == ExplicitOptions::Deadlock::Ignore)
    return result;
  for (const Start &start : program_.starts) {
    if (!start.unbounded || !options_.counts.contains(start.thread))
      continue;
    std::vector<ThreadCounts> all;
    for (ThreadCounts counts : result)
      for (uint32_t n = 0; n <= options_.counts.at(start.thread); ++n) {
        counts[start.thread] = n;
        all.push_back(counts);
      }
    result = std::move(all);
  }
  return result;
}

void ExplicitSearch::addStartsWith(const ThreadCounts &counts) {
  for (GlobalId global : model_.startGlobals()) {
    StateStore known;
    ExplicitState empty(order_);
    empty.global = global;
    empty.encode(bytes_);
    known.insert(bytes_, StateStore::noParent);
    for (const Start &start : program_.starts) {
      uint32_t count = start.count;
      if (start.unbounded)
        count = counts.contains(start.thread) ? counts.at(start.thread) : 0;
      std::vector<LocalId> locals = model_.startLocals(start.thread, global);
      for (uint32_t i = 0; i < count; ++i) {
        StateStore larger;
        for (uint32_t n = 0; n < known.size(); ++n)
          for (LocalId local : locals) {
            budget_.work(1);
            ExplicitState state(order_);
            state.decode(known.state(n));
            state.add(local);
            state.encode(bytes_);
            larger.insert(bytes_, StateStore::noParent);
          }
        known = std::move(larger);
      }
    }
    ExplicitState state(order_);
    for (uint32_t n = 0; n < known.size(); ++n) {
      state.decode(known.state(n));
      insert(state, StateStore::noParent);
    }
  }
}

void ExplicitSearch::expand(const ExplicitState &state) {
  if (options_.deadlock == ExplicitOptions::Deadlock::Check && isStuck(state)) {
    violation_ = Violation{current_, FailureKind::Deadlock, 0, std::nullopt};
    return;
  }
  thread_ = 0;
  for (size_t group = 0; group < state.groups().size() && !violation_; ++group) {
    for (const Move &move : model_.moves(state.global, state.groups()[group].local)) {
      edge_ = move.edge;
      apply(state, group, move);
      if (violation_)
        return;
    }
    thread_ += state.groups()[group].count;
  }
}

bool ExplicitSearch::isStuck(const ExplicitState &state) {
  if (!unfinished(state))
    return false;
  for (size_t group = 0; group < state.groups().size(); ++group)
    for (const Move &move : model_.moves(state.global, state.groups()[group].local))
      if (isEnabled(state, group, move))
        return false;
  return true;
}

bool ExplicitSearch::isEnabled(const ExplicitState &state, size_t mover, const Move &move) {
  if (move.effect == Move::Effect::Join)
    return !joinable(state, mover, move).empty();
  if (move.effect != Move::Effect::FreshFork)
    return true;
  for (int64_t id : freshIds(state))
    if (!model_.forkFresh(move, id).empty())
      return true;
  return false;
}

void ExplicitSearch::preferDeadlock(uint32_t levelEnd) {
  if (!violation_ || options_.deadlock == ExplicitOptions::Deadlock::Ignore ||
      violation_->kind == FailureKind::Deadlock)
    return;
  ExplicitState state(order_);
  for (uint32_t n = current_; n < levelEnd; ++n) {
    state.decode(store_.state(n));
    if (isStuck(state)) {
      violation_ = Violation{n, FailureKind::Deadlock, 0, std::nullopt};
      return;
    }
  }
}

void ExplicitSearch::apply(const ExplicitState &state, size_t mover, const Move &move) {
  if (move.fails) {
    if (!isEnabled(state, mover, move))
      return;
    LocalId local = state.groups()[mover].local;
    violation_ = Violation{current_, *model_.edge(local, move.edge).failure, local, move.edge};
    return;
  }
  switch (move.effect) {
  case Move::Effect::None: {
    if (!keepsRelies(state, mover, move, std::nullopt))
      return;
    next_ = state;
    next_.global = move.global;
    next_.move(mover, move.local);
    return insert(next_, current_);
  }
  case Move::Effect::Fork:
  case Move::Effect::FreshFork:
    return applyFork(state, mover, move);
  case Move::Effect::Join:
    return applyJoin(state, mover, move);
  case Move::Effect::Signal:
  case Move::Effect::Broadcast:
    return applyWake(state, mover, move);
  }
}

void ExplicitSearch::applyFork(const ExplicitState &state, size_t mover, const Move &move) {
  auto fork = [&](const FreshThread &outcome) {
    Move done = move;
    done.global = outcome.global;
    if (!keepsRelies(state, mover, done, std::nullopt))
      return;
    ExplicitState next = state;
    next.global = outcome.global;
    next.move(mover, outcome.mover);
    next.add(outcome.created);
    insert(next, current_);
  };
  if (move.effect == Move::Effect::Fork)
    return fork({move.global, move.local, move.object});
  for (int64_t id : freshIds(state))
    for (const FreshThread &outcome : model_.forkFresh(move, id))
      if (!violation_)
        fork(outcome);
}

std::vector<size_t> ExplicitSearch::joinable(const ExplicitState &state, size_t mover,
                                             const Move &move) const {
  std::vector<size_t> result;
  for (size_t at = 0; at < state.groups().size(); ++at) {
    const ThreadGroup &group = state.groups()[at];
    const LocalInfo &info = model_.info(group.local);
    bool other = info.isFinal && (at != mover || group.count > 1);
    bool fits = (!move.joinTemplate || *move.joinTemplate == info.thread) &&
                (!move.joinId || info.id == move.joinId);
    if (other && fits)
      result.push_back(at);
  }
  return result;
}

void ExplicitSearch::applyJoin(const ExplicitState &state, size_t mover, const Move &move) {
  for (size_t at : joinable(state, mover, move)) {
    if (violation_ || !keepsRelies(state, mover, move, at))
      return;
    ExplicitState next = state;
    next.global = move.global;
    if (order_ == ExplicitState::Order::Listed) {
      next.move(mover, move.local);
      next.removeFrom(at);
    } else {
      next.removeFrom(at);
      next.move(next.indexOf(state.groups()[mover].local), move.local);
    }
    insert(next, current_);
  }
}

void ExplicitSearch::applyWake(const ExplicitState &state, size_t mover, const Move &move) {
  if (!keepsRelies(state, mover, move, std::nullopt))
    return;
  ExplicitState after = state;
  after.global = move.global;
  bool someoneWaits = false;
  for (size_t at = 0; at < state.groups().size() && !violation_; ++at) {
    const ThreadGroup &group = state.groups()[at];
    const LocalInfo &info = model_.info(group.local);
    uint32_t others = group.count - (at == mover ? 1 : 0);
    if (info.waitsOn != move.object || others == 0)
      continue;
    someoneWaits = true;
    if (move.effect == Move::Effect::Broadcast)
      continue;
    ExplicitState next = after;
    if (order_ == ExplicitState::Order::Listed) {
      next.move(at, info.woken);
      next.move(mover, move.local);
    } else {
      next.move(at, info.woken);
      next.move(next.indexOf(state.groups()[mover].local), move.local);
    }
    insert(next, current_);
  }
  if (move.effect == Move::Effect::Signal && someoneWaits)
    return;
  // The mover itself is not woken: it leaves its group first, under a name that no one waits by.
  ExplicitState next(order_);
  next.global = move.global;
  for (size_t at = 0; at < state.groups().size(); ++at) {
    const ThreadGroup &group = state.groups()[at];
    const LocalInfo &info = model_.info(group.local);
    bool wakes = move.effect == Move::Effect::Broadcast && info.waitsOn == move.object;
    for (uint32_t i = 0; i < group.count; ++i) {
      bool isMover = at == mover && i == 0;
      next.add(isMover ? move.local : wakes ? info.woken : group.local);
    }
  }
  insert(next, current_);
}

std::vector<int64_t> ExplicitSearch::freshIds(const ExplicitState &state) const {
  std::set<int64_t> alive;
  std::set<int64_t> held = ids_.constants;
  auto note = [&](const std::vector<Variable> &variables, const std::vector<Value> &values) {
    for (size_t i = 0; i < variables.size(); ++i)
      if (ids_.variables.contains(variables[i]))
        addNumbers(values[i], held);
  };
  note(program_.globals, model_.globalValues(state.global));
  for (const ThreadGroup &group : state.groups()) {
    Thread thread = model_.threadOf(group.local);
    note(program_.templates[thread.thread].locals, thread.locals);
    if (thread.id)
      alive.insert(*thread.id);
  }
  return ids_.matters ? representativeIds(held, alive) : std::vector<int64_t>{0};
}

bool ExplicitSearch::keepsRelies(const ExplicitState &state, size_t mover, const Move &move,
                                 std::optional<size_t> joined) {
  ++statistics_.transitions;
  if (move.global == state.global)
    return true;
  for (size_t at = 0; at < state.groups().size(); ++at) {
    const ThreadGroup &group = state.groups()[at];
    uint32_t gone = (at == mover ? 1u : 0u) + (joined == at ? 1u : 0u);
    if (!model_.info(group.local).relies || group.count <= gone)
      continue;
    if (model_.brokenRely(group.local, state.global, move.global)) {
      violation_ = Violation{current_, FailureKind::Rely, state.groups()[mover].local, move.edge};
      return false;
    }
  }
  return true;
}

void ExplicitSearch::insert(const ExplicitState &reached, uint32_t parent) {
  if (names_) {
    named_ = reached;
    names_->makeCanonical(named_);
  }
  const ExplicitState &state = names_ ? named_ : reached;
  if (record_)
    return noteRenaming();
  state.encode(bytes_);
  auto [number, isNew] = store_.insert(bytes_, parent);
  if (!isNew || violation_)
    return;
  if (names_ && parent == StateStore::noParent)
    starts_.emplace(number, reached);
  noteWidth(state);
  if (auto kind = stateFailure(state))
    violation_ = Violation{number, *kind, 0, std::nullopt};
}

void ExplicitSearch::noteRenaming() {
  if (names_ && !names_->renaming().empty())
    record_->renamed.push_back({current_, thread_, edge_, names_->renaming()});
}

std::optional<FailureKind> ExplicitSearch::stateFailure(const ExplicitState &state) const {
  if (model_.violatedInvariant(state.global))
    return FailureKind::Invariant;
  if (!program_.exclusions.empty() && violatesExclusion(state))
    return FailureKind::Exclusion;
  return std::nullopt;
}

bool ExplicitSearch::violatesExclusion(const ExplicitState &state) const {
  for (const Exclusion &exclusion : program_.exclusions) {
    uint32_t first = 0;
    uint32_t second = 0;
    uint32_t both = 0;
    for (const ThreadGroup &group : state.groups()) {
      const LocalInfo &info = model_.info(group.local);
      if (!info.excluded)
        continue;
      auto at = [&](const Place &p) {
        return p.thread == info.thread && p.location == info.location;
      };
      first += at(exclusion.first) ? group.count : 0;
      second += at(exclusion.second) ? group.count : 0;
      both += at(exclusion.first) && at(exclusion.second) ? group.count : 0;
    }
    if (first > 0 && second > 0 && first + second - both >= 2)
      return true;
  }
  return false;
}

bool ExplicitSearch::unfinished(const ExplicitState &state) const {
  return std::any_of(state.groups().begin(), state.groups().end(),
                     [&](const ThreadGroup &g) { return !model_.info(g.local).isFinal; });
}

void ExplicitSearch::noteWidth(const ExplicitState &state) {
  std::fill(alive_.begin(), alive_.end(), 0);
  for (const ThreadGroup &group : state.groups())
    alive_[model_.info(group.local).thread] += group.count;
  for (uint32_t count : alive_)
    width_ = std::max(width_, count);
}

std::optional<std::string> ExplicitSearch::limitReached() const {
  if (store_.size() > options_.maxStates)
    return "more than " + std::to_string(options_.maxStates) + " states";
  if (statistics_.memoryBytes >= options_.maxMemoryBytes)
    return "more than " + std::to_string(options_.maxMemoryBytes >> 20) + " MB of memory";
  return std::nullopt;
}

void ExplicitSearch::report() {
  statistics_.states = store_.size();
  statistics_.memoryBytes = store_.memoryBytes() + model_.memoryBytes();
  statistics_.seconds = budget_.seconds();
  if (statistics_.states >= nextLogged_) {
    nextLogged_ = 2 * statistics_.states;
    logic::log(logic::level::decisions, [&] {
      return logic::plural(statistics_.states, "state") + ", " +
             logic::plural(statistics_.transitions, "transition") + ", depth " +
             std::to_string(statistics_.depth);
    });
  }
  budget_.report("exploring", statistics_);
}

} // namespace understudy::compose::exploration
