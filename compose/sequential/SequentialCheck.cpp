// SPDX-License-Identifier: Apache-2.0
//
// The re-check of invariants: for every cut, whatever starts in its invariant and goes to the next
// cuts ends in theirs; the invariant of the entry is true, that of the error false. Callers give a
// flow with all variables and nothing left out, so that an error in the preparation or in an engine
// does not become a wrong answer.
#include "compose/sequential/SequentialParts.h"
#include "logic/Substitute.h"

namespace understudy::compose::sequential {

namespace {

using logic::solver::Satisfiability;

/// The states that leave the invariants in one stretch from the source, as formulas that are
/// unsatisfiable together. Empty: there are no stretches.
std::vector<Term> violations(const Flow &flow, const CutInvariants &invariants, NodeId source) {
  logic::TermPool &pool = flow.pool();
  Unroller unroller(flow);
  std::vector<Term> ways;
  for (auto &[target, arrivals] : unroller.advance(unroller.start(source))) {
    PointId end = unroller.join(target, std::move(arrivals));
    std::vector<Term> parts = unroller.conditions(end);
    if (target != errorNode) {
      const std::vector<Term> &values = unroller.values(end);
      auto image = [&](Variable v, bool) { return values[flow.indexOf.at(v)]; };
      parts.push_back(pool.negate(logic::substitute(invariants.at(target), image)));
    }
    ways.push_back(pool.conjunction(std::move(parts)));
  }
  if (ways.empty())
    return {};
  std::vector<Term> result = unroller.takeAssertions();
  result.push_back(pool.disjunction(std::move(ways)));
  if (source != entryNode)
    result.push_back(invariants.at(source));
  return result;
}

} // namespace

std::vector<NodeId> cutsOf(const Flow &flow) {
  std::vector<NodeId> result;
  for (NodeId node = 0; node < flow.nodes(); ++node)
    if (flow.cut[node])
      result.push_back(node);
  return result;
}

std::optional<std::string> recheck(Flow flow, CutInvariants invariants, Budget &budget) {
  for (const auto &[node, formula] : invariants)
    flow.cut[node] = true;
  for (NodeId node : cutsOf(flow)) // a cut without invariant is claimed to be unreachable
    if (node != entryNode && node != errorNode)
      invariants.try_emplace(node, flow.pool().boolean(false));
  logic::solver::Solver solver(flow.pool(), budget.limits());
  for (NodeId source : cutsOf(flow)) {
    if (source != entryNode && (source == errorNode || invariants.at(source).isFalse()))
      continue;
    std::vector<Term> formulas = violations(flow, invariants, source);
    if (formulas.empty())
      continue;
    solver.push();
    for (const Term &formula : formulas)
      solver.add(formula);
    switch (budget.check(solver)) {
    case Satisfiability::Unsat:
      break;
    case Satisfiability::Sat:
      return "an invariant failed its re-check";
    case Satisfiability::Unknown:
      return "the re-check of an invariant gave up: " + solver.reasonUnknown();
    }
    solver.pop();
  }
  return std::nullopt;
}

} // namespace understudy::compose::sequential
