// SPDX-License-Identifier: Apache-2.0
#include "compose/sequential/Boxes.h"

#include "compose/sequential/Abstract.h"

#include <set>

namespace understudy::compose::sequential {

namespace {

using logic::Op;
using Valuation = std::vector<int64_t>;

constexpr size_t mostBoxes = 128;  ///< at a node
constexpr size_t mostSplits = 256; ///< of a step

/// Constants with which numbers are compared, by variable.
class Thresholds {
public:
  explicit Thresholds(const Flow &flow) : flow_(flow), sets_(flow.variables.size()) {
    for (const FlowEdge &edge : flow.edges)
      for (const Conjunct &conjunct : edge.conjuncts)
        visit(conjunct.formula);
  }

  Wide below(VariableIndex v, Wide bound) const {
    auto found = sets_[v].upper_bound(bound);
    return found == sets_[v].begin() ? -Interval::infinity : *std::prev(found);
  }
  Wide above(VariableIndex v, Wide bound) const {
    auto found = sets_[v].lower_bound(bound);
    return found == sets_[v].end() ? Interval::infinity : *found;
  }

private:
  const Flow &flow_;
  std::vector<std::set<Wide>> sets_;
  std::set<Term> seen_;

  void visit(Term formula) {
    std::vector<Term> work{formula};
    while (!work.empty()) {
      Term t = work.back();
      work.pop_back();
      if (t.operands().empty() || !seen_.insert(t).second)
        continue;
      bool compares = t.op() == Op::Equal || t.op() == Op::Less || t.op() == Op::LessEqual;
      if (compares && t.operand(0).sort().isNumeric())
        note(t);
      work.insert(work.end(), t.operands().begin(), t.operands().end());
    }
  }

  /// Every constant below the comparison, beside every variable directly in its sums.
  void note(Term comparison) {
    std::vector<VariableIndex> variables;
    std::vector<int64_t> constants{0};
    std::vector<Term> work{comparison.operand(0), comparison.operand(1)};
    while (!work.empty()) {
      Term t = work.back();
      work.pop_back();
      if (t.op() == Op::Variable)
        variables.push_back(flow_.indexOf.at(t.variable()));
      else if (t.op() == Op::Constant)
        constants.push_back(t.value());
      else if (t.op() == Op::Add || t.op() == Op::Multiply)
        work.insert(work.end(), t.operands().begin(), t.operands().end());
    }
    for (VariableIndex v : variables)
      for (int64_t constant : constants)
        for (Wide near : {-1, 0, 1})
          for (Wide sign : {-1, 1})
            sets_[v].insert(sign * constant + near);
  }
};

/// The nodes that only lead to the error, as the block that reports it does.
std::vector<bool> doomedNodes(const Flow &flow) {
  std::vector<size_t> ways(flow.nodes());
  std::vector<std::vector<NodeId>> sources(flow.nodes());
  for (const FlowEdge &edge : flow.edges) { // with those that the flow leaves out
    ++ways[edge.source];
    sources[edge.target].push_back(edge.source);
  }
  std::vector<bool> doomed(flow.nodes(), false);
  doomed[errorNode] = true;
  std::vector<NodeId> work{errorNode};
  while (!work.empty()) {
    NodeId node = work.back();
    work.pop_back();
    for (NodeId source : sources[node])
      if (--ways[source] == 0) {
        doomed[source] = true;
        work.push_back(source);
      }
  }
  return doomed;
}

class BoxRun {
public:
  BoxRun(const Flow &flow, Budget &budget)
      : flow_(flow), budget_(budget), solver_(flow.pool(), budget.limits()), thresholds_(flow),
        doomed_(doomedNodes(flow)), rounds_(flow.nodes()), pending_(flow.nodes()),
        work_([&flow](NodeId a, NodeId b) {
          return std::pair(flow.rank[a], a) < std::pair(flow.rank[b], b);
        }) {
    boxes_.at.resize(flow.nodes());
    boxes_.origins.resize(flow.nodes());
    boxes_.possible.assign(flow.edges.size(), false);
  }

  std::optional<Boxes> run() {
    boxes_.at[entryNode] = everything(entryNode);
    for (const auto &[valuation, box] : boxes_.at[entryNode])
      pending_[entryNode].insert(valuation);
    work_.insert(entryNode);
    while (!work_.empty()) {
      NodeId node = *work_.begin();
      work_.erase(work_.begin());
      if (!visit(node) || budget_.exhausted())
        return std::nullopt;
    }
    boxes_.excludesError = boxes_.at[errorNode].empty();
    return std::move(boxes_);
  }

private:
  using Order = std::function<bool(NodeId, NodeId)>;
  struct Outcome {
    Valuation valuation;
    Box box;
  };

  const Flow &flow_;
  Budget &budget_;
  logic::solver::Solver solver_;
  Thresholds thresholds_;
  std::vector<bool> doomed_;
  Boxes boxes_;
  std::vector<std::map<Valuation, int>> rounds_; ///< how often a box at a cut has grown
  std::vector<std::set<Valuation>> pending_;     ///< boxes that are new or have grown
  std::set<NodeId, Order> work_;

  /// The start: no finite variable is known, so each is split off when an edge leaves the entry.
  std::map<Valuation, Box> everything(NodeId node) const {
    Box box;
    for (VariableIndex v : flow_.live[node]) {
      box.same.push_back(static_cast<uint32_t>(box.same.size()));
      box.intervals.push_back(Interval::of(flow_.variables[v].sort()));
    }
    return {{Valuation{}, box}};
  }

  bool visit(NodeId node) {
    std::set<Valuation> changed = std::exchange(pending_[node], {});
    for (uint32_t e : flow_.out[node])
      for (const Valuation &valuation : changed) {
        auto outcomes = step(flow_.edges[e], valuation, boxes_.at[node].at(valuation));
        if (!outcomes)
          return false;
        for (Outcome &outcome : *outcomes)
          if (!add(e, valuation, std::move(outcome)))
            return false;
      }
    return true;
  }

  bool add(uint32_t edge, const Valuation &from, Outcome outcome) {
    NodeId node = flow_.edges[edge].target;
    if (node == errorNode && !boxes_.possible[edge])
      boxes_.failures.push_back({edge, from});
    boxes_.possible[edge] = true;
    boxes_.steps.insert({edge, from, outcome.valuation});
    boxes_.origins[node].try_emplace(outcome.valuation, Boxes::Origin{edge, from});
    auto [found, isNew] = boxes_.at[node].try_emplace(outcome.valuation, outcome.box);
    if (boxes_.at[node].size() > mostBoxes)
      return false;
    if (!isNew) {
      Box grown = joined(node, outcome, found->second);
      if (grown == found->second)
        return true;
      found->second = std::move(grown);
    }
    pending_[node].insert(std::move(outcome.valuation));
    work_.insert(node);
    return true;
  }

  /// The hull of old and new; at cuts, after a while, further out.
  Box joined(NodeId node, const Outcome &outcome, const Box &old) {
    constexpr int patience = 2;
    constexpr int steps = 12;
    Box result = old;
    result.same = commonClasses(old, outcome.box);
    bool contained = true;
    for (size_t i = 0; i < old.same.size(); ++i)
      contained = contained && old.intervals[i].contains(outcome.box.intervals[i]);
    if (contained)
      return result;
    int round = flow_.cut[node] ? ++rounds_[node][outcome.valuation] : 0;
    size_t i = 0;
    for (VariableIndex v : flow_.live[node]) {
      if (isFinite(flow_.variables[v]))
        continue;
      Interval sort = Interval::of(flow_.variables[v].sort());
      const Interval &before = old.intervals[i];
      Interval hull = before.hull(outcome.box.intervals[i]);
      if (round > patience && hull.lower < before.lower)
        hull.lower =
            round > steps ? sort.lower : std::max(sort.lower, thresholds_.below(v, hull.lower));
      if (round > patience && hull.upper > before.upper)
        hull.upper =
            round > steps ? sort.upper : std::min(sort.upper, thresholds_.above(v, hull.upper));
      result.intervals[i++] = hull;
    }
    return result;
  }

  /// Equal are those that are equal in both.
  static std::vector<uint32_t> commonClasses(const Box &a, const Box &b) {
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> firsts;
    std::vector<uint32_t> result;
    for (uint32_t i = 0; i < a.same.size(); ++i)
      result.push_back(firsts.try_emplace({a.same[i], b.same[i]}, i).first->second);
    return result;
  }

  AbstractStep prepared(const FlowEdge &edge, const Valuation &valuation, const Box &box) const {
    AbstractStep result(flow_);
    size_t finite = 0;
    std::vector<VariableIndex> numbers;
    for (VariableIndex v : flow_.live[edge.source]) {
      if (edge.source != entryNode && isFinite(flow_.variables[v])) {
        result.before[v] = Interval::point(valuation[finite++]);
        continue;
      }
      size_t i = numbers.size();
      result.before[v] = box.intervals[i];
      numbers.push_back(v);
      if (box.same[i] != i)
        result.equate(result.slotOf(numbers[box.same[i]], false), result.slotOf(v, false));
    }
    return result;
  }

  /// What the edge can lead to from the box. None: too many splits.
  std::optional<std::vector<Outcome>> step(const FlowEdge &edge, const Valuation &valuation,
                                           const Box &box) {
    AbstractStep start = prepared(edge, valuation, box);
    std::vector<AbstractStep> leaves;
    if (!start.propagate(edge.conjuncts))
      return std::vector<Outcome>{};
    std::vector<bool> modified(flow_.variables.size(), false);
    for (VariableIndex v : edge.modified)
      modified[v] = true;
    if (!split(edge, modified, start, leaves))
      return std::nullopt;
    std::vector<Outcome> result;
    bool asks = leaves.size() > 1 || doomed_[edge.target];
    if (asks && !leaves.empty())
      leaves = possibleOnes(edge, modified, start, std::move(leaves));
    for (const AbstractStep &leaf : leaves)
      result.push_back(outcomeOf(edge.target, modified, leaf));
    return result;
  }

  const Interval &valueAfter(const std::vector<bool> &modified, const AbstractStep &s,
                             VariableIndex v) const {
    return modified[v] ? s.after[v] : s.before[v];
  }

  /// One leaf for each combination of values of the finite variables live at the target.
  bool split(const FlowEdge &edge, const std::vector<bool> &modified, const AbstractStep &s,
             std::vector<AbstractStep> &leaves) const {
    for (VariableIndex v : flow_.live[edge.target]) {
      if (!isFinite(flow_.variables[v]) || valueAfter(modified, s, v).isPoint())
        continue;
      const auto values = flow_.variables[v].sort().values();
      for (int64_t value : *values) {
        Interval point = Interval::point(value);
        if (valueAfter(modified, s, v).meet(point).isEmpty())
          continue;
        AbstractStep branch = s;
        branch.set(v, modified[v], point);
        if (branch.propagate(edge.conjuncts) && !split(edge, modified, branch, leaves))
          return false;
      }
      return true;
    }
    leaves.push_back(s);
    return leaves.size() <= mostSplits;
  }

  Outcome outcomeOf(NodeId node, const std::vector<bool> &modified, const AbstractStep &s) const {
    Outcome result;
    std::vector<AbstractStep::Slot> slots;
    for (VariableIndex v : flow_.live[node]) {
      const Interval &value = valueAfter(modified, s, v);
      if (isFinite(flow_.variables[v])) {
        result.valuation.push_back(static_cast<int64_t>(value.lower));
        continue;
      }
      slots.push_back(s.slotOf(v, modified[v]));
      auto same = static_cast<uint32_t>(slots.size() - 1);
      for (uint32_t i = 0; i + 1 < slots.size() && same + 1 == slots.size(); ++i)
        if (areEqual(s, slots[i], result.box.intervals[i], slots.back(), value))
          same = i;
      result.box.same.push_back(same);
      result.box.intervals.push_back(value);
    }
    return result;
  }

  static bool areEqual(const AbstractStep &s, AbstractStep::Slot a, const Interval &valueOfA,
                       AbstractStep::Slot b, const Interval &valueOfB) {
    return s.areEqual(a, b) || (valueOfA.isPoint() && valueOfA == valueOfB);
  }

  /// Asks the solver which of the leaves satisfy the relation.
  std::vector<AbstractStep> possibleOnes(const FlowEdge &edge, const std::vector<bool> &modified,
                                         const AbstractStep &start,
                                         std::vector<AbstractStep> leaves) {
    logic::TermPool &pool = flow_.pool();
    solver_.push();
    for (const Conjunct &conjunct : edge.conjuncts)
      solver_.add(conjunct.formula);
    for (VariableIndex v : flow_.live[edge.source])
      solver_.add(inInterval(pool.var(flow_.variables[v]), start.before[v]));
    std::vector<AbstractStep> result;
    for (AbstractStep &leaf : leaves) {
      std::vector<Term> assumptions;
      for (VariableIndex v : flow_.live[edge.target])
        if (isFinite(flow_.variables[v]) && !valueAfter(modified, start, v).isPoint()) {
          Variable variable = flow_.variables[v];
          Term term = modified[v] ? pool.primed(variable) : pool.var(variable);
          assumptions.push_back(inInterval(term, valueAfter(modified, leaf, v)));
        }
      if (budget_.check(solver_, assumptions) != logic::solver::Satisfiability::Unsat)
        result.push_back(std::move(leaf));
    }
    solver_.pop();
    return result;
  }

public:
  static Term inInterval(Term term, const Interval &interval) {
    logic::TermPool &pool = term.pool();
    logic::Sort sort = term.sort();
    Interval all = Interval::of(sort);
    if (sort.isArray() || interval.contains(all))
      return pool.boolean(true);
    if (sort.isBool())
      return interval.lower == 1 ? term : pool.negate(term);
    auto constant = [&](Wide value) { return pool.constant(sort, static_cast<int64_t>(value)); };
    auto fits = [](Wide value) {
      return value >= std::numeric_limits<int64_t>::min() &&
             value <= std::numeric_limits<int64_t>::max();
    };
    if (interval.isPoint() && fits(interval.lower))
      return pool.equal(term, constant(interval.lower));
    std::vector<Term> bounds;
    if (interval.lower > all.lower && fits(interval.lower))
      bounds.push_back(pool.lessEqual(constant(interval.lower), term));
    if (interval.upper < all.upper && fits(interval.upper))
      bounds.push_back(pool.lessEqual(term, constant(interval.upper)));
    return pool.conjunction(std::move(bounds));
  }
};

} // namespace

bool isFinite(Variable variable) { return variable.sort().isBool() || variable.sort().isEnum(); }

std::optional<Boxes> computeBoxes(const Flow &flow, Budget &budget) {
  return BoxRun(flow, budget).run();
}

std::vector<uint32_t> pathTo(const Flow &flow, const Boxes &boxes, const Boxes::Origin &failure) {
  std::vector<uint32_t> result;
  const Boxes::Origin *origin = &failure;
  while (true) {
    result.push_back(origin->edge);
    NodeId node = flow.edges[origin->edge].source;
    if (node == entryNode)
      break;
    origin = &boxes.origins[node].at(origin->values);
  }
  std::reverse(result.begin(), result.end());
  return result;
}

Boxes towardsError(const Flow &flow, const Boxes &boxes) {
  using Corner = std::pair<NodeId, Valuation>;
  std::map<Corner, std::vector<Corner>> before;
  for (const Boxes::Step &step : boxes.steps) {
    const FlowEdge &edge = flow.edges[step.edge];
    before[{edge.target, step.to}].push_back({edge.source, step.from});
  }
  Boxes result;
  result.at.resize(boxes.at.size());
  std::vector<Corner> work{{errorNode, {}}};
  while (!work.empty()) {
    Corner corner = std::move(work.back());
    work.pop_back();
    auto found = boxes.at[corner.first].find(corner.second);
    if (found == boxes.at[corner.first].end() || !result.at[corner.first].insert(*found).second)
      continue;
    for (const Corner &earlier : before[corner])
      work.push_back(earlier);
  }
  return result;
}

Hint hintFor(const Flow &fewer, const Flow &flow, const Boxes &boxes, NodeId node) {
  logic::TermPool &pool = flow.pool();
  if (node == entryNode)
    return {pool.boolean(true), {}};
  std::vector<bool> kept(flow.variables.size(), false);
  for (VariableIndex v : fewer.live[node])
    kept[v] = true;
  std::map<VariableIndex, Interval> hulls;
  std::set<Term> cases;
  for (const auto &[valuation, box] : boxes.at[node]) {
    std::vector<Term> parts;
    size_t finite = 0;
    size_t number = 0;
    std::vector<VariableIndex> numbers;
    for (VariableIndex v : flow.live[node]) {
      Variable variable = flow.variables[v];
      Interval interval =
          isFinite(variable) ? Interval::point(valuation[finite++]) : box.intervals[number++];
      if (!isFinite(variable))
        numbers.push_back(v);
      if (!kept[v])
        continue;
      parts.push_back(BoxRun::inInterval(pool.var(variable), interval));
      if (!isFinite(variable) && !interval.isPoint())
        if (VariableIndex w = numbers[box.same[number - 1]]; w != v && kept[w])
          parts.push_back(pool.equal(pool.var(flow.variables[w]), pool.var(variable)));
      auto [hull, isNew] = hulls.try_emplace(v, interval);
      hull->second = hull->second.hull(interval);
    }
    cases.insert(pool.conjunction(std::move(parts)));
  }
  Hint result;
  bool anything = std::any_of(cases.begin(), cases.end(), [](Term t) { return t.isTrue(); });
  result.formula = anything ? pool.boolean(true)
                            : pool.disjunction(std::vector<Term>(cases.begin(), cases.end()));
  for (const auto &[v, hull] : hulls)
    if (hull.isPoint() && !flow.variables[v].sort().isArray() &&
        hull.lower >= std::numeric_limits<int64_t>::min() &&
        hull.upper <= std::numeric_limits<int64_t>::max())
      result.constants.emplace_back(
          v, pool.constant(flow.variables[v].sort(), static_cast<int64_t>(hull.lower)));
  return result;
}

Term formulaOf(const Flow &flow, const Boxes &boxes, NodeId node) {
  return hintFor(flow, flow, boxes, node).formula;
}

} // namespace understudy::compose::sequential
