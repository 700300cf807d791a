// SPDX-License-Identifier: Apache-2.0
//
// Problem: random contracts nearly never abstract a random thread.
// Idea: explore the thread with others moving as the chosen relies and assertions allow, collect
// for every pair of places the shared states before and after, and describe them by a formula that
// holds for all of them. Values of one C local may be remembered, in the name of the state or in a
// contract local. Mutations (`Mutate.h`) then weaken or break the result.
#include "Derive.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace understudy::tests {
namespace {

using Op = Formula::Op;

class Deriving {
public:
  Deriving(Random &random, const SharedSpace &space, const std::optional<Formula> &invariant,
           ThreadCode &code, Reading reading)
      : random_(random), space_(space), invariant_(invariant), code_(code),
        thread_(space, code, ConcreteThread::Elsewhere::Local, NeverWritten{}, World::Conformance,
                reading) {}

  ThreadContract run(const std::string &name);

private:
  enum class Memory { None, Names, Local };
  /// Of the contract: a place with what is remembered there.
  struct Key {
    ConcreteThread::Phase phase = ConcreteThread::Phase::Running;
    size_t place = 0;
    int remembered = 0;
    std::set<int> held = {};
    auto operator<=>(const Key &) const = default;
  };
  struct Seen {
    GlobalId before = 0;
    GlobalId after = 0;
    int localBefore = 0;
    int localAfter = 0;
    auto operator<=>(const Seen &) const = default;
  };
  using Ends = std::tuple<Key, Key, std::optional<LockAction>>;
  struct Claims {
    std::optional<Formula> assertion;
    std::optional<Formula> rely;
  };

  Key keyOf(LocalId l) const;
  int remembered(LocalId l) const;
  void chooseClaims();
  std::optional<Formula> needed(size_t place);
  /// Visits what is reachable under the claims; notes steps.
  void explore();
  bool mayBe(size_t place, std::optional<GlobalId> left, GlobalId g);
  std::string holding(const std::set<int> &held) const;
  void declareStates();
  ContractEdge edge(const Ends &ends, const std::set<Seen> &steps);
  std::optional<Formula> update(int variable, const std::set<Seen> &steps);
  std::optional<Formula> localUpdate(const std::set<Seen> &steps);
  std::optional<Formula> guard(const std::set<Seen> &steps);
  Formula exactUpdate(int variable, const std::set<Seen> &steps);
  void nameMarkers();

  Random &random_;
  const SharedSpace &space_;
  const std::optional<Formula> &invariant_;
  ThreadCode &code_;
  ConcreteThread thread_;
  Memory memory_ = Memory::None;
  size_t tracked_ = 0;
  std::optional<Formula> threadRely_;
  std::map<size_t, Claims> claims_; ///< by place
  std::map<Ends, std::set<Seen>> steps_;
  std::set<LocalId> locals_;
  std::map<Key, size_t> stateOf_;
  ThreadContract contract_;
};

int Deriving::remembered(LocalId l) const {
  const ConcreteThread::Local &local = thread_.local(l);
  return local.values.empty() ? 0 : local.values[tracked_];
}

Deriving::Key Deriving::keyOf(LocalId l) const {
  const ConcreteThread::Local &local = thread_.local(l);
  return {local.phase, local.place, memory_ == Memory::Names ? remembered(l) : 0, local.held};
}

bool Deriving::mayBe(size_t place, std::optional<GlobalId> left, GlobalId g) {
  const Claims &claims = claims_[place];
  if (invariant_ && !holds(space_, *invariant_, g, g))
    return false;
  if (claims.assertion && !holds(space_, *claims.assertion, g, g))
    return false;
  if (!left || *left == g)
    return true;
  return (!claims.rely || holds(space_, *claims.rely, *left, g)) &&
         (!threadRely_ || holds(space_, *threadRely_, *left, g));
}

void Deriving::explore() {
  steps_.clear();
  locals_.clear();
  std::set<std::pair<LocalId, std::optional<GlobalId>>> seen;
  std::vector<std::pair<LocalId, std::optional<GlobalId>>> todo;
  const auto go = [&](LocalId l, std::optional<GlobalId> left) {
    locals_.insert(l);
    if (seen.emplace(l, left).second)
      todo.emplace_back(l, left);
  };
  for (LocalId l : thread_.initial())
    go(l, std::nullopt);
  while (!todo.empty()) {
    const auto [l, left] = todo.back();
    todo.pop_back();
    if (thread_.local(l).phase != ConcreteThread::Phase::Running)
      continue;
    for (GlobalId g = 0; g < space_.size(); ++g) {
      if (!mayBe(thread_.local(l).place, left, g) || (left && !thread_.othersMay(l, *left, g)))
        continue;
      for (const ConcreteThread::Step &step : thread_.steps(g, l)) {
        const bool ends = thread_.local(step.next).phase != ConcreteThread::Phase::Running;
        const int before = remembered(l);
        steps_[{keyOf(l), keyOf(step.next), step.action}].insert(
            {g, step.after, before, ends ? before : remembered(step.next)});
        go(step.next, step.after);
      }
    }
  }
}

/// The shared states in which no step from here goes wrong, or leads to a failed assertion.
std::optional<Formula> Deriving::needed(size_t place) {
  std::vector<LocalId> here;
  for (LocalId l : locals_)
    if (thread_.local(l).phase == ConcreteThread::Phase::Running && thread_.local(l).place == place)
      here.push_back(l);
  bool always = true;
  const auto fine = [&](GlobalId g) {
    for (LocalId l : here) {
      if (thread_.wrong(g, l))
        return false;
      for (const ConcreteThread::Step &step : thread_.steps(g, l))
        if (thread_.local(step.next).phase == ConcreteThread::Phase::Failed)
          return false;
    }
    return true;
  };
  bool never = true;
  for (GlobalId g = 0; g < space_.size(); ++g) {
    always = always && fine(g);
    never = never && !fine(g);
  }
  if (always || (never && !random_.oneIn(4)))
    return std::nullopt;
  return exactly(space_, fine);
}

void Deriving::chooseClaims() {
  if (random_.oneIn(8))
    threadRely_ = randomRely(random_, space_, invariant_);
  explore();
  std::set<size_t> places;
  for (LocalId l : locals_)
    if (thread_.local(l).phase == ConcreteThread::Phase::Running)
      places.insert(thread_.local(l).place);
  for (size_t place : places)
    if (random_.oneIn(4))
      claims_[place].rely = randomRely(random_, space_, invariant_);
  explore();
  for (size_t place : places) {
    if (!random_.oneIn(12))
      claims_[place].assertion = needed(place);
    if (!claims_[place].assertion && random_.oneIn(12))
      claims_[place].assertion = randomClaim(random_, space_);
  }
  explore();
}

std::string Deriving::holding(const std::set<int> &held) const {
  std::string text;
  for (int lock : held)
    text += space_.variables()[static_cast<size_t>(lock)].name;
  return text;
}

void Deriving::declareStates() {
  std::set<Key> keys;
  for (LocalId l : locals_)
    keys.insert(keyOf(l));
  for (const Key &key : keys) {
    ContractState state;
    stateOf_[key] = contract_.states.size();
    if (key.phase == ConcreteThread::Phase::Returned) {
      state.name = "Done" + holding(key.held);
      state.final = key.held.empty();
    } else if (key.phase == ConcreteThread::Phase::Stuck) {
      state.name = "Stuck" + holding(key.held);
    } else if (key.phase == ConcreteThread::Phase::Failed) {
      state.name = "Broken" + holding(key.held);
      state.assertion = truth(false);
    } else {
      state.name = "At" + std::to_string(key.place) +
                   (memory_ == Memory::Names ? "With" + std::to_string(std::abs(key.remembered)) +
                                                   (key.remembered < 0 ? "Less" : "")
                                             : "") +
                   holding(key.held);
      state.assertion = claims_[key.place].assertion;
      state.rely = claims_[key.place].rely;
    }
    contract_.states.push_back(state);
  }
  for (LocalId l : thread_.initial())
    contract_.states[stateOf_.at(keyOf(l))].initial = true;
}

Formula Deriving::exactUpdate(int variable, const std::set<Seen> &steps) {
  const Named named = namedShared(space_.variables(), variable);
  std::map<int, std::set<int>> images;
  for (const Seen &seen : steps)
    images[space_.value(seen.before, variable)].insert(space_.value(seen.after, variable));
  std::vector<Formula> cases;
  for (const auto &[before, after] : images)
    cases.push_back(combine(Op::And, oneOf(named.before, named.type, named.domain, {before}),
                            oneOf(named.after, named.type, named.domain, after)));
  return disjunction(cases);
}

/// What the steps do to a shared variable; nothing if they leave it alone.
std::optional<Formula> Deriving::update(int variable, const std::set<Seen> &steps) {
  const Named named = namedShared(space_.variables(), variable);
  const auto all = [&](const auto &holdsFor) {
    return std::all_of(steps.begin(), steps.end(), holdsFor);
  };
  const auto before = [&](const Seen &seen) { return space_.value(seen.before, variable); };
  const auto after = [&](const Seen &seen) { return space_.value(seen.after, variable); };
  if (all([&](const Seen &seen) { return before(seen) == after(seen); }))
    return std::nullopt;
  if (random_.oneIn(4))
    return exactUpdate(variable, steps);
  const int difference = after(*steps.begin()) - before(*steps.begin());
  if (named.type == ContractType::Range &&
      all([&](const Seen &seen) { return after(seen) - before(seen) == difference; }))
    return combine(Op::Equal, named.after, combine(Op::Add, named.before, number(difference)));
  for (size_t i = 0; i < dataCount(space_.variables()); ++i) {
    const auto other = static_cast<int>(i);
    const Named source = namedShared(space_.variables(), other);
    if (other != variable && source.type == named.type &&
        all([&](const Seen &seen) { return after(seen) == space_.value(seen.before, other); }))
      return combine(Op::Equal, named.after, source.before);
  }
  if (memory_ == Memory::Local && named.type == ContractType::Range &&
      all([&](const Seen &seen) { return after(seen) == seen.localBefore; }))
    return combine(Op::Equal, named.after, contractLocal(0));
  std::set<int> values;
  for (const Seen &seen : steps)
    values.insert(after(seen));
  if (values.size() == named.domain.size())
    return exactUpdate(variable, steps);
  return oneOf(named.after, named.type, named.domain, values);
}

std::optional<Formula> Deriving::localUpdate(const std::set<Seen> &steps) {
  const Named named = namedLocal(contract_.locals, 0);
  const auto all = [&](const auto &holdsFor) {
    return std::all_of(steps.begin(), steps.end(), holdsFor);
  };
  if (all([](const Seen &seen) { return seen.localBefore == seen.localAfter; }))
    return std::nullopt;
  for (size_t i = 0; i < space_.variables().size(); ++i) {
    const auto variable = static_cast<int>(i);
    if (space_.variables()[i].type == ContractType::Range && all([&](const Seen &seen) {
          return seen.localAfter == space_.value(seen.before, variable);
        }))
      return combine(Op::Equal, named.after, shared(variable));
  }
  std::map<int, std::set<int>> images;
  for (const Seen &seen : steps)
    images[seen.localBefore].insert(seen.localAfter);
  std::vector<Formula> cases;
  for (const auto &[before, after] : images) {
    std::vector<Formula> values;
    for (int value : after)
      values.push_back(combine(Op::Equal, named.after, number(value)));
    cases.push_back(
        combine(Op::And, combine(Op::Equal, named.before, number(before)), disjunction(values)));
  }
  return disjunction(cases);
}

/// What the steps have in common beforehand, as far as one variable shows it.
std::optional<Formula> Deriving::guard(const std::set<Seen> &steps) {
  std::vector<Formula> parts;
  for (size_t i = 0; i < space_.variables().size(); ++i) {
    const auto variable = static_cast<int>(i);
    const Named named = namedShared(space_.variables(), variable);
    std::set<int> values;
    for (const Seen &seen : steps)
      values.insert(space_.value(seen.before, variable));
    if (values.size() < named.domain.size() && !random_.oneIn(4))
      parts.push_back(oneOf(named.before, named.type, named.domain, values));
  }
  if (parts.empty())
    return std::nullopt;
  return conjunction(parts);
}

ContractEdge Deriving::edge(const Ends &ends, const std::set<Seen> &steps) {
  ContractEdge edge;
  edge.target = stateOf_.at(std::get<1>(ends));
  edge.action = std::get<2>(ends);
  std::vector<Formula> parts;
  if (const auto condition = guard(steps))
    parts.push_back(*condition);
  for (size_t i = 0; i < dataCount(space_.variables()); ++i)
    if (const auto change = update(static_cast<int>(i), steps)) {
      if (random_.oneIn(12))
        edge.havoc.push_back(static_cast<int>(i));
      else
        parts.push_back(*change);
    }
  if (memory_ == Memory::Local)
    if (const auto change = localUpdate(steps))
      parts.push_back(*change);
  if (!parts.empty())
    edge.formula = conjunction(parts);
  return edge;
}

void Deriving::nameMarkers() {
  const auto isMarker = [&](LocalId l) {
    return thread_.local(l).phase == ConcreteThread::Phase::Running &&
           thread_.instruction(thread_.local(l).place).kind == Instruction::Kind::Marker;
  };
  // Markers stand in the thread itself, in the order of their places.
  std::vector<Statement *> markers;
  const std::function<void(Block &)> collect = [&](Block &block) {
    for (Statement &statement : block) {
      if (statement.kind == Statement::Kind::Marker)
        markers.push_back(&statement);
      collect(statement.body);
      collect(statement.orElse);
    }
  };
  collect(code_.body);
  std::vector<size_t> places;
  for (size_t place = 0; place < lowered(code_, space_.variables()).list.size(); ++place)
    if (thread_.instruction(place).kind == Instruction::Kind::Marker)
      places.push_back(place);
  for (size_t i = 0; i < markers.size(); ++i) {
    markers[i]->name = random_.pick(contract_.states).name;
    for (LocalId l : locals_)
      if (isMarker(l) && thread_.local(l).place == places[i])
        markers[i]->name = contract_.states[stateOf_.at(keyOf(l))].name;
  }
}

ThreadContract Deriving::run(const std::string &name) {
  contract_.name = name;
  tracked_ = random_.below(static_cast<size_t>(code_.locals));
  chooseClaims();
  contract_.rely = threadRely_;
  memory_ = random_.oneIn(3) ? Memory::None : random_.oneIn(2) ? Memory::Names : Memory::Local;
  std::set<int> values{0};
  for (LocalId l : locals_)
    values.insert(remembered(l));
  if (memory_ == Memory::Local)
    contract_.locals.push_back(
        {"kept", ContractType::Range, *values.begin(), *values.rbegin(), std::nullopt});
  if (memory_ == Memory::Local && !random_.oneIn(4) && thread_.initial().size() == 1)
    contract_.locals[0].start = remembered(thread_.initial()[0]);
  explore();
  declareStates();
  for (const auto &[ends, steps] : steps_) {
    const auto &[from, to, action] = ends;
    const bool idle =
        from == to && !action && std::all_of(steps.begin(), steps.end(), [](const Seen &seen) {
          return seen.before == seen.after && seen.localBefore == seen.localAfter;
        });
    if (!idle)
      contract_.states[stateOf_.at(from)].edges.push_back(edge(ends, steps));
  }
  nameMarkers();
  return contract_;
}

} // namespace

ThreadContract derivedContract(Random &random, const SharedSpace &space,
                               const std::optional<Formula> &invariant, ThreadCode &code,
                               const std::string &name, Reading reading) {
  return Deriving(random, space, invariant, code, reading).run(name);
}

ThreadContract randomContract(Random &random, const SharedSpace &space, const std::string &name) {
  ThreadContract contract;
  contract.name = name;
  const size_t count = 2 + random.below(4);
  for (size_t i = 0; i < count; ++i) {
    ContractState state;
    state.name = "S" + std::to_string(i);
    state.initial = i == 0 || random.oneIn(6);
    state.final = i + 1 == count || random.oneIn(6);
    if (random.oneIn(4))
      state.assertion = randomClaim(random, space);
    if (random.oneIn(5))
      state.rely = randomRely(random, space);
    const size_t edges = 1 + random.below(3);
    for (size_t e = 0; e < edges; ++e) {
      ContractEdge edge;
      edge.target = e == 0 ? (i + 1) % count : random.below(count);
      const auto variable = static_cast<int>(random.below(dataCount(space.variables())));
      const Named named = namedShared(space.variables(), variable);
      if (random.oneIn(3))
        edge.havoc.push_back(variable);
      else if (!random.oneIn(3))
        edge.formula = combine(Op::Equal, named.after,
                               random.oneIn(3) ? named.before
                                               : literal(named.type, random.pick(named.domain)));
      if (random.oneIn(3)) {
        const Formula condition = randomClaim(random, space);
        edge.formula = edge.formula ? combine(Op::And, condition, *edge.formula) : condition;
      }
      state.edges.push_back(edge);
    }
    contract.states.push_back(state);
  }
  return contract;
}

} // namespace understudy::tests
