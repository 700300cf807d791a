// SPDX-License-Identifier: Apache-2.0
//
// Every state of a contract holds a fixed set of mutexes, given by the actions on the edges: found
// by following the edges from the initial states, which hold none.
#include "specs/contract/ContractThread.h"

#include <algorithm>
#include <deque>

namespace understudy::specs::contract {

namespace {

class LockChecker {
public:
  LockChecker(ContractContext &context, CheckedThread &thread)
      : context_(context), thread_(thread), reachedBy_(thread.states.size(), nullptr) {}

  void run() {
    for (size_t i = 0; i < thread_.states.size(); ++i)
      if (thread_.states[i].tree->initial) {
        thread_.states[i].held = MutexSet{};
        work_.push_back(i);
      }
    while (!work_.empty()) {
      CheckedState &state = thread_.states[work_.front()];
      work_.pop_front();
      for (const CheckedEdge &edge : state.edges)
        follow(state, edge);
    }
    for (const CheckedState &state : thread_.states)
      checkEnd(state);
  }

private:
  ContractContext &context_;
  CheckedThread &thread_;
  std::vector<const syntax::EdgeDecl *> reachedBy_;
  std::deque<size_t> work_;

  syntax::Reporter &reporter() { return context_.unit.reporter; }

  std::string mutexName(uint32_t mutex) const { return context_.unit.program.mutexes[mutex].name; }

  void follow(const CheckedState &state, const CheckedEdge &edge) {
    MutexSet after = *state.held;
    perform(state, edge, after);
    checkGuards(state, edge);
    if (!edge.target)
      return;
    CheckedState &target = thread_.states[*edge.target];
    if (!target.held) {
      target.held = after;
      reachedBy_[*edge.target] = edge.tree;
      work_.push_back(*edge.target);
    } else if (*target.held != after) {
      reportConflict(edge, *edge.target, after);
    }
  }

  void perform(const CheckedState &state, const CheckedEdge &edge, MutexSet &held) {
    if (!edge.action)
      return;
    const SourceRange &range = edge.tree->action->range;
    syntax::ActionKind kind = edge.action->kind;
    const check::Symbol *mutex =
        kind == syntax::ActionKind::Wait ? edge.action->mutex : edge.action->target;
    bool onMutex = kind == syntax::ActionKind::Lock || kind == syntax::ActionKind::Unlock ||
                   kind == syntax::ActionKind::Wait;
    if (!onMutex || !mutex)
      return;
    std::string where = " in state '" + state.tree->name.text + "'";
    if (kind == syntax::ActionKind::Lock && !held.insert(mutex->index).second)
      reporter().error(range, "'" + mutex->name + "' is already held" + where,
                       "mutexes are not recursive");
    if (kind == syntax::ActionKind::Unlock && held.erase(mutex->index) == 0)
      reporter().error(range, "'" + mutex->name + "' is not held" + where,
                       "only the thread that holds a mutex may unlock it");
    if (kind == syntax::ActionKind::Wait && !held.contains(mutex->index))
      reporter().error(range, "'" + mutex->name + "' is not held" + where,
                       "lock it before the wait");
  }

  void checkGuards(const CheckedState &state, const CheckedEdge &edge) {
    for (logic::Variable v : changedBy(edge)) {
      auto info = context_.shared.find(v);
      if (info == context_.shared.end())
        continue;
      checkMutex(state, edge, v, info->second);
      checkOwner(edge, v, info->second);
    }
  }

  void checkMutex(const CheckedState &state, const CheckedEdge &edge, logic::Variable v,
                  const SharedInfo &info) {
    // What a thread writes under a lock is seen in its code; an environment has none.
    bool written = info.is(syntax::DisciplineKind::WrittenUnder);
    if (!info.mutex || (written && thread_.tree->kind != syntax::ThreadKind::Environment))
      return;
    uint32_t mutex = *info.mutex;
    bool locks = edge.action && edge.action->kind == syntax::ActionKind::Lock &&
                 edge.action->target && edge.action->target->index == mutex;
    if (!locks && !state.held->contains(mutex))
      reporter().error(edge.tree->condition->range,
                       "this edge changes '" + v.name() + "', which is " +
                           (written ? "written under '" : "guarded by '") + mutexName(mutex) +
                           "', but state '" + state.tree->name.text + "' does not hold it",
                       "lock '" + mutexName(mutex) + "' first");
  }

  void checkOwner(const CheckedEdge &edge, logic::Variable v, const SharedInfo &info) {
    if (!info.owner || context_.threads[*info.owner].tree == thread_.tree)
      return;
    reporter().error(edge.tree->condition->range,
                     "this edge changes '" + v.name() + "', which is owned by '" +
                         info.tree->discipline->by.text + "'",
                     "only edges of its owner change it");
  }

  void reportConflict(const CheckedEdge &edge, size_t target, const MutexSet &after) {
    const CheckedState &state = thread_.states[target];
    MutexSet differ;
    std::set_symmetric_difference(after.begin(), after.end(), state.held->begin(),
                                  state.held->end(), std::inserter(differ, differ.end()));
    uint32_t mutex = *differ.begin();
    bool holds = after.contains(mutex);
    const syntax::EdgeDecl *other = reachedBy_[target];
    std::string elsewhere = other ? "by the edge on line " + std::to_string(other->range.begin.line)
                                  : "as an initial state";
    reporter().error(edge.tree->range,
                     "state '" + state.tree->name.text + "' is reached " +
                         (holds ? "with '" : "without '") + mutexName(mutex) + "' here, but " +
                         (holds ? "without" : "with") + " it " + elsewhere,
                     "every state holds a fixed set of mutexes; use two states");
  }

  void checkEnd(const CheckedState &state) {
    if (!state.tree->final || !state.held)
      return;
    for (uint32_t mutex : *state.held)
      reporter().error(state.tree->name.range,
                       "the thread may end in state '" + state.tree->name.text +
                           "' while holding '" + mutexName(mutex) + "'",
                       "unlock it before that");
  }
};

} // namespace

std::set<logic::Variable> changedBy(const CheckedEdge &edge) {
  std::set<logic::Variable> changed = edge.havocs;
  for (const logic::Term &conjunct : edge.conjuncts)
    changed.merge(check::primedIn(conjunct));
  return changed;
}

void checkLocks(ContractContext &context, CheckedThread &thread) {
  LockChecker(context, thread).run();
}

logic::Variable heldPlaceholder(logic::TermPool &pool, const std::string &thread,
                                const std::string &mutex) {
  return pool.variable(thread, compose::heldName(mutex), pool.boolSort());
}

} // namespace understudy::specs::contract
