// SPDX-License-Identifier: Apache-2.0
#include "compose/sequential/Unroll.h"

#include "logic/Error.h"
#include "logic/Simplify.h"
#include "logic/Substitute.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

namespace understudy::compose::sequential {

namespace {

using logic::Op;

/// The values of an edge's variables after it, found conjunct by conjunct.
class EdgeEffect {
public:
  EdgeEffect(const Flow &flow, const FlowEdge &edge, const std::vector<Term> &before)
      : flow_(flow), edge_(edge), before_(before), after_(before) {
    for (VariableIndex v : edge.modified)
      after_[v] = Term();
  }

  /// Assignments whose value is atomic need no variable and leave nothing to state. False: the
  /// value does not lie in the variable's sort, so the edge cannot be taken.
  bool assignAtoms(std::vector<Term> &rest) {
    for (const Conjunct &conjunct : edge_.conjuncts) {
      Term atom = conjunct.target ? atomOf(conjunct) : Term();
      if (!atom) {
        rest.push_back(conjunct.formula);
      } else if (!conjunct.total && !isValueOf(atom, *conjunct.target)) {
        if (atom.isConstant())
          return false;
        rest.push_back(conjunct.formula);
      } else {
        after_[*conjunct.target] = atom;
      }
    }
    return true;
  }

  template <typename Fresh>
  Term translate(Term formula, Fresh fresh) {
    bool folds = false;
    Term result = logic::substitute(formula, [&](Variable variable, bool primed) {
      VariableIndex v = flow_.indexOf.at(variable);
      if (primed && !after_[v])
        after_[v] = fresh(v);
      const Term &term = primed ? after_[v] : before_[v];
      if (!term)
        throw std::logic_error("a dead variable is read");
      folds = folds || term.isConstant();
      return term;
    });
    return folds ? logic::simplify(result) : result;
  }

  std::vector<Term> &after() { return after_; }

private:
  const Flow &flow_;
  const FlowEdge &edge_;
  const std::vector<Term> &before_;
  std::vector<Term> after_;

  Term atomOf(const Conjunct &conjunct) const {
    if (conjunct.value.isConstant())
      return conjunct.value;
    if (conjunct.value.op() == Op::Variable)
      return before_[flow_.indexOf.at(conjunct.value.variable())];
    bool known = std::all_of(conjunct.reads.begin(), conjunct.reads.end(),
                             [&](VariableIndex v) { return before_[v].isConstant(); });
    if (!known)
      return Term();
    Term value = logic::simplify(logic::substitute(conjunct.value, [&](Variable variable, bool) {
      return before_[flow_.indexOf.at(variable)];
    }));
    return value.isConstant() ? value : Term();
  }

  bool isValueOf(Term atom, VariableIndex variable) const {
    logic::Sort sort = flow_.variables[variable].sort();
    if (!atom.isConstant())
      return atom.sort() == sort;
    return logic::simplify(flow_.pool().inSort(atom, sort)).isTrue();
  }
};

} // namespace

PointId Unroller::start(NodeId node) {
  Point point{node, {}, {}, std::vector<Term>(flow_.variables.size()), {}};
  for (VariableIndex v : flow_.live[node])
    point.values[v] = flow_.pool().var(flow_.variables[v]);
  return append(std::move(point));
}

PointId Unroller::start(NodeId node, const PartialState &state) {
  PointId id = start(node);
  Point &point = points_[id];
  for (VariableIndex v : flow_.live[node]) {
    if (!state[v])
      continue;
    Term value = logic::termOf(flow_.pool(), *state[v], flow_.variables[v].sort());
    if (state[v]->isArray())
      point.pending.push_back(flow_.pool().equal(point.values[v], value));
    else
      point.values[v] = value;
  }
  return id;
}

/// Stores the point, with what is known of its node.
PointId Unroller::append(Point point) {
  if (auto found = flow_.hints.find(point.node); found != flow_.hints.end()) {
    Term known = logic::substitute(
        found->second.formula, [&](Variable v, bool) { return point.values[flow_.indexOf.at(v)]; });
    if (!known.isTrue())
      point.pending.push_back(known);
    for (const auto &[variable, constant] : found->second.constants)
      point.values[variable] = constant;
  }
  points_.push_back(std::move(point));
  return static_cast<PointId>(points_.size() - 1);
}

Unroller::Arrivals Unroller::advance(PointId from) {
  return advanceThrough(from, nodesAfter(flow_, points_[from].node), std::nullopt);
}

std::vector<Unroller::Arrival> Unroller::advance(PointId from, NodeId target) {
  return advanceThrough(from, nodesBetween(flow_, points_[from].node, target), target)[target];
}

Unroller::Arrivals Unroller::advanceThrough(PointId from, const std::vector<NodeId> &inner,
                                            std::optional<NodeId> target) {
  const std::unordered_set<NodeId> allowed(inner.begin(), inner.end());
  auto edgesOf = [&](NodeId node) {
    std::vector<uint32_t> result;
    for (uint32_t e : flow_.out[node]) {
      NodeId next = flow_.edges[e].target;
      if (flow_.cut[next] ? !target || next == *target : allowed.contains(next))
        result.push_back(e);
    }
    return result;
  };
  Arrivals arrivals;
  leave(from, edgesOf(points_[from].node), arrivals);
  for (NodeId node : inner) {
    auto found = arrivals.find(node);
    if (found == arrivals.end())
      continue;
    PointId point = join(node, std::move(found->second));
    arrivals.erase(found);
    leave(point, edgesOf(node), arrivals);
  }
  return arrivals;
}

void Unroller::leave(PointId point, const std::vector<uint32_t> &edges, Arrivals &arrivals) {
  // Long chains are cut into pieces, so that their conditions are not copied again and again.
  constexpr size_t longest = 32;
  if (edges.size() > 1 || points_[point].pending.size() > longest)
    name(point);
  for (uint32_t e : edges)
    if (auto arrival = take(point, e, points_[point].pending))
      arrivals[flow_.edges[e].target].push_back(std::move(*arrival));
}

std::optional<PointId> Unroller::follow(PointId from, const std::vector<uint32_t> &edges) {
  PointId point = from;
  for (uint32_t e : edges) {
    auto arrival = take(point, e, std::exchange(points_[point].pending, {}));
    if (!arrival)
      return std::nullopt;
    point = join(flow_.edges[e].target, {std::move(*arrival)});
  }
  return point;
}

/// None if the edge can be seen to be impossible.
std::optional<Unroller::Arrival> Unroller::take(PointId source, uint32_t id,
                                                std::vector<Term> pending) {
  const FlowEdge &edge = flow_.edges[id];
  EdgeEffect effect(flow_, edge, points_[source].values);
  std::vector<Term> rest;
  if (!effect.assignAtoms(rest))
    return std::nullopt;
  auto fresh = [&](VariableIndex v) {
    return freshVariable(flow_.variables[v].name(), flow_.variables[v].sort());
  };
  Term condition = effect.translate(flow_.pool().conjunction(std::move(rest)), fresh);
  if (condition.isFalse())
    return std::nullopt;
  if (!condition.isTrue())
    pending.push_back(condition);
  std::vector<Term> values(flow_.variables.size());
  for (VariableIndex v : flow_.live[edge.target])
    values[v] = effect.after()[v] ? effect.after()[v] : fresh(v);
  return Arrival{source, id, points_[source].guard, std::move(pending), std::move(values), {}};
}

void Unroller::name(PointId id) {
  Point &point = points_[id];
  if (point.pending.empty())
    return;
  Term literal = freshVariable("at", flow_.pool().boolSort());
  assertions_.push_back(flow_.pool().implies(literal, conjunctionOf(point.guard, point.pending)));
  point.guard = literal;
  point.pending.clear();
}

PointId Unroller::join(NodeId node, std::vector<Arrival> arrivals) {
  Point point{node, {}, {}, arrivals.front().values, {}};
  if (arrivals.size() == 1) {
    point.guard = arrivals[0].guard;
    point.pending = std::exchange(arrivals[0].pending, {});
  } else {
    for (VariableIndex v : flow_.live[node]) {
      bool same = std::all_of(arrivals.begin(), arrivals.end(), [&](const Arrival &a) {
        return a.values[v] == arrivals[0].values[v];
      });
      if (same)
        continue;
      point.values[v] = freshVariable(flow_.variables[v].name(), flow_.variables[v].sort());
      for (Arrival &arrival : arrivals)
        arrival.pending.push_back(flow_.pool().equal(point.values[v], arrival.values[v]));
    }
    std::vector<Term> ways;
    for (Arrival &arrival : arrivals) {
      arrival.taken = freshVariable("by", flow_.pool().boolSort());
      ways.push_back(arrival.taken);
      assertions_.push_back(flow_.pool().implies(
          arrival.taken, conjunctionOf(arrival.guard, std::exchange(arrival.pending, {}))));
    }
    point.guard = freshVariable("at", flow_.pool().boolSort());
    assertions_.push_back(flow_.pool().implies(point.guard, flow_.pool().disjunction(ways)));
  }
  point.arrivals = std::move(arrivals);
  return append(std::move(point));
}

std::vector<Term> Unroller::conditions(PointId id) const {
  const Point &point = points_[id];
  std::vector<Term> result = point.pending;
  if (point.guard)
    result.push_back(point.guard);
  return result;
}

Term Unroller::freshVariable(const std::string &name, logic::Sort sort) {
  // No name of a program contains '@'.
  return flow_.pool().var(flow_.pool().variable("@", name + "@" + std::to_string(fresh_++), sort));
}

Term Unroller::conjunctionOf(Term guard, const std::vector<Term> &pending) const {
  std::vector<Term> all = pending;
  if (guard)
    all.push_back(guard);
  return flow_.pool().conjunction(std::move(all));
}

PartialState Unroller::stateOf(const std::vector<Term> &values,
                               const logic::solver::Model &model) const {
  PartialState result(values.size());
  for (size_t v = 0; v < values.size(); ++v) {
    if (!values[v])
      continue;
    if (values[v].isConstant()) {
      result[v] = logic::Value(values[v].value());
    } else {
      // A variable that no condition mentions can have any value.
      auto value = model.valueOf(values[v].variable(), false);
      result[v] = value ? *value : logic::defaultValue(values[v].sort());
    }
  }
  return result;
}

FlowPath Unroller::path(PointId end, const logic::solver::Model &model) const {
  FlowPath result;
  PointId id = end;
  while (!points_[id].arrivals.empty()) {
    const std::vector<Arrival> &arrivals = points_[id].arrivals;
    auto isTaken = [&](const Arrival &a) {
      if (!a.taken)
        return true;
      auto value = model.valueOf(a.taken.variable(), false);
      return value && value->number() != 0;
    };
    auto found = std::find_if(arrivals.begin(), arrivals.end(), isTaken);
    if (found == arrivals.end())
      throw logic::Unsupported("a model of Z3 could not be read");
    result.edges.push_back(found->edge);
    result.after.push_back(stateOf(found->values, model));
    id = found->source;
  }
  result.start = stateOf(points_[id].values, model);
  std::reverse(result.edges.begin(), result.edges.end());
  std::reverse(result.after.begin(), result.after.end());
  return result;
}

} // namespace understudy::compose::sequential
