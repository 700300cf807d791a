// SPDX-License-Identifier: Apache-2.0
//
// Predicates from a list of candidates.
//
// Candidates are the atoms of the run and their negations, Boolean variables, comparisons of two
// numbers or of a number and a constant of the run. Forward, each position keeps the candidates
// that follow from those kept before and the step. The solver is asked for a state after the step
// that breaks some candidate, which is evaluated on all of them: few queries settle many
// candidates. If the end is reached with `false`, the needed conjuncts are found backward, one
// step at a time (never a query about several steps; engine.md, section 4.1, TMPL).
//
// Incomplete and cheap; the predicates generalise well since they are words of the program.
#include "compose/refine/InterpolateParts.h"

#include "logic/Error.h"
#include "logic/Simplify.h"
#include "logic/Substitute.h"
#include "logic/Value.h"

#include <algorithm>
#include <set>

namespace understudy::compose::refine {

using logic::Op;
using logic::TermPool;
using logic::solver::Satisfiability;
using logic::solver::Solver;

namespace {

constexpr size_t mostCandidates = 400;
constexpr size_t mostConstants = 8;
constexpr size_t mostNumbers = 14; ///< variables that are compared pairwise

bool isConnective(const Term &term) {
  if (!term.sort().isBool())
    return false;
  Op op = term.op();
  bool ofBools = op == Op::Equal && term.operand(0).sort().isBool();
  return op == Op::Not || op == Op::And || op == Op::Or || op == Op::Implies || op == Op::Ite ||
         ofBools;
}

class Candidates {
public:
  explicit Candidates(TermPool &pool) : pool_(pool) {}

  void harvest(Term formula) {
    std::vector<Term> work{formula};
    while (!work.empty()) {
      Term t = work.back();
      work.pop_back();
      if (!visited_.insert(t).second)
        continue;
      if (t.isConstant() && t.sort().isInteger() && constants_.size() < mostConstants)
        constants_.insert(t.value());
      if (t.sort().isBool() && !isConnective(t))
        offerBoth(unprimed(t));
      work.insert(work.end(), t.operands().begin(), t.operands().end());
    }
  }

  void compare(const std::vector<Variable> &variables) {
    std::vector<Term> numbers;
    for (Variable v : variables) {
      if (v.sort().isBool())
        offerBoth(pool_.var(v));
      if (v.sort().isInteger() && numbers.size() < mostNumbers)
        numbers.push_back(pool_.var(v));
    }
    for (size_t i = 0; i < numbers.size(); ++i)
      for (size_t j = i + 1; j < numbers.size(); ++j)
        relate(numbers[i], numbers[j]);
    for (const Term &number : numbers)
      for (int64_t constant : constants_)
        relate(number, pool_.integer(constant));
  }

  const std::vector<Term> &all() const { return all_; }

private:
  TermPool &pool_;
  std::set<Term> visited_;
  std::set<int64_t> constants_ = {0, 1};
  std::vector<Term> all_;
  std::set<Term> offered_;

  Term unprimed(Term term) {
    return logic::substitute(term, [&](Variable v, bool) { return pool_.var(v); });
  }
  void offer(Term formula) {
    Term candidate = logic::simplify(formula);
    if (!candidate.isConstant() && all_.size() < mostCandidates &&
        offered_.insert(candidate).second)
      all_.push_back(candidate);
  }
  void offerBoth(Term atom) {
    offer(atom);
    offer(pool_.negate(atom));
    if (atom.op() == Op::Equal && atom.operand(0).sort().isInteger())
      relate(atom.operand(0), atom.operand(1));
  }
  void relate(Term a, Term b) {
    offer(pool_.equal(a, b));
    offer(pool_.lessEqual(a, b));
    offer(pool_.lessEqual(b, a));
  }
};

/// Does the formula hold after the step in the model? None: a value is missing or too large.
std::optional<bool> holdsAfter(Term candidate, const Step &step,
                               const logic::solver::Model &model) {
  bool missing = false;
  auto lookUp = [&](Variable v, bool) {
    bool modified = std::binary_search(step.modified.begin(), step.modified.end(), v);
    auto value = model.valueOf(v, modified);
    missing = missing || !value;
    return value.value_or(logic::defaultValue(v.sort()));
  };
  try {
    bool result = logic::holds(candidate, lookUp);
    return missing ? std::nullopt : std::optional(result);
  } catch (const logic::Overflow &) {
    return std::nullopt;
  }
}

/// One solver for all steps, since a new one costs more than most queries.
class Forward {
public:
  Forward(TermPool &pool, const Effort &effort)
      : pool_(pool), effort_(effort), solver_(pool, effort.solver()) {}

  /// The candidates that hold after the step; {false} if no state is left.
  std::vector<Term> follow(const std::vector<Term> &before, const Step &step,
                           std::vector<Term> open) {
    solver_.limitSeconds(effort_.solver().seconds);
    solver_.push();
    for (const Term &conjunct : before)
      solver_.add(conjunct);
    for (const Term &conjunct : step.conjuncts)
      solver_.add(conjunct);
    if (solver_.check() == Satisfiability::Unsat)
      open = {pool_.boolean(false)};
    else
      while (!open.empty() && !isSettled(step, open)) {
      }
    solver_.pop();
    return open;
  }

private:
  TermPool &pool_;
  const Effort &effort_;
  Solver solver_;

  /// Drops candidates that one state after the step breaks; true if none is left to drop.
  bool isSettled(const Step &step, std::vector<Term> &open) {
    std::vector<Term> after;
    for (const Term &candidate : open)
      after.push_back(afterStep(candidate, step));
    solver_.push();
    solver_.add(pool_.negate(pool_.conjunction(after)));
    Satisfiability answer = solver_.check();
    size_t many = open.size();
    if (answer == Satisfiability::Sat) {
      logic::solver::Model model = solver_.model();
      std::erase_if(open, [&](const Term &c) { return holdsAfter(c, step, model) == false; });
    }
    solver_.pop();
    if (answer != Satisfiability::Unsat && open.size() == many) {
      oneByOne(step, open);
      return true;
    }
    return answer == Satisfiability::Unsat;
  }

  void oneByOne(const Step &step, std::vector<Term> &open) {
    std::erase_if(open, [&](const Term &candidate) {
      return effort_.isSpent() ||
             solver_.check(std::vector{pool_.negate(afterStep(candidate, step))}) !=
                 Satisfiability::Unsat;
    });
  }
};

std::vector<Term> candidatesOf(TermPool &pool, const ReducedRun &run) {
  Candidates candidates(pool);
  std::set<Variable> relevant;
  for (const std::vector<Variable> &variables : run.relevant)
    relevant.insert(variables.begin(), variables.end());
  for (const Step &step : run.steps)
    for (const Term &conjunct : step.conjuncts)
      candidates.harvest(conjunct);
  candidates.compare({relevant.begin(), relevant.end()});
  return candidates.all();
}

} // namespace

std::optional<Sequence> templates(TermPool &pool, const ReducedRun &run, const Effort &effort) {
  const std::vector<Term> candidates = candidatesOf(pool, run);
  Forward forward(pool, effort);
  Sequence sequence(run.steps.size() + 1);
  for (size_t i = 0; i < run.steps.size(); ++i) {
    if (effort.isSpent())
      return std::nullopt;
    std::vector<Term> open;
    for (const Term &candidate : candidates)
      if (isOver(candidate, run.relevant[i + 1]))
        open.push_back(candidate);
    sequence[i + 1] = forward.follow(sequence[i], run.steps[i], std::move(open));
  }
  if (sequence.back() != std::vector{pool.boolean(false)})
    return std::nullopt;
  weakenBackward(pool, run, sequence, effort);
  return sequence;
}

} // namespace understudy::compose::refine
