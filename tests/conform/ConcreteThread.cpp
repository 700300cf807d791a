// SPDX-License-Identifier: Apache-2.0
#include "ConcreteThread.h"

#include <algorithm>
#include <cassert>
#include <set>

namespace understudy::tests {
namespace {

constexpr size_t mostLocals = 4000;

int &at(std::vector<int> &values, int local) { return values[static_cast<size_t>(local)]; }

/// Truth values that an expression can have.
std::vector<bool> outcomes(const Expr &expr, const std::vector<int> &values) {
  if (expr.op == Expr::Op::Nondet)
    return {false, true};
  return {evaluate(expr, values, 0) != 0};
}

/// Values that an expression can have.
std::vector<int> resultsOf(const Expr &expr, const std::vector<int> &values) {
  if (expr.op == Expr::Op::Nondet)
    return {0, 1};
  return {evaluate(expr, values, 0)};
}

} // namespace

ConcreteThread::ConcreteThread(const SharedSpace &space, const ThreadCode &code,
                               Elsewhere elsewhere, NeverWritten neverWritten, World world,
                               Reading reading)
    : space_(space), elsewhere_(elsewhere), neverWritten_(std::move(neverWritten)), world_(world),
      reading_(reading), instructions_(lowered(code, space.variables())) {
  initial_ = settled(0, std::vector<int>(instructions_.locals, 0), {});
}

bool ConcreteThread::possible(GlobalId g) const {
  return std::all_of(neverWritten_.variables.begin(), neverWritten_.variables.end(), [&](int v) {
    return space_.value(g, v) == space_.value(neverWritten_.at, v);
  });
}

LocalId ConcreteThread::idOf(Local local) {
  const auto [found, isNew] = ids_.emplace(std::move(local), static_cast<LocalId>(locals_.size()));
  if (isNew) {
    if (locals_.size() >= mostLocals)
      throw TooLarge();
    locals_.push_back(&found->first);
  }
  return found->second;
}

/// Where local moves from here end: one result for each way they can go.
std::vector<LocalId> ConcreteThread::settled(size_t place, std::vector<int> values,
                                             const std::set<int> &held) {
  std::set<LocalId> results;
  std::set<std::pair<size_t, std::vector<int>>> seen;
  std::vector<std::pair<size_t, std::vector<int>>> todo;
  const auto go = [&](size_t to, std::vector<int> with) {
    if (seen.emplace(to, with).second)
      todo.emplace_back(to, std::move(with));
  };
  go(place, std::move(values));
  while (!todo.empty()) {
    auto [here, now] = todo.back();
    todo.pop_back();
    const Instruction &due = instructions_.list[here];
    switch (due.kind) {
    case Instruction::Kind::Assign:
      for (int value : resultsOf(due.expr, now)) {
        at(now, due.local) = value;
        go(due.next, now);
      }
      break;
    case Instruction::Kind::Any:
      for (int value = due.lower; value <= due.upper; ++value) {
        at(now, due.local) = value;
        go(due.next, now);
      }
      break;
    case Instruction::Kind::Branch:
      for (bool taken : outcomes(due.expr, now))
        go(taken ? due.next : due.otherwise, now);
      break;
    case Instruction::Kind::Assume:
      for (bool holds : outcomes(due.expr, now))
        if (holds)
          go(due.next, now);
      break;
    case Instruction::Kind::Assert:
      for (bool holds : outcomes(due.expr, now))
        if (holds)
          go(due.next, now);
        else
          results.insert(idOf({Phase::Failed, 0, {}, held}));
      break;
    case Instruction::Kind::Return:
      results.insert(idOf({Phase::Returned, 0, {}, held}));
      break;
    case Instruction::Kind::Elsewhere:
      if (elsewhere_ == Elsewhere::Local)
        go(due.next, now);
      else
        results.insert(idOf({Phase::Running, here, std::move(now), held}));
      break;
    case Instruction::Kind::Lock:
      results.insert(idOf({Phase::Running, here, now, held}));
      if (due.weak && reading_ != Reading::TryNeverFails) { // it fails, whoever has the lock
        at(now, due.local) = 1;
        go(due.next, now);
      }
      break;
    case Instruction::Kind::Load:
      if (!neverWritten_.variables.contains(due.variable)) {
        results.insert(idOf({Phase::Running, here, std::move(now), held}));
        break;
      }
      for (int value : space_.readable(neverWritten_.at, due.variable)) {
        at(now, due.local) = value;
        go(due.next, now);
      }
      break;
    default:
      results.insert(idOf({Phase::Running, here, std::move(now), held}));
    }
  }
  if (results.empty())
    results.insert(idOf({Phase::Stuck, 0, {}, held}));
  return {results.begin(), results.end()};
}

bool ConcreteThread::store(Moves &moves, Inside &inside, int variable, int value) const {
  const int guard = space_.variables()[static_cast<size_t>(variable)].guardedBy;
  if (guard >= 0 && !inside.held.contains(guard) && world_ == World::Conformance) {
    moves.violates = true;
    return false;
  }
  const auto after = space_.stored(inside.g, variable, value);
  if (!after) {
    moves.violates = true;
    return false;
  }
  inside.g = *after;
  return true;
}

std::vector<ConcreteThread::Inside> ConcreteThread::compareExchange(Moves &moves,
                                                                    const Inside &from) const {
  const Instruction &due = instructions_.list[from.place];
  const SharedVariable &variable = space_.variables()[static_cast<size_t>(due.variable)];
  const int found = space_.value(from.g, due.variable);
  const int expected = from.values[static_cast<size_t>(due.other)];
  bool equal = found == expected;
  bool differs = !equal;
  if (variable.type == ContractType::Bool) {
    assert(!due.updates);
    // What is found in a true variable is any number but zero, in a _Bool one.
    const bool one = variable.cType == CType::Bool;
    equal = found == 0 ? expected == 0 : expected != 0;
    differs = found == 0 || one ? !equal : true;
  }
  std::vector<Inside> results;
  if (differs || due.weak) {
    Inside failed = from;
    failed.place = due.next;
    if (due.updates)
      at(failed.values, due.other) = found;
    at(failed.values, due.local) = 0;
    results.push_back(failed);
  }
  if (equal) {
    Inside done = from;
    done.place = due.next;
    if (store(moves, done, due.variable, evaluate(due.expr, from.values, 0))) {
      at(done.values, due.local) = 1;
      results.push_back(done);
    }
  }
  return results;
}

/// One access to shared memory.
std::vector<ConcreteThread::Inside> ConcreteThread::access(Moves &moves, const Inside &from) const {
  const Instruction &due = instructions_.list[from.place];
  if (due.kind == Instruction::Kind::CompareExchange)
    return compareExchange(moves, from);
  std::vector<Inside> results;
  Inside next = from;
  next.place = due.next;
  const int found = space_.value(from.g, due.variable);
  switch (due.kind) {
  case Instruction::Kind::Load:
    for (int value : space_.readable(from.g, due.variable)) {
      at(next.values, due.local) = value;
      results.push_back(next);
    }
    return results;
  case Instruction::Kind::Store:
    for (int value : resultsOf(due.expr, from.values)) {
      Inside stored = next;
      if (store(moves, stored, due.variable, value))
        results.push_back(stored);
    }
    return results;
  case Instruction::Kind::Add:
    if (!store(moves, next, due.variable, found + due.amount))
      return {};
    if (due.local >= 0)
      at(next.values, due.local) = due.after ? found + due.amount : found;
    return {next};
  case Instruction::Kind::Exchange:
    for (int value : resultsOf(due.expr, from.values)) {
      Inside stored = next;
      if (!store(moves, stored, due.variable, value))
        continue;
      if (due.local >= 0)
        at(stored.values, due.local) = found;
      results.push_back(stored);
    }
    return results;
  default:
    assert(false && "no access");
    return {};
  }
}

void ConcreteThread::arrive(Moves &moves, const Inside &inside, std::optional<std::string> marker,
                            std::optional<LockAction> action) {
  for (LocalId next : settled(inside.place, inside.values, inside.held))
    moves.steps.push_back({inside.g, next, marker, action});
}

/// While another thread holds the mutex, nothing happens here.
void ConcreteThread::lock(Moves &moves, Inside inside) {
  const Instruction &due = instructions_.list[inside.place];
  moves.violates = inside.held.contains(due.variable);
  if (moves.violates || space_.value(inside.g, due.variable) != 0)
    return;
  inside.g = *space_.stored(inside.g, due.variable, 1);
  inside.held.insert(due.variable);
  inside.place = due.next;
  if (due.weak)
    at(inside.values, due.local) = 0;
  arrive(moves, inside, std::nullopt, LockAction{LockAction::Kind::Lock, due.variable});
}

void ConcreteThread::unlock(Moves &moves, Inside inside) {
  const Instruction &due = instructions_.list[inside.place];
  moves.violates = inside.held.erase(due.variable) == 0;
  if (moves.violates)
    return;
  inside.g = *space_.stored(inside.g, due.variable, 0);
  inside.place = due.next;
  arrive(moves, inside, std::nullopt, LockAction{LockAction::Kind::Unlock, due.variable});
}

bool ConcreteThread::othersMay(LocalId l, GlobalId h, GlobalId g) const {
  const std::set<int> &held = local(l).held;
  for (size_t i = 0; i < space_.variables().size(); ++i) {
    const int guard = space_.variables()[i].guardedBy;
    const bool kept = held.contains(static_cast<int>(i)) || held.contains(guard) ||
                      (guard >= 0 && reading_ == Reading::FrozenForEver);
    if (kept && space_.values(h)[i] != space_.values(g)[i])
      return false;
  }
  return true;
}

/// An atomic section: all ways through it. An assumption that fails inside blocks the section from
/// the start, an assertion that fails is a violation.
void ConcreteThread::section(Moves &moves, Inside begin) {
  std::set<Inside> seen;
  std::vector<Inside> todo{std::move(begin)};
  while (!todo.empty()) {
    Inside now = todo.back();
    todo.pop_back();
    if (!seen.insert(now).second)
      continue;
    const Instruction &due = instructions_.list[now.place];
    const auto go = [&](size_t place, const std::vector<int> &values) {
      todo.push_back({now.g, place, values, now.held});
    };
    switch (due.kind) {
    case Instruction::Kind::End:
      now.place = due.next;
      arrive(moves, now, std::nullopt);
      break;
    case Instruction::Kind::Assign:
    case Instruction::Kind::Any: {
      std::vector<int> values = due.kind == Instruction::Kind::Assign
                                    ? resultsOf(due.expr, now.values)
                                    : valuesOf(ContractType::Range, due.lower, due.upper);
      for (int value : values) {
        at(now.values, due.local) = value;
        go(due.next, now.values);
      }
      break;
    }
    case Instruction::Kind::Elsewhere:
      go(due.next, now.values);
      break;
    case Instruction::Kind::Branch:
      for (bool taken : outcomes(due.expr, now.values))
        go(taken ? due.next : due.otherwise, now.values);
      break;
    case Instruction::Kind::Assume:
    case Instruction::Kind::Assert:
      for (bool holds : outcomes(due.expr, now.values))
        if (holds)
          go(due.next, now.values);
        else if (due.kind == Instruction::Kind::Assert)
          moves.violates = true;
      break;
    default:
      for (Inside &next : access(moves, now))
        if (possible(next.g))
          todo.push_back(std::move(next));
        else
          moves.violates = true;
    }
  }
}

ConcreteThread::Moves ConcreteThread::compute(GlobalId g, const Local &from) {
  Moves moves;
  if (from.phase != Phase::Running)
    return moves;
  const Instruction &due = instructions_.list[from.place];
  const Inside start{g, from.place, from.values, from.held};
  if (due.kind == Instruction::Kind::Begin)
    section(moves, {g, due.next, from.values, from.held});
  else if (due.kind == Instruction::Kind::Marker)
    arrive(moves, {g, due.next, from.values, from.held}, due.name);
  else if (due.kind == Instruction::Kind::Elsewhere)
    arrive(moves, {g, due.next, from.values, from.held}, std::nullopt);
  else if (due.kind == Instruction::Kind::Lock)
    lock(moves, start);
  else if (due.kind == Instruction::Kind::Unlock)
    unlock(moves, start);
  else
    for (const Inside &next : access(moves, start))
      arrive(moves, next, std::nullopt);
  std::sort(moves.steps.begin(), moves.steps.end());
  moves.steps.erase(std::unique(moves.steps.begin(), moves.steps.end()), moves.steps.end());
  return moves;
}

const ConcreteThread::Moves &ConcreteThread::moves(GlobalId g, LocalId l) {
  const auto found = moves_.find({g, l});
  if (found != moves_.end())
    return found->second;
  Moves computed = compute(g, local(l));
  return moves_.emplace(std::pair{g, l}, std::move(computed)).first->second;
}

bool ConcreteThread::wrong(GlobalId g, LocalId l) {
  const bool keepsLock = world_ == World::Code && returned(l) && !local(l).held.empty();
  return local(l).phase == Phase::Failed || keepsLock || moves(g, l).violates;
}

} // namespace understudy::tests
