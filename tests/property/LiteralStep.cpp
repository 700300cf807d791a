// SPDX-License-Identifier: Apache-2.0
#include "LiteralStep.h"

#include "logic/Error.h"

#include <algorithm>

namespace understudy::tests::literal {

using namespace specs;
using namespace specs::syntax;
using logic::Unsupported;

namespace {

void push(Thread &thread, const std::vector<const Statement *> &statements) {
  thread.rest.insert(thread.rest.end(), statements.rbegin(), statements.rend());
}

bool isLocked(const std::string &mutex, const Moment &moment) {
  return moment.self.held.contains(mutex) ||
         std::any_of(moment.others.begin(), moment.others.end(),
                     [&](const Thread &thread) { return thread.held.contains(mutex); });
}

void wake(Thread &thread) {
  thread.cond.clear();
  thread.mode = thread.mutex.empty() ? Mode::Running : Mode::Woken;
}

} // namespace

std::vector<Moment> Stepper::wrong(const std::string &what) {
  if (failure.empty())
    failure = what;
  return {};
}

const Type &Stepper::typeOf(const Moment &moment, const std::string &name) const {
  for (const Variable &local : model_.templates[moment.self.thread].locals)
    if (local.name == name)
      return local.type;
  for (const Variable &global : model_.globals)
    if (global.name == name)
      return global.type;
  throw Unsupported("name " + name);
}

void Stepper::store(Moment &moment, const std::string &name, int64_t value) {
  const std::vector<Variable> &locals = model_.templates[moment.self.thread].locals;
  for (size_t i = 0; i < locals.size(); ++i)
    if (locals[i].name == name)
      moment.self.locals[i] = value;
  for (size_t i = 0; i < model_.globals.size(); ++i)
    if (model_.globals[i].name == name)
      moment.globals[i] = value;
}

/// Which ways the condition can go: one, or both for `*`.
std::vector<bool> Stepper::outcomes(const ExprPtr &condition, const Moment &moment) const {
  if (!condition)
    return {true, false};
  return {valueOf(model_, *condition, moment) != 0};
}

std::vector<Thread> Stepper::created(size_t thread, std::optional<int64_t> id,
                                     const std::vector<int64_t> &arguments, const Moment &moment) {
  const Template &created = model_.templates[thread];
  Thread fresh;
  fresh.thread = thread;
  fresh.id = id;
  fresh.locals = arguments;
  push(fresh, created.body);
  std::vector<Thread> all = {fresh};
  for (size_t i = created.parameters; i < created.locals.size(); ++i) {
    const Variable &local = created.locals[i];
    std::vector<Thread> next;
    for (const Thread &partial : all) {
      std::vector<int64_t> values;
      if (local.initial)
        values = {valueOf(model_, *local.initial, {moment.globals, {}, partial})};
      else if (local.type.values)
        values = *local.type.values;
      else
        throw Unsupported("an unbounded local without a value");
      for (int64_t value : values) {
        if (!local.type.contains(value)) {
          wrong("initial value out of range");
          continue;
        }
        next.push_back(partial);
        next.back().locals.push_back(value);
      }
    }
    all = std::move(next);
  }
  return all;
}

/// Of the infinitely many fresh ids: those that some variable or constant may hold, and one more.
std::vector<int64_t> Stepper::freshIds(const Moment &moment) const {
  std::set<int64_t> held = {0, 1, 2};
  held.insert(moment.globals.begin(), moment.globals.end());
  std::set<int64_t> alive;
  const auto look = [&](const Thread &thread) {
    held.insert(thread.locals.begin(), thread.locals.end());
    if (thread.id)
      alive.insert(*thread.id);
  };
  look(moment.self);
  for (const Thread &thread : moment.others)
    look(thread);
  std::vector<int64_t> ids;
  for (int64_t id : held)
    if (!alive.contains(id))
      ids.push_back(id);
  int64_t other = 3;
  while (held.contains(other) || alive.contains(other))
    ++other;
  ids.push_back(other);
  return ids;
}

std::vector<Moment> Stepper::rule(Moment m, const SkipStatement &) { return {std::move(m)}; }

std::vector<Moment> Stepper::rule(Moment m, const AssignStatement &assign) {
  if (assign.index)
    throw Unsupported("array");
  const int64_t value = valueOf(model_, *assign.value, m);
  if (!typeOf(m, assign.variable.text).contains(value))
    return wrong("out of range");
  store(m, assign.variable.text, value);
  return {std::move(m)};
}

std::vector<Moment> Stepper::rule(Moment m, const HavocStatement &havoc) {
  const Type &type = typeOf(m, havoc.variable.text);
  if (!type.values)
    throw Unsupported("havoc of an unbounded variable");
  Moments after;
  for (int64_t value : *type.values) {
    after.push_back(m);
    store(after.back(), havoc.variable.text, value);
  }
  return after;
}

std::vector<Moment> Stepper::rule(Moment m, const AssumeStatement &assume) {
  if (valueOf(model_, *assume.condition, m) == 0)
    return {};
  return {std::move(m)};
}

std::vector<Moment> Stepper::rule(Moment m, const AssertStatement &claim) {
  if (valueOf(model_, *claim.condition, m) == 0)
    return wrong("assertion");
  return {std::move(m)};
}

std::vector<Moment> Stepper::rule(Moment m, const IfStatement &branch) {
  Moments after;
  for (bool yes : outcomes(branch.condition, m)) {
    after.push_back(m);
    if (yes)
      push(after.back().self, statementsOf(*branch.yes));
    else if (branch.no)
      push(after.back().self, statementsOf(*branch.no));
  }
  return after;
}

std::vector<Moment> Stepper::rule(Moment m, const WhileStatement &loop) {
  const Statement *again = current_;
  Moments after;
  for (bool yes : outcomes(loop.condition, m)) {
    after.push_back(m);
    if (yes) {
      after.back().self.rest.push_back(again);
      push(after.back().self, statementsOf(*loop.body));
    }
  }
  return after;
}

std::vector<Moment> Stepper::rule(Moment m, const ReturnStatement &) {
  if (inAtomic_)
    throw Unsupported("return in an atomic section");
  m.self.rest.clear();
  return {std::move(m)};
}

std::vector<Moment> Stepper::rule(Moment m, const ForkStatement &fork) {
  const size_t thread = model_.templateNamed(fork.thread.text).value();
  std::vector<int64_t> arguments;
  for (size_t i = 0; i < fork.arguments.size(); ++i) {
    arguments.push_back(valueOf(model_, *fork.arguments[i], m));
    if (!model_.templates[thread].locals[i].type.contains(arguments.back()))
      return wrong("argument out of range");
  }
  if (fork.result && typeOf(m, fork.result->text).values)
    throw Unsupported("an id stored in a bounded variable");
  Moments after;
  for (int64_t id : fork.id ? std::vector<int64_t>{valueOf(model_, *fork.id, m)} : freshIds(m))
    for (const Thread &child : created(thread, id, arguments, m)) {
      after.push_back(m);
      after.back().others.push_back(child);
      if (fork.result)
        store(after.back(), fork.result->text, id);
    }
  return after;
}

std::vector<Moment> Stepper::rule(Moment m, const JoinStatement &join) {
  std::optional<size_t> thread;
  if (join.thread)
    thread = model_.templateNamed(join.thread->text);
  else if (join.id->kind == ExprKind::Name)
    thread = model_.templateNamed(join.id->text);
  const std::optional<int64_t> id =
      thread ? std::nullopt : std::optional(valueOf(model_, *join.id, m));
  Moments after;
  for (size_t i = 0; i < m.others.size(); ++i) {
    const Thread &other = m.others[i];
    if (!other.ended() || (thread ? other.thread != *thread : other.id != id))
      continue;
    after.push_back(m);
    after.back().others.erase(after.back().others.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return after;
}

std::vector<Moment> Stepper::rule(Moment m, const LockStatement &lock) {
  if (m.self.held.contains(lock.mutex.text))
    return wrong("relock");
  if (isLocked(lock.mutex.text, m))
    return {};
  m.self.held.insert(lock.mutex.text);
  return {std::move(m)};
}

std::vector<Moment> Stepper::rule(Moment m, const UnlockStatement &unlock) {
  if (m.self.held.erase(unlock.mutex.text) == 0)
    return wrong("not held");
  return {std::move(m)};
}

std::vector<Moment> Stepper::rule(Moment m, const WaitStatement &wait) {
  if (inAtomic_)
    throw Unsupported("wait in an atomic section");
  if (wait.mutex && m.self.held.erase(wait.mutex->text) == 0)
    return wrong("not held");
  m.self.mode = Mode::Waiting;
  m.self.cond = wait.cond.text;
  m.self.mutex = wait.mutex ? wait.mutex->text : "";
  return {std::move(m)};
}

std::vector<Moment> Stepper::rule(Moment m, const SignalStatement &signal) {
  Moments after;
  for (size_t i = 0; i < m.others.size(); ++i)
    if (m.others[i].mode == Mode::Waiting && m.others[i].cond == signal.cond.text) {
      after.push_back(m);
      wake(after.back().others[i]);
    }
  if (after.empty())
    after.push_back(std::move(m));
  return after;
}

std::vector<Moment> Stepper::rule(Moment m, const BroadcastStatement &broadcast) {
  for (Thread &thread : m.others)
    if (thread.mode == Mode::Waiting && thread.cond == broadcast.cond.text)
      wake(thread);
  return {std::move(m)};
}

template <typename Other>
std::vector<Moment> Stepper::rule(Moment, const Other &) {
  throw Unsupported("statement");
}

/// The whole section; an execution that blocks inside vanishes, so a section whose first statement
/// blocks does not start.
std::vector<Moment> Stepper::atomically(const Moment &moment, const AtomicStatement &section) {
  Moment entered = moment;
  entered.self.rest.clear();
  push(entered.self, statementsOf(*section.body));
  inAtomic_ = true;
  Moments open = {entered}, after;
  while (!open.empty()) {
    const Moment next = std::move(open.back());
    open.pop_back();
    if (next.self.rest.empty()) {
      after.push_back(next);
      after.back().self.rest = moment.self.rest;
      continue;
    }
    for (Moment &done : perform(next))
      open.push_back(std::move(done));
  }
  inAtomic_ = false;
  return after;
}

std::vector<Moment> Stepper::perform(Moment moment) {
  current_ = moment.self.rest.back();
  moment.self.rest.pop_back();
  if (const auto *section = std::get_if<AtomicStatement>(&current_->node))
    return atomically(moment, *section);
  return std::visit([&](const auto &statement) { return rule(std::move(moment), statement); },
                    current_->node);
}

/// The second half of a wait.
std::vector<Moment> Stepper::resume(Moment moment) {
  if (moment.self.mode == Mode::Waiting) {
    if (spurious_ == SpuriousWakeups::Off)
      return {};
    wake(moment.self);
    return {std::move(moment)};
  }
  if (isLocked(moment.self.mutex, moment))
    return {};
  moment.self.held.insert(moment.self.mutex);
  moment.self.mutex.clear();
  moment.self.mode = Mode::Running;
  return {std::move(moment)};
}

std::vector<Moment> Stepper::steps(const Moment &before) {
  if (before.self.ended())
    return {};
  Moments after = before.self.mode == Mode::Running ? perform(before) : resume(before);
  for (const Moment &moment : after)
    if (moment.self.ended() && !moment.self.held.empty())
      wrong("still held");
  return after;
}

} // namespace understudy::tests::literal
