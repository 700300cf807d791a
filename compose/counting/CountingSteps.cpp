// SPDX-License-Identifier: Apache-2.0
//
// The steps and errors of a counter system: each rule of the semantics (`Interpreter.cpp`) in terms
// of how many threads are where. "Another thread of the mover's crowd" needs a count of 2.
#include "compose/counting/CountingModel.h"

#include "logic/Error.h"
#include "logic/Simplify.h"
#include "logic/Substitute.h"

#include <algorithm>

namespace understudy::compose::counting {

namespace {

using logic::Value;

class StepFinder {
public:
  StepFinder(CountingModel &model, const std::map<CrowdKey, CrowdId> &crowds, Budget &budget)
      : model_(model), program_(*model.program), pool_(model.pool()), crowds_(crowds),
        budget_(budget) {}

  void run() {
    addStarts();
    for (ControlId control = 0; control < model_.controls.size(); ++control) {
      control_ = control;
      addStateErrors();
      for (uint32_t move = 0; move < model_.moves.size(); ++move) {
        budget_.work(unitsOfStep);
        take(move);
      }
    }
  }

private:
  static constexpr uint64_t unitsOfStep = 10; ///< as measured
  using Locations = std::vector<LocationId>;

  CountingModel &model_;
  const Program &program_;
  logic::TermPool &pool_;
  const std::map<CrowdKey, CrowdId> &crowds_;
  Budget &budget_;
  std::map<Locations, ControlId> known_;
  // The step at hand.
  ControlId control_ = 0;
  uint32_t moveId_ = 0;
  const CrowdMove *move_ = nullptr;
  const Edge *edge_ = nullptr;

  /// A step in the making.
  struct Draft {
    std::vector<Term> guard;
    Locations control;
    std::map<CrowdId, std::vector<Term>> changes; ///< summands
    Others others;
  };

  const Locations &locations() const { return model_.controls[control_]; }
  const Location &locationOf(SingleId single) const {
    return program_.templates[model_.singles[single]].locations[locations()[single]];
  }
  const Location &locationOf(const proof::Crowd &crowd) const {
    return program_.templates[crowd.thread].locations[crowd.location];
  }
  Term count(CrowdId crowd) const { return pool_.var(model_.crowds[crowd].count); }

  ControlId controlOf(const Locations &wanted) {
    auto found = known_.find(wanted);
    if (found != known_.end())
      return found->second;
    if (model_.controls.size() == mostControls)
      throw logic::Unsupported("the threads that run once have more than " +
                               std::to_string(mostControls) + " combinations of locations");
    auto id = static_cast<ControlId>(model_.controls.size());
    model_.controls.push_back(wanted);
    known_[wanted] = id;
    return id;
  }

  // Starts

  void addStarts() {
    std::vector<Locations> products{{}};
    std::vector<Term> condition = logic::conjunctsOf(program_.initial);
    for (TemplateId thread : model_.singles) {
      const Template &type = program_.templates[thread];
      condition.push_back(type.initial);
      std::vector<Locations> longer;
      for (const Locations &prefix : products)
        for (LocationId initial : type.initials) {
          longer.push_back(prefix);
          longer.back().push_back(initial);
        }
      products = std::move(longer);
    }
    addStartCounts(condition);
    for (const Locations &product : products)
      model_.starts.push_back({controlOf(product), condition});
  }

  void addStartCounts(std::vector<Term> &condition) const {
    std::vector<bool> counted(model_.crowds.size(), false);
    for (TemplateId thread = 0; thread < program_.templates.size(); ++thread) {
      int64_t least = 0;
      bool unbounded = false;
      bool started = false;
      for (const Start &start : program_.starts)
        if (start.thread == thread) {
          started = true;
          least += start.count;
          unbounded = unbounded || start.unbounded;
        }
      if (!started || isSingle(thread))
        continue;
      std::vector<Term> total;
      for (CrowdId crowd : initialCrowds(thread)) {
        counted[crowd] = true;
        total.push_back(count(crowd));
        condition.push_back(pool_.lessEqual(pool_.integer(0), count(crowd)));
        condition.push_back(
            pool_.disjunction({pool_.equal(count(crowd), pool_.integer(0)), initialOf(crowd)}));
      }
      Term sum = pool_.sum(total);
      Term number = pool_.integer(least);
      condition.push_back(unbounded ? pool_.lessEqual(number, sum) : pool_.equal(number, sum));
    }
    for (CrowdId crowd = 0; crowd < model_.crowds.size(); ++crowd)
      if (!counted[crowd])
        condition.push_back(pool_.equal(count(crowd), pool_.integer(0)));
  }

  bool isSingle(TemplateId thread) const {
    return std::find(model_.singles.begin(), model_.singles.end(), thread) != model_.singles.end();
  }

  std::vector<CrowdId> initialCrowds(TemplateId thread) const {
    std::vector<CrowdId> result;
    const auto &initials = program_.templates[thread].initials;
    for (CrowdId id = 0; id < model_.crowds.size(); ++id)
      if (const proof::Crowd &crowd = model_.crowds[id];
          crowd.thread == thread &&
          std::find(initials.begin(), initials.end(), crowd.location) != initials.end())
        result.push_back(id);
    return result;
  }

  /// May a new thread of the crowd's template have its locals? Over globals.
  Term initialOf(CrowdId id) const {
    const proof::Crowd &crowd = model_.crowds[id];
    const Template &type = program_.templates[crowd.thread];
    auto values = [&](Variable v, bool) {
      auto at = std::find(type.locals.begin(), type.locals.end(), v) - type.locals.begin();
      return static_cast<size_t>(at) == type.locals.size()
                 ? Term()
                 : logic::termOf(pool_, crowd.locals[static_cast<size_t>(at)], v.sort());
    };
    return logic::simplify(logic::substitute(type.initial, values));
  }

  // Errors that a state is

  void addStateError(std::vector<Term> guard, const std::string &text) {
    addError({control_, {}, {}, std::move(guard), text});
  }
  void addStepError(const Draft &draft, std::vector<Term> guard, const std::string &text) {
    addError({control_, moveId_, draft.others, std::move(guard), text});
  }
  void addError(CountingError error) {
    Term all = logic::simplify(pool_.conjunction(std::move(error.guard)));
    if (all.isFalse())
      return;
    error.guard = logic::conjunctsOf(all);
    model_.errors.push_back(std::move(error));
  }

  void addStateErrors() {
    for (const Claim &invariant : program_.invariants)
      addStateError({pool_.negate(invariant.formula)}, invariant.text);
    for (const Exclusion &exclusion : program_.exclusions) {
      const Place &a = exclusion.first;
      const Place &b = exclusion.second;
      if (a.thread == b.thread && a.location == b.location)
        addStateError({atLeast(a, 2)}, exclusion.text);
      else
        addStateError({atLeast(a, 1), atLeast(b, 1)}, exclusion.text);
    }
  }

  /// At least `number` threads are at the place.
  Term atLeast(const Place &place, int64_t number) const {
    for (SingleId i = 0; i < model_.singles.size(); ++i)
      if (model_.singles[i] == place.thread)
        return pool_.boolean(locations()[i] == place.location && number <= 1);
    std::vector<Term> total;
    for (CrowdId id = 0; id < model_.crowds.size(); ++id)
      if (model_.crowds[id].thread == place.thread && model_.crowds[id].location == place.location)
        total.push_back(count(id));
    return pool_.lessEqual(pool_.integer(number), pool_.sum(std::move(total)));
  }

  // Steps

  void take(uint32_t id) {
    moveId_ = id;
    move_ = &model_.moves[id];
    edge_ = &program_.edge(move_->thread, move_->edge);
    Draft draft;
    draft.control = locations();
    draft.guard = move_->guard;
    if (move_->single) {
      if (locations()[*move_->single] != edge_->source)
        return;
      draft.control[*move_->single] = edge_->target;
    } else {
      draft.guard.push_back(moreThan(0, move_->source));
      change(draft, move_->source, -1);
      if (move_->target)
        change(draft, *move_->target, 1);
    }
    std::visit([&](const auto &action) { act(action, std::move(draft)); }, edge_->action);
  }

  void change(Draft &draft, CrowdId crowd, int64_t by) const {
    draft.changes[crowd].push_back(pool_.integer(by));
  }

  int64_t movers(CrowdId crowd) const { return !move_->single && move_->source == crowd ? 1 : 0; }

  Term moreThan(int64_t number, CrowdId crowd) const {
    return pool_.lessEqual(pool_.integer(number + 1), count(crowd));
  }
  /// Some thread other than the mover is in the crowd.
  Term hasOther(CrowdId crowd) const { return moreThan(movers(crowd), crowd); }
  /// How many threads other than the mover are in the crowd.
  Term othersIn(CrowdId crowd) const {
    return movers(crowd) == 0 ? count(crowd) : pool_.add(count(crowd), pool_.integer(-1));
  }

  template <typename Other>
  void act(const Other &, Draft draft) {
    emit(std::move(draft));
  }

  void act(const Fork &fork, const Draft &draft) {
    auto locals = [&](Variable v, bool) {
      auto found = move_->locals.find(v);
      return found == move_->locals.end() ? Term() : found->second;
    };
    const Template &type = program_.templates[fork.thread];
    for (CrowdId crowd : initialCrowds(fork.thread)) {
      Draft next = draft;
      for (size_t i = 0; i < fork.arguments.size(); ++i)
        next.guard.push_back(pool_.equal(
            logic::substitute(fork.arguments[i], locals),
            logic::termOf(pool_, model_.crowds[crowd].locals[i], type.parameters[i].sort())));
      next.guard.push_back(initialOf(crowd));
      change(next, crowd, 1);
      next.others.created = crowd;
      emit(std::move(next));
    }
  }

  void act(const Join &join, const Draft &draft) {
    for (CrowdId id = 0; id < model_.crowds.size(); ++id) {
      const proof::Crowd &crowd = model_.crowds[id];
      if (locationOf(crowd).kind != LocationKind::Final ||
          (join.thread && *join.thread != crowd.thread))
        continue;
      Draft next = draft;
      next.guard.push_back(hasOther(id));
      change(next, id, -1);
      next.others.joined = id;
      emit(std::move(next));
    }
  }

  bool waits(const Location &location, CondId cond) const {
    return location.waiting && location.waiting->cond == cond;
  }
  std::vector<CrowdId> waitingCrowds(CondId cond) const {
    std::vector<CrowdId> result;
    for (CrowdId id = 0; id < model_.crowds.size(); ++id)
      if (waits(locationOf(model_.crowds[id]), cond))
        result.push_back(id);
    return result;
  }
  /// Other than the mover.
  std::vector<SingleId> waitingSingles(CondId cond) const {
    std::vector<SingleId> result;
    for (SingleId i = 0; i < model_.singles.size(); ++i)
      if (move_->single != i && waits(locationOf(i), cond))
        result.push_back(i);
    return result;
  }
  CrowdId wokenCrowd(CrowdId id) const {
    const proof::Crowd &crowd = model_.crowds[id];
    return crowds_.at({crowd.thread, locationOf(crowd).waiting->wakesTo, crowd.locals});
  }

  void act(const SignalCond &signal, const Draft &draft) {
    Draft nobody = draft;
    for (CrowdId crowd : waitingCrowds(signal.cond)) {
      nobody.guard.push_back(pool_.negate(hasOther(crowd)));
      Draft next = draft;
      next.guard.push_back(hasOther(crowd));
      change(next, crowd, -1);
      change(next, wokenCrowd(crowd), 1);
      next.others.woken = crowd;
      emit(std::move(next));
    }
    for (SingleId single : waitingSingles(signal.cond)) {
      Draft next = draft;
      next.control[single] = locationOf(single).waiting->wakesTo;
      next.others.wokenSingle = single;
      emit(std::move(next));
    }
    if (waitingSingles(signal.cond).empty())
      emit(std::move(nobody));
  }

  void act(const BroadcastCond &broadcast, Draft draft) {
    for (CrowdId crowd : waitingCrowds(broadcast.cond)) {
      draft.changes[crowd].push_back(pool_.multiply(-1, othersIn(crowd)));
      draft.changes[wokenCrowd(crowd)].push_back(othersIn(crowd));
    }
    for (SingleId single : waitingSingles(broadcast.cond))
      draft.control[single] = locationOf(single).waiting->wakesTo;
    emit(std::move(draft));
  }

  void emit(Draft draft) {
    Term guard = logic::simplify(pool_.conjunction(draft.guard));
    if (guard.isFalse())
      return;
    draft.guard = logic::conjunctsOf(guard);
    if (edge_->failure)
      return addStepError(draft, draft.guard, edge_->text);
    addBrokenRelies(draft);
    CountingStep step{control_, controlOf(draft.control), moveId_, draft.others, {}, {}};
    for (size_t i = 0; i < model_.firstCount(); ++i) {
      Variable v = model_.variables[i];
      bool modified = std::binary_search(edge_->modified.begin(), edge_->modified.end(), v);
      step.after.push_back(modified ? pool_.primed(v) : pool_.var(v));
    }
    for (CrowdId crowd = 0; crowd < model_.crowds.size(); ++crowd) {
      std::vector<Term> summands{count(crowd)};
      if (auto found = draft.changes.find(crowd); found != draft.changes.end())
        summands.insert(summands.end(), found->second.begin(), found->second.end());
      step.after.push_back(logic::simplify(pool_.sum(std::move(summands))));
    }
    step.guard = std::move(draft.guard);
    model_.steps.push_back(std::move(step));
  }

  // Relies

  /// The change of the globals by this step, as the rely of another thread sees it.
  Term broken(const Claim &rely) const {
    auto kept = [&](Variable v, bool primed) {
      bool modified = std::binary_search(edge_->modified.begin(), edge_->modified.end(), v);
      return primed && !modified ? pool_.var(v) : Term();
    };
    return pool_.negate(logic::substitute(rely.formula, kept));
  }

  void addBroken(const Draft &draft, const Location &location, Term present) {
    for (const Claim &rely : location.relies) {
      std::vector<Term> guard = draft.guard;
      guard.push_back(present);
      guard.push_back(broken(rely));
      addStepError(draft, std::move(guard), rely.text);
    }
  }

  void addBrokenRelies(const Draft &draft) {
    for (SingleId single = 0; single < model_.singles.size(); ++single)
      if (move_->single != single)
        addBroken(draft, locationOf(single), pool_.boolean(true));
    for (TemplateId thread = 0; thread < program_.templates.size(); ++thread)
      for (LocationId at = 0; at < program_.templates[thread].locations.size(); ++at)
        if (const Location &location = program_.templates[thread].locations[at];
            !location.relies.empty() && !isSingle(thread))
          addBroken(draft, location, bystander(draft, {thread, at}));
  }

  /// Some thread at the place is neither the mover nor joined by it.
  Term bystander(const Draft &draft, const Place &place) const {
    std::vector<Term> total;
    int64_t taking = 0;
    for (CrowdId id = 0; id < model_.crowds.size(); ++id) {
      if (model_.crowds[id].thread != place.thread || model_.crowds[id].location != place.location)
        continue;
      total.push_back(count(id));
      taking += movers(id) + (draft.others.joined == id ? 1 : 0);
    }
    return pool_.lessEqual(pool_.integer(taking + 1), pool_.sum(std::move(total)));
  }
};

} // namespace

void addSteps(CountingModel &model, const std::map<CrowdKey, CrowdId> &crowds, Budget &budget) {
  StepFinder(model, crowds, budget).run();
}

} // namespace understudy::compose::counting
