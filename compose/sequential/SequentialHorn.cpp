// SPDX-License-Identifier: Apache-2.0
//
// The problem: loops. The idea: one predicate for each cut over the variables live there, one Horn
// clause for each pair of cuts with a path between them that meets no other, and Spacer, which
// finds either predicates that satisfy all clauses and leave the error underivable, or a derivation
// of the error. Neither is trusted: predicates are checked by `recheck`, and the derivation only
// names the states at the cuts; the paths between them are found stretch by stretch.
#include "compose/sequential/SequentialParts.h"
#include "logic/Substitute.h"
#include "logic/solver/Horn.h"

#include <algorithm>
#include <stdexcept>

namespace understudy::compose::sequential {

namespace {

using logic::solver::Satisfiability;

/// Z3's resources limited further. 0: as they are.
logic::solver::SolverLimits fewer(logic::solver::SolverLimits limits, uint64_t resources) {
  if (resources > 0 && (limits.resources == 0 || limits.resources > resources))
    limits.resources = resources;
  return limits;
}

/// The clause body for one stretch.
struct Stretch {
  explicit Stretch(const Flow &flow) : unroller(flow) {}
  Unroller unroller;
  PointId end = 0;
  std::vector<Term> constraints;
};

/// None if there is no path.
std::unique_ptr<Stretch> stretchOf(const Flow &flow, NodeId source, NodeId target) {
  auto result = std::make_unique<Stretch>(flow);
  auto arrivals = result->unroller.advance(result->unroller.start(source), target);
  if (arrivals.empty())
    return nullptr;
  result->end = result->unroller.join(target, std::move(arrivals));
  result->constraints = result->unroller.takeAssertions();
  for (const Term &condition : result->unroller.conditions(result->end))
    result->constraints.push_back(condition);
  return result;
}

class HornRun {
public:
  HornRun(const Flow &flow, const std::vector<NodeId> &heads,
          const logic::solver::SolverLimits &limits, Budget &budget)
      : whole_(flow), flow_(withCuts(flow, heads)), budget_(budget), horn_(flow.pool(), limits) {}

  HornResult run() {
    state();
    budget_.report("Horn clauses");
    budget_.countQuery();
    switch (horn_.query(predicates_.at(errorNode))) {
    case Satisfiability::Sat:
      return path();
    case Satisfiability::Unsat:
      return invariants();
    case Satisfiability::Unknown:
      break;
    }
    return Undecided{"Spacer gave up: " + horn_.reasonUnknown()};
  }

private:
  const Flow &whole_; ///< cut at loop heads only
  Flow flow_;
  Budget &budget_;
  logic::solver::HornSolver horn_;
  std::map<NodeId, logic::solver::PredicateId> predicates_;
  std::map<logic::solver::PredicateId, NodeId> nodes_;

  std::vector<Term> liveValues(NodeId node, const std::vector<Term> &values) const {
    std::vector<Term> result;
    for (VariableIndex v : flow_.live[node])
      result.push_back(values[v]);
    return result;
  }

  void state() {
    for (NodeId node : cutsOf(flow_)) {
      if (node != errorNode && (node == entryNode || flow_.out[node].empty()))
        continue;
      std::vector<Variable> parameters;
      for (VariableIndex v : flow_.live[node])
        parameters.push_back(flow_.variables[v]);
      predicates_[node] = horn_.declare(std::move(parameters));
      nodes_[predicates_[node]] = node;
    }
    for (NodeId source : cutsOf(flow_))
      for (NodeId target : nextCuts(flow_, source)) {
        auto stretch = stretchOf(flow_, source, target);
        if (!stretch)
          continue;
        std::optional<logic::solver::HornAtom> premise;
        if (source != entryNode)
          premise = {predicates_.at(source), liveValues(source, stretch->unroller.values(0))};
        horn_.add(
            premise, stretch->constraints,
            {predicates_.at(target), liveValues(target, stretch->unroller.values(stretch->end))});
      }
  }

  HornResult invariants() const {
    CutInvariants result;
    for (const auto &[node, predicate] : predicates_) {
      if (node == errorNode)
        continue;
      auto solution = horn_.solution(predicate);
      if (!solution)
        return Undecided{"Spacer's invariant cannot be translated back"};
      result[node] = *solution;
    }
    return result;
  }

  HornResult path() {
    // Beyond this, looking for a shorter counterexample costs more than it is worth.
    constexpr size_t fewHops = 12;
    constexpr uint64_t manyHops = 2000;
    auto facts = horn_.derivation();
    const size_t hops = facts ? roundsOf(*facts) : manyHops;
    if (!facts || hops <= fewHops) {
      auto found = findPath(whole_, hops, budget_);
      if (auto *shortest = std::get_if<FlowPath>(&found))
        return *shortest;
    }
    if (facts)
      if (auto followed = follow(*facts))
        return *followed;
    auto found = findPath(whole_, manyHops, budget_);
    if (auto *shortest = std::get_if<FlowPath>(&found))
      return *shortest;
    return Undecided{"Spacer found a violation that could not be followed"};
  }

  /// How many stretches between loop heads the facts make.
  size_t roundsOf(const std::vector<logic::solver::HornFact> &facts) const {
    return static_cast<size_t>(std::count_if(facts.begin(), facts.end(), [&](const auto &fact) {
      return bool(whole_.cut[nodes_.at(fact.predicate)]);
    }));
  }

  /// From the entry through the states named by the facts.
  std::optional<FlowPath> follow(const std::vector<logic::solver::HornFact> &facts) {
    FlowPath result;
    NodeId source = entryNode;
    const std::vector<Value> *before = nullptr;
    for (const logic::solver::HornFact &fact : facts) {
      NodeId target = nodes_.at(fact.predicate);
      auto part = followStretch(source, before, target, fact.arguments);
      if (!part)
        return std::nullopt;
      if (source == entryNode)
        result.start = part->start;
      result.edges.insert(result.edges.end(), part->edges.begin(), part->edges.end());
      result.after.insert(result.after.end(), part->after.begin(), part->after.end());
      source = target;
      before = &fact.arguments;
    }
    return source == errorNode ? std::optional(result) : std::nullopt;
  }

  struct Follower {
    std::unique_ptr<Stretch> stretch;
    std::unique_ptr<logic::solver::Solver> solver;
  };
  std::map<std::pair<NodeId, NodeId>, Follower> followers_;

  std::optional<FlowPath> followStretch(NodeId source, const std::vector<Value> *before,
                                        NodeId target, const std::vector<Value> &after) {
    auto [found, isNew] = followers_.try_emplace({source, target});
    Follower &follower = found->second;
    if (isNew) {
      follower.stretch = stretchOf(flow_, source, target);
      follower.solver = std::make_unique<logic::solver::Solver>(flow_.pool(), budget_.limits());
      if (follower.stretch)
        for (const Term &constraint : follower.stretch->constraints)
          follower.solver->add(constraint);
    }
    if (!follower.stretch)
      return std::nullopt;
    logic::solver::Solver &solver = *follower.solver;
    const Unroller &unroller = follower.stretch->unroller;
    solver.push();
    if (before)
      fix(solver, liveValues(source, unroller.values(0)), *before);
    fix(solver, liveValues(target, unroller.values(follower.stretch->end)), after);
    std::optional<FlowPath> result;
    if (budget_.check(solver) == Satisfiability::Sat)
      result = unroller.path(follower.stretch->end, solver.model());
    solver.pop();
    return result;
  }

  void fix(logic::solver::Solver &solver, const std::vector<Term> &terms,
           const std::vector<Value> &values) const {
    for (size_t i = 0; i < terms.size() && i < values.size(); ++i)
      solver.add(
          flow_.pool().equal(terms[i], logic::termOf(flow_.pool(), values[i], terms[i].sort())));
  }
};

} // namespace

HornResult solveHorn(const Flow &flow, const std::vector<NodeId> &heads, uint64_t resources,
                     Budget &budget) {
  return HornRun(flow, heads, fewer(budget.limits(), resources), budget).run();
}

namespace {

/// Breadth first by stretches, from a root of the unroller.
PathSearch unrollFrom(Unroller &unroller, PointId root, uint64_t hops,
                      logic::solver::Solver &solver, Budget &budget) {
  std::vector<PointId> frontier{root};
  for (uint64_t hop = 1; hop <= hops && !frontier.empty(); ++hop) {
    Unroller::Arrivals arrivals;
    for (PointId point : frontier)
      for (auto &[node, list] : unroller.advance(point))
        for (Unroller::Arrival &arrival : list)
          arrivals[node].push_back(std::move(arrival));
    frontier.clear();
    std::optional<PointId> error;
    for (auto &[node, list] : arrivals) {
      PointId point = unroller.join(node, std::move(list));
      if (node == errorNode)
        error = point;
      else
        frontier.push_back(point);
    }
    for (const Term &assertion : unroller.takeAssertions())
      solver.add(assertion);
    if (!error)
      continue;
    switch (budget.check(solver, unroller.conditions(*error))) {
    case Satisfiability::Sat:
      return unroller.path(*error, solver.model());
    case Satisfiability::Unsat:
      break;
    case Satisfiability::Unknown:
      return Undecided{"Z3 gave up: " + solver.reasonUnknown()};
    }
  }
  return NoPath{};
}

} // namespace

PathSearch findPath(const Flow &flow, uint64_t hops, Budget &budget) {
  Unroller unroller(flow);
  logic::solver::Solver solver(flow.pool(), budget.limits());
  return unrollFrom(unroller, unroller.start(entryNode), hops, solver, budget);
}

PathSearch findPathFrom(const Flow &flow, NodeId node, const PartialState &state, uint64_t hops,
                        uint64_t resources, Budget &budget) {
  Unroller unroller(flow);
  logic::solver::Solver solver(flow.pool(), fewer(budget.limits(), resources));
  return unrollFrom(unroller, unroller.start(node, state), hops, solver, budget);
}

} // namespace understudy::compose::sequential
