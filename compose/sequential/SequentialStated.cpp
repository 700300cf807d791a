// SPDX-License-Identifier: Apache-2.0
//
// Invariants that somebody states may be wrong, or true but not inductive. Candidates for Houdini,
// each at its own place; a step is a stretch between cuts.
#include "compose/Houdini.h"
#include "compose/sequential/SequentialParts.h"
#include "logic/Substitute.h"

#include <algorithm>

namespace understudy::compose::sequential {

namespace {

NodeId nodeOf(const LocationInvariant &invariant) { return firstLocation + invariant.location; }

/// Strikes out what one stretch from the source breaks.
void strikeAfter(const Flow &flow, NodeId source, Houdini &houdini,
                 const std::vector<LocationInvariant> &stated, Budget &budget) {
  Unroller unroller(flow);
  auto arrivals = unroller.advance(unroller.start(source));
  std::erase_if(arrivals, [&](const auto &to) { return houdini.numbers(to.first).empty(); });
  if (arrivals.empty())
    return;
  logic::solver::Solver solver(flow.pool(), budget.limits());
  for (const Term &formula : houdini.left(source))
    solver.add(formula);
  for (auto &[target, ways] : arrivals) {
    PointId end = unroller.join(target, std::move(ways));
    for (const Term &assertion : unroller.takeAssertions())
      solver.add(assertion);
    const std::vector<Term> &values = unroller.values(end);
    solver.push();
    for (const Term &condition : unroller.conditions(end))
      solver.add(condition);
    houdini.strike(solver, target, houdini.numbers(target), [&](uint32_t i) {
      return flow.pool().negate(logic::substitute(
          stated[i].formula, [&](Variable v, bool) { return values[flow.indexOf.at(v)]; }));
    });
    solver.pop();
  }
}

} // namespace

std::vector<bool> confirmStated(const Flow &flow, const std::vector<LocationInvariant> &stated,
                                Budget &budget) {
  std::vector<Houdini::Candidate> candidates;
  std::vector<Houdini::Marks> alive(flow.nodes(), Houdini::Marks(stated.size(), false));
  for (size_t i = 0; i < stated.size(); ++i) {
    candidates.push_back({stated[i].formula});
    alive[nodeOf(stated[i])][i] = flow.cut[nodeOf(stated[i])];
  }
  Houdini houdini(std::move(candidates), std::move(alive), Houdini::Undecided::Strike, budget);
  houdini.run([&](NodeId source) {
    if (flow.cut[source])
      strikeAfter(flow, source, houdini, stated, budget);
  });
  std::vector<bool> kept;
  for (size_t i = 0; i < stated.size(); ++i)
    kept.push_back(houdini.alive(nodeOf(stated[i]))[i]);
  return kept;
}

} // namespace understudy::compose::sequential
