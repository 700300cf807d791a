// SPDX-License-Identifier: Apache-2.0
#include "compose/proof/CountingCheckSteps.h"

#include "logic/Simplify.h"
#include "logic/Substitute.h"

#include <algorithm>

namespace understudy::compose::proof {

// ---- writing

std::vector<Term> ObligationWriter::before() const {
  std::vector<Term> values;
  for (Variable parameter : model_.parameters())
    values.push_back(model_.pool().var(parameter));
  return values;
}

Term ObligationWriter::atCrowd(size_t crowd, Term formula) const {
  const CountingEvidence::Group &group = model_.evidence().crowds[crowd];
  const std::vector<Variable> &locals = model_.thread(group.thread).locals;
  return logic::substitute(formula, [&](Variable variable, bool primed) {
    auto found = std::find(locals.begin(), locals.end(), variable);
    if (primed || found == locals.end())
      return Term();
    auto local = static_cast<size_t>(found - locals.begin());
    return model_.localValue(group.thread, local, group.locals[local]);
  });
}

Term ObligationWriter::noCrowdAt(TemplateId thread, LocationId location,
                                 const std::function<Term(size_t local)> &value) const {
  logic::TermPool &pool = model_.pool();
  std::vector<Term> none;
  for (size_t crowd : model_.crowdsAt(thread, location)) {
    const std::vector<logic::Value> &locals = model_.evidence().crowds[crowd].locals;
    std::vector<Term> same;
    for (size_t i = 0; i < locals.size(); ++i)
      same.push_back(pool.equal(value(i), model_.localValue(thread, i, locals[i])));
    none.push_back(pool.negate(pool.conjunction(std::move(same))));
  }
  return pool.conjunction(std::move(none));
}

std::string ObligationWriter::nextName(const std::string &kind) {
  return kind + " " + std::to_string(++number_);
}

Obligation ObligationWriter::impossible(const std::string &kind, const std::string &meaning,
                                        const std::vector<Term> &conditions) {
  std::string text;
  for (const Term &condition : conditions)
    text += text_.assertion(condition);
  return {nextName(kind), meaning, std::move(text)};
}

Obligation ObligationWriter::reaches(const std::string &kind, const std::string &from,
                                     const std::vector<Term> &conditions, const Control &control,
                                     const std::vector<Term> &values) {
  auto invariant = model_.invariantAt(control);
  std::string where = model_.controlText(control);
  Obligation result =
      impossible(kind,
                 from + (invariant ? " leads to the invariant for " + where
                                   : " never leads to " + where + ", which has no invariant"),
                 conditions);
  if (invariant)
    result.text += ObligationText::assertion(
        "(not " + ObligationText::application(nameOf(*invariant), values) + ")");
  return result;
}

// ---- who moves

void CheckedSteps::addMover(const CountedThread &mover) {
  const Template &thread = model_.thread(mover.thread);
  for (EdgeId edge : thread.edgesFrom(mover.location))
    addEdge(mover, thread.edges[edge]);
}

void CheckedSteps::addEdge(const CountedThread &mover, const Edge &edge) {
  const Template &thread = model_.thread(mover.thread);
  step_ = {mover, &edge, "the step " + stepText(thread, edge), {}};
  if (mover.crowd)
    step_.conditions.push_back(pool().lessEqual(pool().integer(1), model_.count(*mover.crowd)));
  step_.conditions.push_back(inMover(edge.relation));
  if (const auto *fork = std::get_if<Fork>(&edge.action); fork && fork->id && fork->result)
    step_.conditions.push_back(pool().equal(pool().primed(*fork->result), inMover(*fork->id)));
  if (const auto *join = std::get_if<Join>(&edge.action))
    step_.conditions.push_back(canJoin(*join));
  if (edge.failure || thread.locations[edge.target].kind == LocationKind::Error) {
    addImpossible("error", " never fails", {});
    return;
  }
  addTargetClosed();
  addActionClosed();
  addRelies();
  for (const Outcome &target : targets())
    for (const Outcome &outcome : act(target)) {
      std::vector<Term> conditions = step_.conditions;
      conditions.insert(conditions.end(), outcome.conditions.begin(), outcome.conditions.end());
      into_.push_back(writer_.reaches(
          "step", step_.words + ", taken with " + model_.controlText(control_) + ",", conditions,
          outcome.control, valuesAfter(outcome)));
    }
}

void CheckedSteps::addImpossible(const std::string &kind, const std::string &meaning,
                                 std::vector<Term> more) {
  std::vector<Term> conditions = step_.conditions;
  conditions.insert(conditions.end(), more.begin(), more.end());
  into_.push_back(writer_.impossible(
      kind, step_.words + meaning + ", " + model_.controlText(control_), conditions));
}

bool CheckedSteps::changes(Variable variable) const {
  const std::vector<Variable> &modified = step_.edge->modified;
  return std::find(modified.begin(), modified.end(), variable) != modified.end();
}

/// The formula for the moving thread: in a crowd, its locals before the step are constants.
Term CheckedSteps::inMover(Term formula) const {
  return step_.mover.crowd ? writer_.atCrowd(*step_.mover.crowd, formula) : formula;
}

/// The threads of the crowd that do not move.
Term CheckedSteps::others(size_t crowd) const {
  return step_.mover.crowd == crowd ? pool().add(model_.count(crowd), pool().integer(-1))
                                    : model_.count(crowd);
}

// ---- where it goes

std::vector<CheckedSteps::Outcome> CheckedSteps::targets() const {
  const CountedThread &mover = step_.mover;
  Outcome outcome{{}, control_, {}};
  if (mover.single) {
    outcome.control[*mover.single] = step_.edge->target;
    return {outcome};
  }
  std::vector<Outcome> result;
  const std::vector<Variable> &locals = model_.thread(mover.thread).locals;
  const std::vector<logic::Value> &old = model_.evidence().crowds[*mover.crowd].locals;
  for (size_t crowd : model_.crowdsAt(mover.thread, step_.edge->target)) {
    const std::vector<logic::Value> &now = model_.evidence().crowds[crowd].locals;
    Outcome moved = outcome;
    bool fits = true;
    for (size_t i = 0; i < locals.size(); ++i)
      if (changes(locals[i]))
        moved.conditions.push_back(
            pool().equal(pool().primed(locals[i]), model_.localValue(mover.thread, i, now[i])));
      else
        fits = fits && old[i] == now[i];
    if (!fits)
      continue;
    moved.changes[*mover.crowd].push_back(pool().integer(-1));
    moved.changes[crowd].push_back(pool().integer(1));
    result.push_back(std::move(moved));
  }
  return result;
}

void CheckedSteps::addTargetClosed() {
  const CountedThread &mover = step_.mover;
  if (!mover.crowd)
    return;
  const std::vector<Variable> &locals = model_.thread(mover.thread).locals;
  const std::vector<logic::Value> &old = model_.evidence().crowds[*mover.crowd].locals;
  Term outside =
      logic::simplify(writer_.noCrowdAt(mover.thread, step_.edge->target, [&](size_t local) {
        return changes(locals[local]) ? pool().primed(locals[local])
                                      : model_.localValue(mover.thread, local, old[local]);
      }));
  if (!outside.isFalse())
    addImpossible("closed", " leads to a listed crowd", {outside});
}

// ---- what it does to others

std::vector<CheckedSteps::Outcome> CheckedSteps::act(const Outcome &outcome) const {
  const Action &action = step_.edge->action;
  if (const auto *fork = std::get_if<Fork>(&action))
    return act(outcome, *fork);
  if (const auto *join = std::get_if<Join>(&action))
    return act(outcome, *join);
  if (const auto *signal = std::get_if<SignalCond>(&action))
    return act(outcome, *signal);
  if (const auto *broadcast = std::get_if<BroadcastCond>(&action))
    return act(outcome, *broadcast);
  return {outcome};
}

std::vector<CheckedSteps::Outcome> CheckedSteps::act(const Outcome &outcome,
                                                     const Fork &fork) const {
  std::vector<Outcome> result;
  const Template &created = model_.thread(fork.thread);
  for (LocationId location : created.initials)
    for (size_t crowd : model_.crowdsAt(fork.thread, location)) {
      const std::vector<logic::Value> &locals = model_.evidence().crowds[crowd].locals;
      Outcome forked = outcome;
      for (size_t i = 0; i < fork.arguments.size(); ++i)
        forked.conditions.push_back(
            pool().equal(inMover(fork.arguments[i]), model_.localValue(fork.thread, i, locals[i])));
      forked.conditions.push_back(writer_.atCrowd(crowd, created.initial));
      forked.changes[crowd].push_back(pool().integer(1));
      result.push_back(std::move(forked));
    }
  return result;
}

std::vector<size_t> CheckedSteps::joinable(const Join &join) const {
  std::vector<size_t> result;
  const auto &crowds = model_.evidence().crowds;
  for (size_t crowd = 0; crowd < crowds.size(); ++crowd)
    if ((!join.thread || *join.thread == crowds[crowd].thread) &&
        model_.thread(crowds[crowd].thread).locations[crowds[crowd].location].kind ==
            LocationKind::Final)
      result.push_back(crowd);
  return result;
}

/// Threads of `run` have no id that could be asked for.
bool CheckedSteps::joins(const Join &join, size_t single) const {
  TemplateId thread = model_.evidence().singles[single];
  return !join.id && step_.mover.single != single && (!join.thread || *join.thread == thread) &&
         model_.thread(thread).locations[control_[single]].kind == LocationKind::Final;
}

/// There is somebody to join.
Term CheckedSteps::canJoin(const Join &join) const {
  std::vector<Term> ways;
  for (size_t crowd : joinable(join))
    ways.push_back(pool().lessEqual(pool().integer(1), others(crowd)));
  for (size_t s = 0; s < control_.size(); ++s)
    if (joins(join, s))
      ways.push_back(pool().boolean(true));
  return pool().disjunction(std::move(ways));
}

std::vector<CheckedSteps::Outcome> CheckedSteps::act(const Outcome &outcome,
                                                     const Join &join) const {
  std::vector<Outcome> result;
  for (size_t crowd : joinable(join)) {
    Outcome joined = outcome;
    joined.conditions.push_back(pool().lessEqual(pool().integer(1), others(crowd)));
    joined.changes[crowd].push_back(pool().integer(-1));
    result.push_back(std::move(joined));
  }
  return result;
}

bool CheckedSteps::waitsOn(TemplateId thread, LocationId location, CondId cond) const {
  const auto &waiting = model_.thread(thread).locations[location].waiting;
  return waiting && waiting->cond == cond;
}

/// Without the moving thread.
std::vector<size_t> CheckedSteps::waitingSingles(CondId cond) const {
  std::vector<size_t> result;
  for (size_t s = 0; s < control_.size(); ++s)
    if (step_.mover.single != s && waitsOn(model_.evidence().singles[s], control_[s], cond))
      result.push_back(s);
  return result;
}

std::vector<size_t> CheckedSteps::waitingCrowds(CondId cond) const {
  std::vector<size_t> result;
  const auto &crowds = model_.evidence().crowds;
  for (size_t crowd = 0; crowd < crowds.size(); ++crowd)
    if (waitsOn(crowds[crowd].thread, crowds[crowd].location, cond))
      result.push_back(crowd);
  return result;
}

void CheckedSteps::wake(Outcome &outcome, size_t single) const {
  const Template &thread = model_.thread(model_.evidence().singles[single]);
  outcome.control[single] = thread.locations[control_[single]].waiting->wakesTo;
}

namespace {

/// The crowd of those who were woken in this one; none if it is not listed.
std::optional<size_t> wokenCrowd(const CrowdModel &model, size_t crowd) {
  const CountingEvidence::Group &group = model.evidence().crowds[crowd];
  LocationId target = model.thread(group.thread).locations[group.location].waiting->wakesTo;
  return model.crowdAt(group.thread, target, group.locals);
}

} // namespace

std::vector<CheckedSteps::Outcome> CheckedSteps::act(const Outcome &outcome,
                                                     const SignalCond &signal) const {
  std::vector<Outcome> result;
  Outcome nobody = outcome;
  for (size_t crowd : waitingCrowds(signal.cond)) {
    nobody.conditions.push_back(pool().equal(others(crowd), pool().integer(0)));
    auto woken = wokenCrowd(model_, crowd);
    if (!woken)
      continue; // an obligation of its own says that this is impossible
    Outcome signalled = outcome;
    signalled.conditions.push_back(pool().lessEqual(pool().integer(1), others(crowd)));
    signalled.changes[crowd].push_back(pool().integer(-1));
    signalled.changes[*woken].push_back(pool().integer(1));
    result.push_back(std::move(signalled));
  }
  std::vector<size_t> singles = waitingSingles(signal.cond);
  for (size_t single : singles) {
    result.push_back(outcome);
    wake(result.back(), single);
  }
  if (singles.empty())
    result.push_back(std::move(nobody));
  return result;
}

std::vector<CheckedSteps::Outcome> CheckedSteps::act(const Outcome &outcome,
                                                     const BroadcastCond &broadcast) const {
  Outcome all = outcome;
  for (size_t single : waitingSingles(broadcast.cond))
    wake(all, single);
  for (size_t crowd : waitingCrowds(broadcast.cond))
    if (auto woken = wokenCrowd(model_, crowd)) {
      all.changes[crowd].push_back(pool().multiply(-1, others(crowd)));
      all.changes[*woken].push_back(others(crowd));
    }
  return {all};
}

void CheckedSteps::addActionClosed() {
  const Action &action = step_.edge->action;
  if (const auto *fork = std::get_if<Fork>(&action))
    addForkClosed(*fork);
  if (const auto *join = std::get_if<Join>(&action))
    addJoinClosed(*join);
  if (const auto *signal = std::get_if<SignalCond>(&action))
    addWakeClosed(signal->cond);
  if (const auto *broadcast = std::get_if<BroadcastCond>(&action))
    addWakeClosed(broadcast->cond);
}

void CheckedSteps::addForkClosed(const Fork &fork) {
  const Template &created = model_.thread(fork.thread);
  auto local = [&](size_t index) {
    return index < fork.arguments.size() ? inMover(fork.arguments[index])
                                         : pool().var(created.locals[index]);
  };
  Term initial = logic::substitute(created.initial, [&](Variable variable, bool) {
    auto found = std::find(created.parameters.begin(), created.parameters.end(), variable);
    return found == created.parameters.end()
               ? Term()
               : local(static_cast<size_t>(found - created.parameters.begin()));
  });
  for (LocationId location : created.initials)
    addImpossible("closed", " forks into a listed crowd",
                  {initial, writer_.noCrowdAt(fork.thread, location, local)});
}

/// Threads that are followed stay to the end.
void CheckedSteps::addJoinClosed(const Join &join) {
  for (size_t s = 0; s < control_.size(); ++s)
    if (joins(join, s))
      addImpossible("closed", " does not join " + model_.thread(model_.evidence().singles[s]).name,
                    {});
}

void CheckedSteps::addWakeClosed(CondId cond) {
  for (size_t crowd : waitingCrowds(cond))
    if (!wokenCrowd(model_, crowd))
      addImpossible("closed", " wakes threads into listed crowds only",
                    {pool().lessEqual(pool().integer(1), others(crowd))});
}

// ---- what the others rely on

void CheckedSteps::addRelies() {
  const auto *join = std::get_if<Join>(&step_.edge->action);
  if (!join)
    return addRelies(std::nullopt);
  for (size_t crowd : joinable(*join))
    addRelies(crowd);
}

/// `joined` is the crowd of the thread that is gone after the step.
void CheckedSteps::addRelies(std::optional<size_t> joined) {
  std::vector<Term> conditions;
  if (joined)
    conditions.push_back(pool().lessEqual(pool().integer(1), others(*joined)));
  for (TemplateId id = 0; id < program_.templates.size(); ++id) {
    const Template &other = model_.thread(id);
    auto single = model_.singleOf(id);
    for (LocationId location = 0; location < other.locations.size(); ++location)
      for (const Claim &rely : other.locations[location].relies) {
        if (single && (step_.mover.single == *single || control_[*single] != location))
          continue;
        std::vector<Term> more = conditions;
        if (!single)
          more.push_back(pool().lessEqual(
              pool().integer(1), model_.crowdedAt(id, location, {step_.mover.crowd, joined})));
        addRely(rely, other, std::move(more));
      }
  }
}

void CheckedSteps::addRely(const Claim &rely, const Template &other, std::vector<Term> conditions) {
  Term change =
      logic::simplify(logic::substitute(rely.formula, [&](Variable variable, bool primed) {
        return primed && !changes(variable) ? pool().var(variable) : Term();
      }));
  if (change.isTrue() || (!conditions.empty() && logic::simplify(conditions.back()).isFalse()))
    return;
  conditions.push_back(pool().negate(change));
  addImpossible("rely",
                " keeps what another " + other.name + " relies on, '" + rely.text + "'" +
                    placeNote(rely.range),
                std::move(conditions));
}

// ---- after the step

std::vector<Term> CheckedSteps::valuesAfter(const Outcome &outcome) const {
  std::vector<Term> values;
  const std::vector<Variable> &parameters = model_.parameters();
  for (size_t i = 0; i < model_.firstCount(); ++i)
    values.push_back(changes(parameters[i]) ? pool().primed(parameters[i])
                                            : pool().var(parameters[i]));
  for (size_t crowd = 0; crowd < model_.counts().size(); ++crowd) {
    std::vector<Term> parts{model_.count(crowd)};
    if (auto found = outcome.changes.find(crowd); found != outcome.changes.end())
      parts.insert(parts.end(), found->second.begin(), found->second.end());
    values.push_back(pool().sum(std::move(parts)));
  }
  return values;
}

} // namespace understudy::compose::proof
