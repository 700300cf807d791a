// SPDX-License-Identifier: Apache-2.0
#include "passes/checker/Machine.h"

#include "logic/Error.h"
#include "logic/Simplify.h"
#include "logic/Substitute.h"
#include "logic/Words.h"

#include <algorithm>
#include <functional>
#include <map>

namespace understudy::passes::checker {

using compose::Claim;
using logic::TermPool;

namespace {

constexpr size_t maxNodes = 4096;

class Builder {
public:
  Builder(const specs::Compiled &contract, const specs::ThreadBinding &thread)
      : contract_(contract), pool_(*contract.program.pool) {
    result_.binding = &thread;
    result_.program = &contract.program;
  }

  Machine run() {
    sortVariables();
    enumerateLocals(0, {});
    for (size_t state = 0; state < thread().locations.size(); ++state)
      addNodes(static_cast<compose::LocationId>(state));
    for (size_t edge = 0; edge < thread().edges.size(); ++edge)
      addEdges(static_cast<compose::EdgeId>(edge));
    std::vector<Term> same;
    for (Variable v : result_.shared)
      same.push_back(pool_.equal(pool_.primed(v), pool_.var(v)));
    result_.unchanged = pool_.conjunction(std::move(same));
    orderSilentMoves();
    return std::move(result_);
  }

private:
  using Valuation = std::vector<int64_t>;
  const specs::Compiled &contract_;
  TermPool &pool_;
  Machine result_;
  std::vector<Valuation> valuations_;
  std::map<compose::LocationId, uint32_t> firstNode_; ///< the others follow, one per valuation

  const compose::Template &thread() const { return result_.thread(); }

  void sortVariables() {
    for (Variable v : contract_.program.globals) {
      bool ghost = std::any_of(contract_.shared.begin(), contract_.shared.end(),
                               [&](const auto &s) { return s.variable == v && s.ghost; });
      bool flag = contract_.program.isMutexFlag(v);
      (ghost || flag ? result_.unseen : result_.shared).push_back(v);
    }
  }

  bool isUnseen(Variable v) const {
    return std::find(result_.unseen.begin(), result_.unseen.end(), v) != result_.unseen.end();
  }

  bool isGhost(Variable v) const { return isUnseen(v) && !contract_.program.isMutexFlag(v); }

  void enumerateLocals(size_t index, Valuation chosen) {
    if (index == thread().locals.size()) {
      valuations_.push_back(std::move(chosen));
      return;
    }
    auto values = thread().locals[index].sort().values(maxNodes);
    if (!values || valuations_.size() * thread().locations.size() > maxNodes)
      throw logic::Unsupported("the contract of " + thread().name +
                                   " has too many states: its locals have too many values",
                               result_.binding->range);
    for (int64_t value : *values) {
      chosen.push_back(value);
      enumerateLocals(index + 1, chosen);
      chosen.pop_back();
    }
  }

  /// The formula for these values of the locals before and after.
  Term at(Term formula, const Valuation &before, const Valuation &after) {
    if (thread().locals.empty())
      return formula;
    return logic::simplify(logic::substitute(formula, [&](Variable v, bool primed) {
      for (size_t i = 0; i < before.size(); ++i)
        if (thread().locals[i] == v)
          return pool_.constant(v.sort(), primed ? after[i] : before[i]);
      return Term{};
    }));
  }

  std::string nodeName(const compose::Location &state, const Valuation &valuation) const {
    std::vector<std::string> parts;
    for (size_t i = 0; i < valuation.size(); ++i)
      parts.push_back(thread().locals[i].name() + " = " +
                      logic::valueText(valuation[i], thread().locals[i].sort()));
    return state.name + (parts.empty() ? "" : "(" + logic::joined(parts) + ")");
  }

  bool isError(compose::LocationId state) const {
    return thread().locations[state].kind == compose::LocationKind::Error;
  }

  void addNodes(compose::LocationId state) {
    const compose::Location &location = thread().locations[state];
    if (isError(state))
      return;
    firstNode_[state] = static_cast<uint32_t>(result_.nodes.size());
    const auto &initials = thread().initials;
    bool initial = std::find(initials.begin(), initials.end(), state) != initials.end();
    std::vector<Term> relies;
    for (const Claim &claim : location.relies)
      relies.push_back(claim.formula);
    for (const Valuation &valuation : valuations_) {
      MachineNode node;
      node.state = state;
      node.name = nodeName(location, valuation);
      node.initial = initial && !at(thread().initial, valuation, valuation).isFalse();
      node.final = location.kind == compose::LocationKind::Final;
      node.rely = pool_.conjunction(relies);
      node.assertion = assertionOf(state, valuation);
      result_.nodes.push_back(std::move(node));
    }
  }

  /// Assertions are error edges in the template; invariants belong to every state.
  Term assertionOf(compose::LocationId state, const Valuation &valuation) {
    std::vector<Term> parts;
    for (const Claim &claim : contract_.program.invariants)
      parts.push_back(claim.formula);
    for (const compose::Edge &edge : thread().edges)
      if (edge.source == state && edge.failure == compose::FailureKind::Assertion)
        parts.push_back(pool_.negate(at(edge.relation, valuation, valuation)));
    return pool_.conjunction(std::move(parts));
  }

  std::string mutexName(compose::MutexId mutex) const {
    return contract_.program.mutexes[mutex].name;
  }
  const std::string &conditionName(compose::CondId condition) const {
    return contract_.program.conditions[condition];
  }

  std::string actionOf(const compose::Edge &edge) const {
    if (std::holds_alternative<std::monostate>(edge.action))
      return "";
    if (const auto *call = std::get_if<compose::CallFunction>(&edge.action))
      return "call " + call->name;
    if (const auto *lock = std::get_if<compose::LockMutex>(&edge.action))
      return "lock " + mutexName(lock->mutex);
    if (const auto *unlock = std::get_if<compose::UnlockMutex>(&edge.action))
      return "unlock " + mutexName(unlock->mutex);
    if (const auto *wait = std::get_if<compose::WaitCond>(&edge.action))
      return "wait " + conditionName(wait->cond) + " with " + mutexName(wait->mutex.value());
    if (const auto *signal = std::get_if<compose::SignalCond>(&edge.action))
      return "signal " + conditionName(signal->cond);
    if (const auto *broadcast = std::get_if<compose::BroadcastCond>(&edge.action))
      return "broadcast " + conditionName(broadcast->cond);
    return edge.text; // forks and joins: no step of the code carries them yet
  }

  void addEdges(compose::EdgeId id) {
    const compose::Edge &edge = thread().edges[id];
    bool calledAgain = result_.binding->kind == specs::syntax::ThreadKind::Handler &&
                       thread().locations[edge.source].kind == compose::LocationKind::Final &&
                       edge.text == "called again";
    if (edge.failure || calledAgain)
      return;
    Term match = matchOf(edge);
    for (size_t i = 0; i < valuations_.size(); ++i)
      for (size_t j = 0; j < valuations_.size(); ++j)
        if (localsMayChange(edge, valuations_[i], valuations_[j]))
          addEdge(id, match, i, j);
    if (const auto &waiting = thread().locations[edge.target].waiting)
      addWakeUp(id, *waiting);
  }

  /// Another thread's signal moves the thread on: nothing that its own code does.
  void addWakeUp(compose::EdgeId wait, const compose::Waiting &waiting) {
    for (uint32_t i = 0; i < valuations_.size(); ++i)
      result_.edges.push_back({firstNode_.at(thread().edges[wait].target) + i,
                               firstNode_.at(waiting.wakesTo) + i, wait, pool_.boolean(false),
                               pool_.boolean(true), ""});
  }

  bool localsMayChange(const compose::Edge &edge, const Valuation &a, const Valuation &b) const {
    for (size_t i = 0; i < a.size(); ++i)
      if (a[i] != b[i] && std::find(edge.modified.begin(), edge.modified.end(),
                                    thread().locals[i]) == edge.modified.end())
        return false;
    return true;
  }

  void addEdge(compose::EdgeId id, Term match, size_t before, size_t after) {
    const compose::Edge &edge = thread().edges[id];
    MachineEdge result;
    result.source = firstNode_.at(edge.source) + static_cast<uint32_t>(before);
    result.target = firstNode_.at(edge.target) + static_cast<uint32_t>(after);
    result.edge = id;
    result.match = at(match, valuations_[before], valuations_[after]);
    result.action = actionOf(edge);
    result.silent = pool_.boolean(false);
    if (result.action.empty())
      result.silent = logic::simplify(logic::substitute(
          result.match, [&](Variable v, bool primed) { return primed ? pool_.var(v) : Term{}; }));
    if (!result.match.isFalse())
      result_.edges.push_back(std::move(result));
  }

  /// A ghost is set, never tested, and can always be set: what is said of ghosts does not count.
  Term matchOf(const compose::Edge &edge) {
    std::vector<Term> parts;
    for (const Term &conjunct : logic::conjunctsOf(edge.relation)) {
      auto uses = logic::variablesOf(conjunct);
      if (std::none_of(uses.begin(), uses.end(),
                       [&](const auto &u) { return isGhost(u.variable); }))
        parts.push_back(conjunct);
    }
    for (Variable v : result_.shared)
      if (!std::binary_search(edge.modified.begin(), edge.modified.end(), v))
        parts.push_back(pool_.equal(pool_.primed(v), pool_.var(v)));
    return pool_.conjunction(std::move(parts));
  }

  // Tarjan's strongly connected components of the silent moves; they come out last to first.
  struct Components {
    const std::vector<std::vector<uint32_t>> &successors;
    std::vector<uint32_t> index, low, stack;
    std::vector<bool> open;
    uint32_t next = 1;
    std::vector<std::vector<uint32_t>> found;

    explicit Components(const std::vector<std::vector<uint32_t>> &graph)
        : successors(graph), index(graph.size()), low(graph.size()), open(graph.size()) {
      for (uint32_t node = 0; node < graph.size(); ++node)
        if (index[node] == 0)
          visit(node);
    }

    void visit(uint32_t node) {
      index[node] = low[node] = next++;
      stack.push_back(node);
      open[node] = true;
      for (uint32_t successor : successors[node]) {
        if (index[successor] == 0) {
          visit(successor);
          low[node] = std::min(low[node], low[successor]);
        } else if (open[successor]) {
          low[node] = std::min(low[node], index[successor]);
        }
      }
      if (low[node] != index[node])
        return;
      std::vector<uint32_t> component;
      do {
        component.push_back(stack.back());
        open[stack.back()] = false;
        stack.pop_back();
      } while (component.back() != node);
      std::sort(component.begin(), component.end());
      found.push_back(std::move(component));
    }
  };

  void orderSilentMoves() {
    std::vector<std::vector<uint32_t>> successors(result_.nodes.size());
    for (const MachineEdge &edge : result_.edges)
      if (!edge.silent.isFalse() && edge.source != edge.target)
        successors[edge.source].push_back(edge.target);
    Components components(successors);
    result_.silentOrder.assign(components.found.rbegin(), components.found.rend());
  }
};

} // namespace

std::vector<uint32_t> Machine::nodesOf(const std::string &state) const {
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < nodes.size(); ++i)
    if (thread().locations[nodes[i].state].name == state)
      found.push_back(i);
  return found;
}

Machine makeMachine(const specs::Compiled &contract, const specs::ThreadBinding &thread) {
  return Builder(contract, thread).run();
}

MachineRun::Nodes MachineRun::initial() const {
  Nodes result;
  for (uint32_t i = 0; i < machine_.nodes.size(); ++i)
    if (machine_.nodes[i].initial)
      result.insert(i);
  return result;
}

bool MachineRun::relates(Term formula, const State &before, const State &after) const {
  const auto &globals = machine_.program->globals;
  return logic::holds(formula, [&](Variable v, bool primed) {
    auto index =
        static_cast<size_t>(std::find(globals.begin(), globals.end(), v) - globals.begin());
    return primed ? after.at(index) : before.at(index);
  });
}

bool MachineRun::holds(Term formula, const State &at) const { return relates(formula, at, at); }

MachineRun::Nodes MachineRun::close(Nodes nodes, const State &at) const {
  for (bool grown = true; grown;) {
    grown = false;
    for (const MachineEdge &edge : machine_.edges)
      if (nodes.contains(edge.source) && !nodes.contains(edge.target) && holds(edge.silent, at)) {
        nodes.insert(edge.target);
        grown = true;
      }
  }
  return nodes;
}

MachineRun::Nodes MachineRun::move(const Nodes &nodes, const State &before, const State &after,
                                   const std::string &action) const {
  Nodes result;
  if (action.empty() && relates(machine_.unchanged, before, after))
    result = nodes;
  for (const MachineEdge &edge : machine_.edges)
    if (edge.action == action && nodes.contains(edge.source) && !result.contains(edge.target) &&
        relates(edge.match, before, after))
      result.insert(edge.target);
  return result;
}

} // namespace understudy::passes::checker
