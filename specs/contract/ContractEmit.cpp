// SPDX-License-Identifier: Apache-2.0
//
// From a checked thread of a contract to its template.
#include "logic/Simplify.h"
#include "logic/Substitute.h"
#include "specs/contract/ContractEdges.h"
#include "specs/contract/ContractThread.h"

#include <algorithm>

namespace understudy::specs::contract {

using compose::Claim;
using compose::FailureKind;
using compose::LocationId;
using logic::Term;
using logic::Variable;

namespace {

class Emitter {
public:
  Emitter(ContractContext &context, const CheckedThread &thread)
      : context_(context), thread_(thread) {}

  compose::Template run() {
    result_.name = thread_.tree->name.text;
    result_.range = thread_.tree->range;
    result_.locals = thread_.locals;
    result_.initial = pool().conjunction(thread_.initial);
    for (const CheckedState &state : thread_.states)
      addState(state);
    for (size_t i = 0; i < thread_.states.size(); ++i)
      addEdges(static_cast<LocationId>(i), thread_.states[i]);
    if (thread_.tree->kind == syntax::ThreadKind::Handler)
      addCalls();
    return std::move(result_);
  }

private:
  ContractContext &context_;
  const CheckedThread &thread_;
  compose::Template result_;
  std::optional<LocationId> error_;

  logic::TermPool &pool() { return context_.unit.pool(); }

  void addState(const CheckedState &state) {
    compose::Location location;
    location.name = state.tree->name.text;
    location.range = state.tree->name.range;
    if (state.tree->final)
      location.kind = compose::LocationKind::Final;
    location.relies = thread_.relies;
    location.relies.insert(location.relies.end(), state.relies.begin(), state.relies.end());
    if (state.tree->initial)
      result_.initials.push_back(static_cast<LocationId>(result_.locations.size()));
    result_.locations.push_back(std::move(location));
  }

  LocationId addHidden(const CheckedEdge &edge, LocationId source, const std::string &what) {
    compose::Location location;
    location.name = result_.locations[source].name + " (" + what + ")";
    location.hidden = true;
    location.relies = thread_.relies;
    location.range = edge.tree->range;
    result_.locations.push_back(std::move(location));
    return static_cast<LocationId>(result_.locations.size() - 1);
  }

  LocationId errorLocation() {
    if (!error_) {
      compose::Location location;
      location.name = "error";
      location.kind = compose::LocationKind::Error;
      location.range = thread_.tree->name.range;
      result_.locations.push_back(std::move(location));
      error_ = static_cast<LocationId>(result_.locations.size() - 1);
    }
    return *error_;
  }

  /// What held(m) means where exactly these mutexes are held.
  Term inState(Term term, const MutexSet &held) {
    const auto &mutexes = context_.unit.program.mutexes;
    Term replaced = logic::substitute(term, [&](Variable variable, bool) {
      if (variable.scope() != result_.name)
        return Term{};
      for (uint32_t i = 0; i < mutexes.size(); ++i)
        if (variable == heldPlaceholder(pool(), result_.name, mutexes[i].name))
          return pool().boolean(held.contains(i));
      return Term{};
    });
    return replaced == term ? term : logic::simplify(replaced);
  }

  void addFailure(LocationId source, Term relation, FailureKind kind, const std::string &text,
                  const SourceRange &range) {
    if (relation.isFalse())
      return;
    compose::Edge edge;
    edge.source = source;
    edge.target = errorLocation();
    edge.relation = relation;
    edge.modified = check::asModified(check::primedIn(relation));
    edge.failure = kind;
    edge.text = text;
    edge.range = range;
    result_.edges.push_back(std::move(edge));
  }

  /// Those of the thread; `state` is the one they are asked for.
  void addThreadAsserts(LocationId source, size_t state, const MutexSet &held) {
    for (const ThreadAssert &assertion : thread_.asserts)
      if (!assertion.except.contains(state))
        addAsserts(source, {assertion.claim}, held);
  }

  void addAsserts(LocationId source, const std::vector<Claim> &claims, const MutexSet &held) {
    for (const Claim &claim : claims)
      addFailure(source, check::complement(inState(claim.formula, held)), FailureKind::Assertion,
                 claim.text, claim.range);
  }

  void addEdges(LocationId source, const CheckedState &state) {
    MutexSet held = state.held.value_or(MutexSet{});
    bool finished = state.tree->final && state.edges.empty();
    if (!finished)
      addThreadAsserts(source, source, held);
    addAsserts(source, state.asserts, held);
    for (const CheckedEdge &edge : state.edges)
      if (edge.target)
        addEdge(source, edge, held);
  }

  void addEdge(LocationId source, const CheckedEdge &edge, const MutexSet &held) {
    std::vector<Term> conjuncts;
    for (const Term &t : edge.conjuncts)
      conjuncts.push_back(inState(t, held));
    EdgeRelation relation =
        relate(pool(), conjuncts, edge.havocs, [this](Variable v) { return context_.isGhost(v); });
    compose::Edge result;
    result.source = source;
    result.target = static_cast<LocationId>(*edge.target);
    result.text = syntax::sourceText(edge.tree->range);
    result.range = edge.tree->range;
    std::vector<Term> parts{relation.relation};
    Term idDefined = pool().boolean(true);
    if (edge.action)
      perform(*edge.action, edge, held, result, parts, relation.modified, idDefined);
    parts.push_back(idDefined);
    bool waits = edge.action && edge.action->kind == syntax::ActionKind::Wait;
    Term enabled = check::allOf(
        pool(), {enabledBy(edge.action),
                 enter(source, waits ? std::nullopt : edge.target, parts, relation.modified)});
    result.relation = check::allOf(pool(), std::move(parts));
    result.modified = check::asModified(relation.modified);
    for (auto [wrong, kind] : {std::pair(relation.undefined, FailureKind::OutOfBounds),
                               std::pair(relation.ghostOutOfRange, FailureKind::OutOfRange)})
      addBlocked(result, check::allOf(pool(), {enabled, idDefined, wrong}), kind);
    addUndefinedId(result, relation, idDefined, enabled);
    if (!result.relation.isFalse())
      result_.edges.push_back(std::move(result));
  }

  /// The id is evaluated only where the condition lets the step happen, or goes wrong itself.
  void addUndefinedId(const compose::Edge &step, const EdgeRelation &condition, Term idDefined,
                      Term enabled) {
    Term undefined = check::complement(idDefined);
    for (const Term &reached : {condition.relation, condition.undefined, condition.ghostOutOfRange})
      addFailure(step.source, check::allOf(pool(), {enabled, undefined, reached}),
                 FailureKind::OutOfBounds, step.text, step.range);
  }

  /// The move between the sections of the two states; no state: one outside of all. Returns what it
  /// waits for, which is among the parts as well.
  Term enter(std::optional<size_t> from, std::optional<size_t> to, std::vector<Term> &parts,
             std::set<Variable> &modified) {
    auto inside = [&](std::optional<size_t> state) {
      return state && *state < thread_.states.size() ? thread_.states[*state].inside : std::nullopt;
    };
    SectionMove move = sectionMove(context_, inside(from), inside(to), modified);
    parts.push_back(move.enabled);
    parts.insert(parts.end(), move.effect.begin(), move.effect.end());
    modified.insert(move.modified.begin(), move.modified.end());
    return move.enabled;
  }

  /// What the action waits for, as far as it is data: nothing goes wrong before that.
  Term enabledBy(const std::optional<CheckedAction> &action) {
    bool locks = action && action->kind == syntax::ActionKind::Lock;
    return locks ? pool().negate(pool().var(action->target->variable)) : pool().boolean(true);
  }

  /// The step goes wrong, but only where it could be taken: a join still waits.
  void addBlocked(const compose::Edge &step, Term relation, FailureKind kind) {
    size_t known = result_.edges.size();
    addFailure(step.source, relation, kind, step.text, step.range);
    if (result_.edges.size() > known && std::holds_alternative<compose::Join>(step.action))
      result_.edges.back().action = step.action;
  }

  compose::TemplateId templateOf(const check::Symbol &thread) const {
    return context_.threads[thread.index].id;
  }

  void lock(const check::Symbol &mutex, std::vector<Term> &parts, std::set<Variable> &modified) {
    parts.push_back(pool().negate(pool().var(mutex.variable)));
    parts.push_back(pool().primed(mutex.variable));
    modified.insert(mutex.variable);
  }

  void unlock(const check::Symbol &mutex, std::vector<Term> &parts, std::set<Variable> &modified) {
    parts.push_back(pool().negate(pool().primed(mutex.variable)));
    modified.insert(mutex.variable);
  }

  void perform(const CheckedAction &action, const CheckedEdge &edge, const MutexSet &held,
               compose::Edge &result, std::vector<Term> &parts, std::set<Variable> &modified,
               Term &idDefined) {
    std::optional<Term> id;
    if (action.id) {
      id = inState(action.id, held);
      idDefined = logic::definedness(*id);
    }
    switch (action.kind) {
    case syntax::ActionKind::Fork:
      result.action = compose::Fork{templateOf(*action.target), id, {}, std::nullopt};
      return;
    case syntax::ActionKind::Join:
      result.action = compose::Join{
          action.target ? std::optional(templateOf(*action.target)) : std::nullopt, id};
      return;
    case syntax::ActionKind::Lock:
      result.action = compose::LockMutex{action.target->index};
      lock(*action.target, parts, modified);
      return;
    case syntax::ActionKind::Unlock:
      result.action = compose::UnlockMutex{action.target->index};
      unlock(*action.target, parts, modified);
      return;
    case syntax::ActionKind::Wait:
      unlock(*action.mutex, parts, modified);
      result.action = compose::WaitCond{action.target->index, action.mutex->index};
      result.target = addWaiting(action, edge, result, held);
      return;
    case syntax::ActionKind::Signal:
      result.action = compose::SignalCond{action.target->index};
      return;
    case syntax::ActionKind::Broadcast:
      result.action = compose::BroadcastCond{action.target->index};
      return;
    case syntax::ActionKind::Call:
      result.action = compose::CallFunction{action.function};
      return;
    }
  }

  /// The hidden states between the two steps of a wait: asleep, and woken but without the mutex.
  LocationId addWaiting(const CheckedAction &action, const CheckedEdge &edge,
                        const compose::Edge &first, MutexSet held) {
    LocationId waiting = addHidden(edge, first.source, "waiting on " + action.target->name);
    LocationId woken = addHidden(edge, first.source, "woken by " + action.target->name);
    result_.locations[waiting].waiting = compose::Waiting{action.target->index, woken};
    held.erase(action.mutex->index);
    addThreadAsserts(waiting, first.source, held);
    addThreadAsserts(woken, first.source, held);
    auto again = [&](LocationId source, const char *how) {
      compose::Edge second;
      second.source = source;
      second.target = static_cast<LocationId>(*edge.target);
      std::vector<Term> parts;
      std::set<Variable> modified;
      lock(*action.mutex, parts, modified);
      enter(std::nullopt, edge.target, parts, modified);
      second.relation = pool().conjunction(std::move(parts));
      second.modified = check::asModified(modified);
      second.action = compose::LockMutex{action.mutex->index};
      second.text = first.text + how;
      second.range = first.range;
      result_.edges.push_back(std::move(second));
    };
    again(woken, " (locks again)");
    if (context_.options.spurious == SpuriousWakeups::On)
      again(waiting, " (wakes up spuriously)");
    return waiting;
  }

  /// A handler that ended is called again, with new locals.
  void addCalls() {
    std::vector<Term> fresh;
    std::set<Variable> modified(thread_.locals.begin(), thread_.locals.end());
    for (Variable v : thread_.locals)
      fresh.push_back(check::anyValue(pool(), v));
    for (const Term &t : thread_.initial)
      fresh.push_back(logic::prime(t));
    Term relation = pool().conjunction(std::move(fresh));
    for (size_t i = 0; i < thread_.states.size(); ++i)
      for (LocationId initial : result_.initials) {
        if (!thread_.states[i].tree->final || initial == i)
          continue;
        compose::Edge edge;
        edge.source = static_cast<LocationId>(i);
        edge.target = initial;
        edge.relation = relation;
        edge.modified = check::asModified(modified);
        edge.text = "called again";
        edge.range = thread_.states[i].tree->name.range;
        result_.edges.push_back(std::move(edge));
      }
  }
};

} // namespace

compose::Template emitThread(ContractContext &context, const CheckedThread &thread) {
  return Emitter(context, thread).run();
}

} // namespace understudy::specs::contract
