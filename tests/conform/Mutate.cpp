// SPDX-License-Identifier: Apache-2.0
#include "Mutate.h"

#include <algorithm>

namespace understudy::tests {
namespace {

using Op = Formula::Op;

size_t anyState(Random &random, const ThreadContract &contract) {
  return random.below(contract.states.size());
}

/// None if there is no edge at all.
ContractEdge *anyEdge(Random &random, ThreadContract &contract) {
  std::vector<ContractEdge *> edges;
  for (ContractState &state : contract.states)
    for (ContractEdge &edge : state.edges)
      edges.push_back(&edge);
  return edges.empty() ? nullptr : random.pick(edges);
}

std::string freshName(const ThreadContract &contract, const std::string &base) {
  for (size_t i = 2;; ++i) {
    const std::string name = base + "Copy" + std::to_string(i);
    if (std::none_of(contract.states.begin(), contract.states.end(),
                     [&](const ContractState &state) { return state.name == name; }))
      return name;
  }
}

bool failsAlways(const ContractState &state) {
  return state.assertion && state.assertion->op == Op::Truth && state.assertion->value == 0;
}

/// The second state disappears in the first.
void merge(Random &random, ThreadContract &contract) {
  const size_t first = anyState(random, contract);
  const size_t second = anyState(random, contract);
  if (first == second || failsAlways(contract.states[first]) ||
      failsAlways(contract.states[second]))
    return;
  ContractState &kept = contract.states[first];
  const ContractState gone = contract.states[second];
  kept.initial = kept.initial || gone.initial;
  kept.final = kept.final || gone.final;
  if (kept.assertion && gone.assertion)
    kept.assertion = combine(random.oneIn(3) ? Op::And : Op::Or, *kept.assertion, *gone.assertion);
  else if (random.oneIn(2))
    kept.assertion = std::nullopt;
  if (random.oneIn(2))
    kept.rely = gone.rely;
  kept.edges.insert(kept.edges.end(), gone.edges.begin(), gone.edges.end());
  for (ContractState &state : contract.states)
    for (ContractEdge &edge : state.edges)
      if (edge.target == second)
        edge.target = first;
}

/// A second state like this one, reached by the same edges: nondeterminism.
void copy(Random &random, ThreadContract &contract) {
  const size_t original = anyState(random, contract);
  const size_t added = contract.states.size();
  ContractState twin = contract.states[original];
  twin.name = freshName(contract, twin.name);
  if (random.oneIn(3))
    twin.assertion = std::nullopt;
  if (random.oneIn(2))
    twin.rely = std::nullopt;
  if (!twin.edges.empty() && random.oneIn(2))
    twin.edges.pop_back();
  contract.states.push_back(twin);
  for (ContractState &state : contract.states) {
    std::vector<ContractEdge> more;
    for (const ContractEdge &edge : state.edges)
      if (edge.target == original) {
        more.push_back(edge);
        more.back().target = added;
      }
    state.edges.insert(state.edges.end(), more.begin(), more.end());
  }
}

/// The edges of a state leave from a new one, which a silent edge leads to.
void splitSilently(Random &random, ThreadContract &contract) {
  const size_t front = anyState(random, contract);
  ContractState back = contract.states[front];
  back.name = freshName(contract, back.name);
  back.initial = false;
  const auto target = contract.states.size();
  contract.states[front].edges = {{target, std::nullopt, {}}};
  if (random.oneIn(2))
    contract.states[front].final = false;
  if (random.oneIn(2))
    (random.oneIn(2) ? back : contract.states[front]).assertion = std::nullopt;
  if (random.oneIn(2))
    (random.oneIn(2) ? back : contract.states[front]).rely = std::nullopt;
  if (random.oneIn(3))
    back.edges.push_back({front, std::nullopt, {}});
  contract.states.push_back(back);
}

void addSilent(Random &random, const SharedSpace &space, ThreadContract &contract) {
  ContractEdge edge;
  edge.target = anyState(random, contract);
  if (random.oneIn(2))
    edge.formula = randomClaim(random, space);
  contract.states[anyState(random, contract)].edges.push_back(edge);
}

/// The first conjunct goes, or all that is primed is set free.
void weaken(Random &random, ThreadContract &contract) {
  ContractEdge *edge = anyEdge(random, contract);
  if (!edge || !edge->formula)
    return;
  const Primed primed = primedIn(*edge->formula);
  if (random.oneIn(2) && edge->formula->op == Op::And) {
    const Formula rest = edge->formula->operands[1];
    if (primedIn(rest).shared == primed.shared && primedIn(rest).locals == primed.locals)
      edge->formula = rest;
  } else if (primed.locals.empty()) {
    edge->havoc.insert(edge->havoc.end(), primed.shared.begin(), primed.shared.end());
    std::sort(edge->havoc.begin(), edge->havoc.end());
    edge->havoc.erase(std::unique(edge->havoc.begin(), edge->havoc.end()), edge->havoc.end());
    edge->formula = std::nullopt;
  }
}

/// A number inside the formula is changed by one.
bool nudge(Random &random, Formula &formula) {
  if (formula.op == Op::Number) {
    formula.value += random.oneIn(2) ? 1 : -1;
    return true;
  }
  if (formula.op == Op::Shared || formula.op == Op::Local || formula.operands.empty())
    return false;
  if (formula.op == Op::Not && random.oneIn(2)) {
    formula = Formula(formula.operands[0]);
    return true;
  }
  return nudge(random, formula.operands[random.below(formula.operands.size())]);
}

void dropEdge(Random &random, ThreadContract &contract) {
  std::vector<ContractState *> having;
  for (ContractState &state : contract.states)
    if (!state.edges.empty())
      having.push_back(&state);
  if (having.empty())
    return;
  std::vector<ContractEdge> &edges = random.pick(having)->edges;
  edges.erase(edges.begin() + static_cast<std::ptrdiff_t>(random.below(edges.size())));
}

/// Of a state that has one, if any has.
void dropClaim(Random &random, ThreadContract &contract,
               std::optional<Formula> ContractState::*claim) {
  std::vector<ContractState *> having;
  for (ContractState &state : contract.states)
    if (state.*claim)
      having.push_back(&state);
  if (!having.empty())
    random.pick(having)->*claim = std::nullopt;
}

void changeClaims(Random &random, const SharedSpace &space, ThreadContract &contract) {
  ContractState &state = contract.states[anyState(random, contract)];
  switch (random.below(6)) {
  case 0:
  case 1:
  case 2:
    return dropClaim(random, contract, &ContractState::assertion);
  case 3:
    return dropClaim(random, contract, &ContractState::rely);
  case 4:
    state.assertion = randomClaim(random, space);
    break;
  default:
    state.rely = randomRely(random, space);
  }
}

void changeEdge(Random &random, const SharedSpace &space, ThreadContract &contract) {
  ContractEdge *edge = anyEdge(random, contract);
  if (!edge)
    return;
  switch (random.below(4)) {
  case 0:
    edge->target = anyState(random, contract);
    break;
  case 1:
    if (edge->formula)
      nudge(random, *edge->formula);
    break;
  case 2: {
    const Formula condition = randomClaim(random, space);
    edge->formula = edge->formula ? combine(Op::And, condition, *edge->formula) : condition;
    break;
  }
  default:
    edge->havoc.clear();
  }
}

} // namespace

void loosen(Random &random, const SharedSpace &space, ThreadContract &contract) {
  switch (random.below(6)) {
  case 0:
  case 1:
    return merge(random, contract);
  case 2:
    return copy(random, contract);
  case 3:
    return splitSilently(random, contract);
  case 4:
    return addSilent(random, space, contract);
  default:
    return weaken(random, contract);
  }
}

void distort(Random &random, const SharedSpace &space, ThreadContract &contract) {
  switch (random.below(9)) {
  case 0:
  case 1:
    return dropEdge(random, contract);
  case 2:
  case 3:
  case 4:
    return changeClaims(random, space, contract);
  case 5:
  case 6:
    return changeEdge(random, space, contract);
  case 7:
    if (random.oneIn(2))
      contract.assertion = randomClaim(random, space);
    else
      contract.rely = randomRely(random, space);
    return;
  default: {
    ContractState &state = contract.states[anyState(random, contract)];
    (random.oneIn(2) ? state.final : state.initial) ^= true;
  }
  }
}

namespace {

/// What is held after the edge; none: it takes a mutex that is held, or releases one that is not.
std::optional<std::set<int>> heldAfter(std::set<int> held, const ContractEdge &edge) {
  if (!edge.action)
    return held;
  const bool locks = edge.action->kind == LockAction::Kind::Lock;
  const bool fits =
      locks ? held.insert(edge.action->lock).second : held.erase(edge.action->lock) > 0;
  return fits ? std::optional(held) : std::nullopt;
}

bool changesOnlyHeld(const SharedSpace &space, const ContractEdge &edge,
                     const std::set<int> &before, const std::set<int> &after) {
  std::set<int> changed = edge.formula ? primedIn(*edge.formula).shared : std::set<int>{};
  changed.insert(edge.havoc.begin(), edge.havoc.end());
  return std::all_of(changed.begin(), changed.end(), [&](int variable) {
    const int guard = space.variables()[static_cast<size_t>(variable)].guardedBy;
    return guard < 0 || before.contains(guard) || after.contains(guard);
  });
}

} // namespace

bool keepsLockRules(const SharedSpace &space, const ThreadContract &contract) {
  std::vector<std::optional<std::set<int>>> held(contract.states.size());
  std::vector<size_t> todo;
  for (size_t i = 0; i < contract.states.size(); ++i)
    if (contract.states[i].initial) {
      held[i].emplace();
      todo.push_back(i);
    }
  while (!todo.empty()) {
    const size_t state = todo.back();
    todo.pop_back();
    if (contract.states[state].final && !held[state]->empty())
      return false;
    for (const ContractEdge &edge : contract.states[state].edges) {
      const auto after = heldAfter(*held[state], edge);
      if (!after || !changesOnlyHeld(space, edge, *held[state], *after))
        return false;
      if (held[edge.target] && *held[edge.target] != *after)
        return false;
      if (held[edge.target])
        continue;
      held[edge.target] = after;
      todo.push_back(edge.target);
    }
  }
  return true;
}

bool tidy(ThreadContract &contract) {
  std::vector<size_t> order;
  std::vector<std::optional<size_t>> number(contract.states.size());
  const auto reach = [&](size_t state) {
    if (!number[state]) {
      number[state] = order.size();
      order.push_back(state);
    }
  };
  for (size_t i = 0; i < contract.states.size(); ++i)
    if (contract.states[i].initial)
      reach(i);
  for (size_t next = 0; next < order.size(); ++next)
    for (const ContractEdge &edge : contract.states[order[next]].edges)
      reach(edge.target);
  std::vector<ContractState> kept;
  for (size_t state : order) {
    kept.push_back(contract.states[state]);
    for (ContractEdge &edge : kept.back().edges)
      edge.target = *number[edge.target];
  }
  contract.states = kept;
  return !kept.empty();
}

} // namespace understudy::tests
