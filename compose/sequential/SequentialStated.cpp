// SPDX-License-Identifier: Apache-2.0
//
// Invariants that somebody states. The problem: they may be wrong, or true but not inductive. The
// idea (Flanagan and Leino, Houdini, 2001): assume all of them, drop those that a stretch between
// cuts can break, and repeat until none is dropped. What is left is inductive, whoever stated it.
#include "compose/sequential/SequentialParts.h"
#include "logic/Substitute.h"

#include <algorithm>

namespace understudy::compose::sequential {

namespace {

class Houdini {
public:
  Houdini(const Flow &flow, const std::vector<LocationInvariant> &stated, Budget &budget)
      : flow_(flow), stated_(stated), budget_(budget), kept_(stated.size(), true) {}

  std::vector<bool> run() {
    for (size_t i = 0; i < stated_.size(); ++i)
      kept_[i] = flow_.cut[nodeOf(stated_[i])];
    bool changed = true;
    while (changed) {
      changed = false;
      for (NodeId source : cutsOf(flow_))
        changed |= dropBroken(source);
    }
    return kept_;
  }

private:
  const Flow &flow_;
  const std::vector<LocationInvariant> &stated_;
  Budget &budget_;
  std::vector<bool> kept_;

  static NodeId nodeOf(const LocationInvariant &invariant) {
    return firstLocation + invariant.location;
  }

  std::vector<size_t> keptAt(NodeId node) const {
    std::vector<size_t> result;
    for (size_t i = 0; i < stated_.size(); ++i)
      if (kept_[i] && nodeOf(stated_[i]) == node)
        result.push_back(i);
    return result;
  }

  /// Drops what one stretch from the source breaks. What the solver cannot decide is dropped too.
  bool dropBroken(NodeId source) {
    Unroller unroller(flow_);
    logic::solver::Solver solver(flow_.pool(), budget_.limits());
    auto arrivals = unroller.advance(unroller.start(source));
    std::erase_if(arrivals, [&](const auto &to) { return keptAt(to.first).empty(); });
    if (arrivals.empty())
      return false;
    for (size_t i : keptAt(source))
      solver.add(stated_[i].formula);
    bool dropped = false;
    for (auto &[target, ways] : arrivals) {
      PointId end = unroller.join(target, std::move(ways));
      for (const Term &assertion : unroller.takeAssertions())
        solver.add(assertion);
      for (size_t i : keptAt(target))
        if (!holdsAt(unroller, end, stated_[i].formula, solver)) {
          kept_[i] = false;
          dropped = true;
        }
    }
    return dropped;
  }

  bool holdsAt(const Unroller &unroller, PointId end, const Term &formula,
               logic::solver::Solver &solver) {
    const std::vector<Term> &values = unroller.values(end);
    auto image = [&](Variable v, bool) { return values[flow_.indexOf.at(v)]; };
    solver.push();
    for (const Term &condition : unroller.conditions(end))
      solver.add(condition);
    solver.add(flow_.pool().negate(logic::substitute(formula, image)));
    bool holds = budget_.check(solver) == logic::solver::Satisfiability::Unsat;
    solver.pop();
    return holds;
  }
};

} // namespace

std::vector<bool> confirmStated(const Flow &flow, const std::vector<LocationInvariant> &stated,
                                Budget &budget) {
  return Houdini(flow, stated, budget).run();
}

} // namespace understudy::compose::sequential
