// SPDX-License-Identifier: Apache-2.0
//
// The problem: what holds of the counters are mostly equations ("the references are as many as the
// threads between these locations, plus one"), and Spacer does not find sums of many variables.
// The idea: keep the affine hull of states seen; ask the solver for a step from the hull to a state
// outside; add that state; until there is none. Each state found adds a dimension, so there are
// at most as many as coordinates, plus one. (Reps, Sagiv and Yorsh, Symbolic Implementation of the
// Best Transformer, 2004; Thakur and Reps, A Method for Symbolic Computation of Abstract
// Operations, 2012.) Coordinates are numbers, truth values and "has this enumerator" as 0 and 1,
// and for each location of a single whether it is there. One hull for the whole system, from which
// the equations of each control follow by inserting where the singles are.
//
// Deviation: an equation that a step keeps for arithmetic reasons alone is not asked for; once the
// hull is nearly complete, that is most of them.
#include "compose/counting/AffineHull.h"
#include "compose/counting/CountingParts.h"

#include "logic/Error.h"
#include "logic/Simplify.h"

#include <functional>

namespace understudy::compose::counting {

namespace {

using logic::Value;
using logic::solver::Satisfiability;

class HullFinder {
public:
  HullFinder(const CountingModel &model, Budget &budget)
      : model_(model), pool_(model.pool()), budget_(budget), solver_(pool_, budget.limits()),
        coordinates_(coordinatesOf(model)), hull_(coordinates_.size()) {
    for (const Term &bound : countBounds(model_))
      solver_.add(bound);
    for (Variable v : model_.variables)
      unprimed_.push_back(pool_.var(v));
  }

  std::optional<ControlFacts> run() {
    for (const CountingStart &start : model_.starts)
      while (addStart(start))
        ;
    if (hull_.isEmpty())
      gaveUp_ = true;
    for (size_t quiet = 0; quiet < model_.steps.size() && !gaveUp_;)
      for (const CountingStep &step : model_.steps) {
        quiet = addAfter(step) ? 0 : quiet + 1;
        if (gaveUp_ || quiet >= model_.steps.size())
          break;
      }
    if (gaveUp_)
      return std::nullopt;
    ControlFacts result;
    for (ControlId control = 0; control < model_.controls.size(); ++control)
      result.push_back(factsAt(control));
    return result;
  }

private:
  struct Coordinate {
    size_t variable = 0;               ///< index into CountingModel::variables
    std::optional<int64_t> enumerator; ///< has the variable this value?
    std::optional<std::pair<SingleId, LocationId>> at;
  };

  const CountingModel &model_;
  logic::TermPool &pool_;
  Budget &budget_;
  logic::solver::Solver solver_;
  std::vector<Coordinate> coordinates_;
  std::vector<Term> unprimed_; ///< the variables
  AffineHull hull_;
  std::vector<AffineEquation> equations_;
  bool gaveUp_ = false;

  static std::vector<Coordinate> coordinatesOf(const CountingModel &model) {
    std::vector<Coordinate> result;
    for (SingleId single = 0; single < model.singles.size(); ++single)
      for (LocationId location = 0;
           location < model.program->templates[model.singles[single]].locations.size(); ++location)
        result.push_back({0, {}, {{single, location}}});
    // Counts last: equations are solved for what comes late.
    for (size_t i = 0; i < model.variables.size(); ++i) {
      logic::Sort sort = model.variables[i].sort();
      if (sort.isEnum())
        for (const logic::Enumerator &enumerator : sort.enumerators())
          result.push_back({i, enumerator.value, {}});
      else if (!sort.isArray())
        result.push_back({i, {}, {}});
    }
    return result;
  }

  /// The coordinate as a number, in a state whose variables have the given values.
  Term number(const Coordinate &coordinate, ControlId control,
              const std::vector<Term> &values) const {
    if (coordinate.at)
      return pool_.integer(
          model_.controls[control][coordinate.at->first] == coordinate.at->second ? 1 : 0);
    const Term &value = values[coordinate.variable];
    Term one = pool_.integer(1);
    Term zero = pool_.integer(0);
    if (coordinate.enumerator)
      return pool_.ite(pool_.equal(value, pool_.enumerator(value.sort(), *coordinate.enumerator)),
                       one, zero);
    return value.sort().isBool() ? pool_.ite(value, one, zero) : value;
  }

  Term before(size_t coordinate, ControlId control) const {
    return number(coordinates_[coordinate], control, unprimed_);
  }
  Term after(size_t coordinate, const CountingStep &step) const {
    return number(coordinates_[coordinate], step.target, step.after);
  }

  using Numbers = std::function<Term(size_t coordinate)>;

  Term holds(const AffineEquation &equation, const Numbers &numbers) const {
    std::vector<Term> sum;
    for (const auto &[coordinate, factor] : equation.summands)
      sum.push_back(pool_.multiply(factor, numbers(coordinate)));
    return pool_.equal(logic::simplify(pool_.sum(std::move(sum))),
                       pool_.integer(equation.constant));
  }

  std::vector<Term> factsAt(ControlId control) const {
    std::vector<Term> facts;
    for (const AffineEquation &equation : equations_) {
      Term fact = logic::simplify(holds(equation, [&](size_t c) { return before(c, control); }));
      if (!fact.isTrue())
        facts.push_back(fact);
    }
    return facts;
  }

  /// Does the sum change by something that is not plainly 0?
  bool mayBreak(const AffineEquation &equation, const CountingStep &step) const {
    std::vector<Term> change;
    for (const auto &[coordinate, factor] : equation.summands) {
      Term old = before(coordinate, step.source);
      Term changed = after(coordinate, step);
      if (old != changed)
        change.push_back(pool_.multiply(factor, pool_.subtract(changed, old)));
    }
    Term total = logic::simplify(pool_.sum(std::move(change)));
    return !total.isConstant() || total.value() != 0;
  }

  /// Looks for a state outside the hull; adds it.
  bool grow(const std::vector<Term> &formulas, const std::vector<Term> &values, ControlId control) {
    solver_.push();
    for (const Term &formula : formulas)
      solver_.add(formula);
    Satisfiability answer = budget_.check(solver_);
    bool grew = false;
    if (answer == Satisfiability::Sat) {
      grew = addPoint(solver_.model(), values, control);
      gaveUp_ = gaveUp_ || !grew; // a number was too large to be read
    }
    gaveUp_ = gaveUp_ || answer == Satisfiability::Unknown;
    solver_.pop();
    return grew;
  }

  bool addPoint(const logic::solver::Model &model, const std::vector<Term> &values,
                ControlId control) {
    auto lookUp = [&](Variable v, bool primed) {
      return model.valueOf(v, primed).value_or(logic::defaultValue(v.sort()));
    };
    std::vector<int64_t> point;
    for (const Coordinate &coordinate : coordinates_)
      point.push_back(logic::evaluate(number(coordinate, control, values), lookUp).number());
    if (!hull_.add(point))
      return false;
    auto equations = hull_.equations();
    if (!equations) {
      gaveUp_ = true;
      return false;
    }
    equations_ = std::move(*equations);
    return true;
  }

  bool addStart(const CountingStart &start) {
    if (gaveUp_)
      return false;
    std::vector<Term> formulas = start.condition;
    auto numbers = [&](size_t c) { return before(c, start.control); };
    std::vector<Term> outside;
    for (const AffineEquation &equation : equations_)
      outside.push_back(pool_.negate(holds(equation, numbers)));
    if (!hull_.isEmpty())
      formulas.push_back(pool_.disjunction(std::move(outside)));
    return grow(formulas, unprimed_, start.control);
  }

  bool addAfter(const CountingStep &step) {
    std::vector<Term> outside;
    for (const AffineEquation &equation : equations_)
      if (mayBreak(equation, step))
        outside.push_back(pool_.negate(holds(equation, [&](size_t c) { return after(c, step); })));
    if (outside.empty())
      return false;
    std::vector<Term> formulas = factsAt(step.source);
    formulas.insert(formulas.end(), step.guard.begin(), step.guard.end());
    formulas.push_back(pool_.disjunction(std::move(outside)));
    return grow(formulas, step.after, step.target);
  }
};

} // namespace

std::vector<Term> countBounds(const CountingModel &model) {
  std::vector<Term> result;
  for (const proof::Crowd &crowd : model.crowds)
    result.push_back(
        model.pool().lessEqual(model.pool().integer(0), model.pool().var(crowd.count)));
  return result;
}

std::optional<ControlFacts> affineFacts(const CountingModel &model, Budget &budget) {
  try {
    budget.report("affine invariants");
    return HullFinder(model, budget).run();
  } catch (const logic::Overflow &) {
    return std::nullopt;
  }
}

} // namespace understudy::compose::counting
