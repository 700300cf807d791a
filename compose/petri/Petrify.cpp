// SPDX-License-Identifier: Apache-2.0
//
// Problem: a program that forks and joins has no fixed set of variables and no fixed control flow.
// Idea (petrification paper, sections 3.2 and 3.3, Figure 8): give every template β instances, each
// with its own locations and variables. A fork takes the least instance that is not in use; if all
// are, control goes to `insufficient`. A join frees the instance again. Whether β is enough is then
// a safety question about the net.
// Invariant: all reachable markings are coherent (Lemma 3.5): every instance of a forked template
// is in use, not in use or used up by `insufficient`, is in exactly one location while it is in
// use, and waits on a condition exactly when its place `not waiting` is empty. Hence the net is
// 1-safe.
//
// Deviations.
// - Threads of the start occupy the first instances of their template instead of an instance ⊥, so
//   that β bounds all threads of a template; a template that is never forked needs no β.
// - Fork leaves the new instance's locals open (see `Instances.h`).
// - Signals and broadcasts move other threads. Whether somebody waits must be known in the net, so
//   each instance that can wait has a complementary place; a broadcast is one transition for each
//   combination of waiters.
// - Relies, invariants and exclusions: a step that breaks one is a transition of its own into the
//   mover's error place, beside the step that goes on.
#include "compose/petri/Petrify.h"

#include "compose/petri/Instances.h"
#include "logic/Error.h"
#include "logic/Simplify.h"
#include "logic/Substitute.h"
#include "logic/solver/Solver.h"

#include <algorithm>
#include <map>

namespace understudy::compose::petri {

namespace {

/// A transition under construction.
struct Draft {
  NetTransition arcs;
  TransitionMeaning meaning;

  void take(PlaceId place) { arcs.pre.push_back(place); }
  void put(PlaceId place) { arcs.post.push_back(place); }
  void read(PlaceId place) {
    take(place);
    put(place);
  }
};

void normalise(std::vector<PlaceId> &places) {
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
}

class Petrifier {
public:
  Petrifier(const Program &program, const PetrifyOptions &options)
      : program_(program), options_(options), pool_(*program.pool), use_(program),
        instances_(program, use_, options.limit) {
    result_.pool = program.pool;
    result_.limit = options.limit;
  }

  PetriProgram run() {
    for (const Start &start : program_.starts)
      if (start.unbounded)
        throw logic::Unsupported("any number of '" + program_.templates[start.thread].name +
                                 "' threads is not supported here");
    constexpr uint64_t looksPerUnit = 64;
    work(1 + program_.templates.size() + use_.looks / looksPerUnit);
    instances_.describe(result_);
    begin();
    for (const Instance &mover : all_)
      for (EdgeId edge = 0; edge < program_.templates[mover.thread].edges.size(); ++edge)
        if (use_.reachable[mover.thread][program_.edge(mover.thread, edge).source])
          takeEdge(mover, edge);
    for (const Exclusion &exclusion : program_.exclusions)
      exclude(exclusion);
    prune();
    return std::move(result_);
  }

private:
  const Program &program_;
  const PetrifyOptions &options_;
  logic::TermPool &pool_;
  ThreadUse use_;
  Instances instances_;
  PetriProgram result_;
  std::vector<Instance> all_;
  std::map<PlaceMeaning, PlaceId> placeIds_;
  std::map<std::pair<Term, std::vector<Variable>>, std::optional<Term>> broken_;

  PlaceId place(PlaceKind kind, Instance instance, uint32_t index = 0) {
    const PlaceMeaning meaning{kind, instance, index};
    auto [entry, isNew] = placeIds_.try_emplace(meaning, result_.places.size());
    if (isNew)
      result_.places.push_back(meaning);
    return entry->second;
  }
  PlaceId insufficient(TemplateId thread) { return place(PlaceKind::Insufficient, {thread, 0}); }

  const Location &location(Instance instance, LocationId id) const {
    return program_.templates[instance.thread].locations[id];
  }

  bool canWait(Instance instance, CondId cond) const {
    const auto &locations = program_.templates[instance.thread].locations;
    for (LocationId id = 0; id < locations.size(); ++id)
      if (use_.reachable[instance.thread][id] && locations[id].waiting &&
          locations[id].waiting->cond == cond)
        return true;
    return false;
  }

  void begin() {
    for (const Term &conjunct : logic::conjunctsOf(program_.initial))
      if (!conjunct.isTrue())
        result_.initial.push_back(conjunct);
    result_.starting.resize(program_.templates.size());
    for (TemplateId thread = 0; thread < program_.templates.size(); ++thread)
      for (uint32_t number = 1; number <= instances_.count(thread); ++number)
        beginInstance({thread, number});
    normalise(result_.net.initial);
  }

  void beginInstance(Instance instance) {
    all_.push_back(instance);
    std::vector<PlaceId> &marked = result_.net.initial;
    const auto &initials = program_.templates[instance.thread].initials;
    const bool started = instance.number <= use_.started[instance.thread];
    const bool decided = started && initials.size() == 1;
    for (CondId cond = 0; cond < program_.conditions.size(); ++cond)
      if (canWait(instance, cond) && !(decided && waitsOn(instance, initials[0], cond)))
        marked.push_back(place(PlaceKind::NotWaiting, instance, cond));
    if (use_.forked[instance.thread])
      marked.push_back(place(started ? PlaceKind::InUse : PlaceKind::NotInUse, instance));
    if (!started)
      return instances_.addAbsent(result_.initial, instance);
    instances_.addStart(result_.initial, instance);
    result_.starting[instance.thread].push_back(instance.number);
    if (decided) {
      marked.push_back(place(PlaceKind::Location, instance, initials[0]));
      return;
    }
    marked.push_back(place(PlaceKind::Start, instance));
    for (LocationId initial : initials) {
      Draft draft;
      draft.meaning.kind = TransitionKind::Choice;
      draft.meaning.mover = instance;
      draft.meaning.location = initial;
      draft.take(place(PlaceKind::Start, instance));
      enter(draft, instance, initial);
      emit(std::move(draft));
    }
  }

  bool waitsOn(Instance instance, LocationId id, CondId cond) const {
    const auto &waiting = location(instance, id).waiting;
    return waiting && waiting->cond == cond;
  }

  void leave(Draft &draft, Instance instance, LocationId from) {
    draft.take(place(PlaceKind::Location, instance, from));
    if (const auto &waiting = location(instance, from).waiting)
      draft.put(place(PlaceKind::NotWaiting, instance, waiting->cond));
  }
  void enter(Draft &draft, Instance instance, LocationId to) {
    draft.put(place(PlaceKind::Location, instance, to));
    if (const auto &waiting = location(instance, to).waiting)
      draft.take(place(PlaceKind::NotWaiting, instance, waiting->cond));
  }
  void move(Draft &draft, Instance instance, LocationId from, LocationId to) {
    const auto &before = location(instance, from).waiting;
    const auto &after = location(instance, to).waiting;
    if (before && after && before->cond == after->cond) {
      draft.take(place(PlaceKind::Location, instance, from));
      draft.put(place(PlaceKind::Location, instance, to));
      return;
    }
    leave(draft, instance, from);
    enter(draft, instance, to);
  }

  void work(uint64_t units) const {
    if (options_.budget)
      options_.budget->work(units);
  }

  void emit(Draft draft) {
    work(5);
    normalise(draft.arcs.pre);
    normalise(draft.arcs.post);
    result_.net.transitions.push_back(std::move(draft.arcs));
    result_.transitions.push_back(std::move(draft.meaning));
    if (result_.net.transitions.size() > options_.maxTransitions)
      throw logic::Unsupported("the net for thread width " + std::to_string(options_.limit) +
                               " has more than " + std::to_string(options_.maxTransitions) +
                               " transitions");
  }

  /// The step, and beside it the ways in which it breaks a claim.
  void emitStep(Draft draft) {
    const TransitionMeaning &meaning = draft.meaning;
    if (!program_.edge(meaning.mover.thread, meaning.edge).failure) {
      for (const Claim &invariant : program_.invariants)
        if (auto wrong = brokenAfter(invariant.formula, meaning.label.modified))
          emitViolation(draft, *wrong, std::nullopt);
      for (const Instance &other : all_)
        if (other != meaning.mover)
          violateRelies(draft, other);
    }
    emit(std::move(draft));
  }

  void violateRelies(const Draft &draft, Instance other) {
    const TransitionMeaning &meaning = draft.meaning;
    const auto &locations = program_.templates[other.thread].locations;
    const bool concerned =
        std::find(meaning.others.begin(), meaning.others.end(), other) != meaning.others.end();
    work(locations.size());
    for (LocationId id = 0; id < locations.size(); ++id) {
      if (!use_.reachable[other.thread][id])
        continue;
      const PlaceId at = place(PlaceKind::Location, other, id);
      // One that is woken is there before and after; one created or joined is not.
      const auto &pre = draft.arcs.pre;
      const bool moved = std::find(pre.begin(), pre.end(), at) != pre.end();
      if (concerned && !(moved && isWaking(meaning)))
        continue;
      for (const Claim &rely : locations[id].relies)
        if (auto wrong = brokenBy(rely.formula, meaning.label.modified))
          emitViolation(draft, *wrong, at);
    }
  }

  bool isWaking(const TransitionMeaning &meaning) const {
    const Action &action = program_.edge(meaning.mover.thread, meaning.edge).action;
    return std::holds_alternative<SignalCond>(action) ||
           std::holds_alternative<BroadcastCond>(action);
  }

  void emitViolation(const Draft &step, Term wrong, std::optional<PlaceId> witness) {
    Draft draft = step;
    draft.meaning.kind = TransitionKind::Violation;
    for (const Term &conjunct : logic::conjunctsOf(wrong))
      draft.meaning.label.conjuncts.push_back(conjunct);
    if (witness)
      draft.take(*witness);
    draft.arcs.post = {place(PlaceKind::Error, step.meaning.mover)};
    emit(std::move(draft));
  }

  /// The two-state formula is false for a step that changes these variables only; none: impossible.
  std::optional<Term> brokenBy(Term formula, const std::vector<Variable> &modified) {
    auto [entry, isNew] = broken_.try_emplace({formula, modified});
    if (!isNew)
      return entry->second;
    const Term wrong = logic::simplify(
        pool_.negate(logic::substitute(formula, [&](Variable v, bool primed) -> Term {
          const bool changes = std::binary_search(modified.begin(), modified.end(), v);
          return primed && !changes ? pool_.var(v) : Term();
        })));
    constexpr uint64_t resources = 1'000'000;
    if (!logic::solver::isValid(pool_.negate(wrong), {resources, 0}).value_or(false))
      entry->second = wrong;
    return entry->second;
  }

  /// The same for a formula about the state after the step; the state before satisfied it.
  std::optional<Term> brokenAfter(Term formula, const std::vector<Variable> &modified) {
    const auto used = logic::variablesOf(formula);
    if (std::none_of(used.begin(), used.end(), [&](const logic::VariableUse &use) {
          return std::binary_search(modified.begin(), modified.end(), use.variable);
        }))
      return std::nullopt;
    return brokenBy(logic::prime(formula), modified);
  }

  void takeEdge(Instance mover, EdgeId id) {
    const Edge &edge = program_.edge(mover.thread, id);
    Draft draft;
    draft.meaning.mover = mover;
    draft.meaning.edge = id;
    draft.meaning.label = instances_.step(mover, edge);
    if (edge.relation.isFalse())
      return;
    move(draft, mover, edge.source, edge.target);
    if (const auto *fork = std::get_if<Fork>(&edge.action))
      takeFork(draft, *fork);
    else if (const auto *join = std::get_if<Join>(&edge.action))
      takeJoin(draft, *join);
    else if (const auto *signal = std::get_if<SignalCond>(&edge.action))
      takeSignal(draft, signal->cond);
    else if (const auto *broadcast = std::get_if<BroadcastCond>(&edge.action))
      takeBroadcast(draft, broadcast->cond, 0);
    else
      emitStep(std::move(draft));
  }

  /// Equations (2) and (3).
  void takeFork(const Draft &step, const Fork &fork) {
    Draft taken = step; // reads the instances in use so far
    for (uint32_t number = 1; number <= instances_.count(fork.thread); ++number) {
      const Instance created{fork.thread, number};
      for (LocationId initial : program_.templates[fork.thread].initials) {
        Draft draft = taken;
        draft.meaning.others = {created};
        draft.meaning.location = initial;
        instances_.addFork(draft.meaning.label, step.meaning.mover, fork, created);
        draft.take(place(PlaceKind::NotInUse, created));
        draft.put(place(PlaceKind::InUse, created));
        enter(draft, created, initial);
        emitStep(std::move(draft));
      }
      taken.read(place(PlaceKind::InUse, created));
    }
    taken.meaning.kind = TransitionKind::Insufficient;
    instances_.addFork(taken.meaning.label, step.meaning.mover, fork,
                       {fork.thread, instances_.spare(fork.thread)});
    taken.arcs.post = {insufficient(fork.thread)};
    emit(std::move(taken));
  }

  /// Equation (4).
  void takeJoin(const Draft &step, const Join &join) {
    for (const Instance &joined : all_) {
      if (joined == step.meaning.mover || !instances_.joinable(join, joined.thread))
        continue;
      const auto &locations = program_.templates[joined.thread].locations;
      for (LocationId id = 0; id < locations.size(); ++id) {
        if (locations[id].kind != LocationKind::Final || !use_.reachable[joined.thread][id])
          continue;
        Draft draft = step;
        draft.meaning.others = {joined};
        instances_.addJoin(draft.meaning.label, step.meaning.mover, join, joined);
        leave(draft, joined, id);
        if (use_.forked[joined.thread]) {
          draft.take(place(PlaceKind::InUse, joined));
          draft.put(place(PlaceKind::NotInUse, joined));
        }
        emitStep(std::move(draft));
      }
    }
  }

  /// The ways in which the instance can wait on the condition.
  std::vector<LocationId> waitingPlaces(Instance instance, CondId cond) const {
    std::vector<LocationId> result;
    const auto &locations = program_.templates[instance.thread].locations;
    for (LocationId id = 0; id < locations.size(); ++id)
      if (use_.reachable[instance.thread][id] && waitsOn(instance, id, cond))
        result.push_back(id);
    return result;
  }

  void wake(Draft &draft, Instance woken, LocationId from) {
    draft.meaning.others.push_back(woken);
    move(draft, woken, from, location(woken, from).waiting->wakesTo);
  }

  void takeSignal(const Draft &step, CondId cond) {
    Draft unheard = step;
    for (const Instance &other : all_) {
      if (other == step.meaning.mover || !canWait(other, cond))
        continue;
      for (LocationId from : waitingPlaces(other, cond)) {
        Draft draft = step;
        wake(draft, other, from);
        emitStep(std::move(draft));
      }
      unheard.read(place(PlaceKind::NotWaiting, other, cond));
    }
    emitStep(std::move(unheard));
  }

  /// One transition for each combination of waiters among the instances from `next` on.
  void takeBroadcast(const Draft &step, CondId cond, size_t next) {
    while (next < all_.size() && (all_[next] == step.meaning.mover || !canWait(all_[next], cond)))
      ++next;
    if (next == all_.size())
      return emitStep(step);
    Draft silent = step;
    silent.read(place(PlaceKind::NotWaiting, all_[next], cond));
    takeBroadcast(silent, cond, next + 1);
    for (LocationId from : waitingPlaces(all_[next], cond)) {
      Draft draft = step;
      wake(draft, all_[next], from);
      takeBroadcast(draft, cond, next + 1);
    }
  }

  void exclude(const Exclusion &exclusion) {
    for (const Instance &first : all_)
      for (const Instance &second : all_) {
        work(1);
        if (first == second || first.thread != exclusion.first.thread ||
            second.thread != exclusion.second.thread)
          continue;
        Draft draft;
        draft.meaning.kind = TransitionKind::Exclusion;
        draft.meaning.mover = first;
        draft.meaning.others = {second};
        draft.take(place(PlaceKind::Location, first, exclusion.first.location));
        draft.take(place(PlaceKind::Location, second, exclusion.second.location));
        draft.put(place(PlaceKind::Error, first));
        emit(std::move(draft));
      }
  }

  void prune();
};

/// Keeps the places that can be marked if transitions never take tokens away, and the transitions
/// between them.
void Petrifier::prune() {
  const auto &transitions = result_.net.transitions;
  std::vector<bool> marked(result_.places.size());
  for (PlaceId id : result_.net.initial)
    marked[id] = true;
  std::vector<bool> fires(transitions.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (TransitionId id = 0; id < transitions.size(); ++id)
      if (!fires[id] && std::all_of(transitions[id].pre.begin(), transitions[id].pre.end(),
                                    [&](PlaceId p) { return marked[p]; })) {
        fires[id] = changed = true;
        for (PlaceId p : transitions[id].post)
          marked[p] = true;
      }
  }
  std::vector<PlaceId> renumbered(result_.places.size());
  std::vector<PlaceMeaning> places;
  for (PlaceId id = 0; id < result_.places.size(); ++id)
    if (marked[id]) {
      renumbered[id] = static_cast<PlaceId>(places.size());
      places.push_back(result_.places[id]);
    }
  auto renumber = [&](std::vector<PlaceId> &ids) {
    for (PlaceId &id : ids)
      id = renumbered[id];
  };
  Net net{static_cast<uint32_t>(places.size()), {}, result_.net.initial};
  renumber(net.initial);
  std::vector<TransitionMeaning> meanings;
  for (TransitionId id = 0; id < transitions.size(); ++id)
    if (fires[id]) {
      net.transitions.push_back(transitions[id]);
      renumber(net.transitions.back().pre);
      renumber(net.transitions.back().post);
      meanings.push_back(std::move(result_.transitions[id]));
    }
  result_.net = std::move(net);
  result_.places = std::move(places);
  result_.transitions = std::move(meanings);
}

} // namespace

uint32_t leastLimit(const Program &program) {
  const ThreadUse use(program);
  uint32_t least = 1;
  for (TemplateId thread = 0; thread < program.templates.size(); ++thread)
    if (use.forked[thread])
      least = std::max(least, use.started[thread]);
  return least;
}

PetriProgram petrify(const Program &program, const PetrifyOptions &options) {
  return Petrifier(program, options).run();
}

} // namespace understudy::compose::petri
