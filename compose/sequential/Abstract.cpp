// SPDX-License-Identifier: Apache-2.0
#include "compose/sequential/Abstract.h"

#include <numeric>
#include <stdexcept>

namespace understudy::compose::sequential {

namespace {

using logic::Op;

constexpr Interval no{0, 0};
constexpr Interval yes{1, 1};
constexpr Interval maybe{0, 1};

Wide dividedDown(Wide a, Wide positive) {
  return a >= 0 ? a / positive : -((-a + positive - 1) / positive);
}

Wide dividedUp(Wide a, Wide positive) { return -dividedDown(-a, positive); }

Interval negation(const Interval &truth) { return {1 - truth.upper, 1 - truth.lower}; }

} // namespace

AbstractStep::AbstractStep(const Flow &flow) : flow_(&flow) {
  for (Variable v : flow.variables)
    before.push_back(Interval::of(v.sort()));
  after = before;
  roots_.resize(2 * before.size());
  std::iota(roots_.begin(), roots_.end(), Slot(0));
  shared_.assign(roots_.size(), false);
}

AbstractStep::Slot AbstractStep::slotOf(VariableIndex v, bool primed) const {
  return static_cast<Slot>(primed ? before.size() + v : v);
}

AbstractStep::Slot AbstractStep::slotOf(Term term) const {
  return slotOf(flow_->indexOf.at(term.variable()), term.primed());
}

Interval &AbstractStep::at(Slot slot) {
  return slot < before.size() ? before[slot] : after[slot - before.size()];
}

bool AbstractStep::equate(Slot a, Slot b) {
  Slot from = std::max(roots_[a], roots_[b]);
  Slot to = std::min(roots_[a], roots_[b]);
  if (from == to)
    return true;
  Interval met = at(a).meet(at(b));
  std::replace(roots_.begin(), roots_.end(), from, to);
  shared_[to] = true;
  for (Slot slot = 0; slot < roots_.size(); ++slot)
    if (roots_[slot] == to)
      at(slot) = at(slot).meet(met);
  known_.clear();
  knownPrimed_.clear();
  changed_ = true;
  return !met.isEmpty();
}

/// The branch of an `Ite` whose condition is known, again while that is one; other terms as they
/// are.
Term AbstractStep::decided(Term term) {
  while (term.op() == Op::Ite) {
    Interval condition = evaluate(term.operand(0));
    if (!condition.isPoint())
      break;
    term = term.operand(condition == yes ? 1 : 2);
  }
  return term;
}

/// x == y is remembered as such.
bool AbstractStep::equateFrom(Term formula) {
  if (formula.op() != Op::Equal || !formula.operand(0).sort().isInteger())
    return true;
  Term a = decided(formula.operand(0));
  Term b = decided(formula.operand(1));
  return a.op() != Op::Variable || b.op() != Op::Variable || equate(slotOf(a), slotOf(b));
}

bool AbstractStep::narrow(Term term, const Interval &to) {
  Slot slot = slotOf(term);
  Interval met = at(slot).meet(to);
  if (met == at(slot))
    return true;
  changed_ = true;
  knownPrimed_.clear();
  bool shared = shared_[roots_[slot]];
  if (!term.primed() || shared)
    known_.clear();
  at(slot) = met;
  for (Slot other = 0; shared && other < roots_.size(); ++other)
    if (roots_[other] == roots_[slot])
      at(other) = at(other).meet(met);
  return !met.isEmpty();
}

Interval AbstractStep::evaluate(Term term) {
  if (term.op() == Op::Constant)
    return Interval::point(term.value());
  if (term.op() == Op::Variable)
    return term.sort().isArray() ? Interval{} : at(slotOf(term));
  auto &known = term.hasPrimes() ? knownPrimed_ : known_;
  if (auto found = known.find(term); found != known.end())
    return found->second;
  Interval result = compute(term);
  known.emplace(term, result);
  return result;
}

Interval AbstractStep::compute(Term term) {
  auto operands = term.operands();
  switch (term.op()) {
  case Op::Not:
    return negation(evaluate(operands[0]));
  case Op::And:
  case Op::Or:
    return connective(term, term.op() == Op::And);
  case Op::Implies: {
    Interval a = negation(evaluate(operands[0]));
    Interval b = evaluate(operands[1]);
    return {std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
  }
  case Op::Ite: {
    Term branch = decided(term);
    if (branch != term)
      return evaluate(branch);
    return evaluate(operands[1]).hull(evaluate(operands[2]));
  }
  case Op::Equal:
  case Op::Less:
  case Op::LessEqual:
    return comparison(term);
  case Op::Add: {
    Interval sum = Interval::point(0);
    for (const Term &t : operands)
      sum = sum.plus(evaluate(t));
    return sum;
  }
  case Op::Multiply:
    return evaluate(operands[0]).times(term.value());
  case Op::Divide:
    return evaluate(operands[0]).dividedBy(term.value());
  case Op::Remainder:
    return evaluate(operands[0]).remainderBy(term.value());
  case Op::Select: // what was stored may lie outside the element's sort
    return term.sort().isBool() ? maybe : Interval{};
  default:
    return {};
  }
}

Interval AbstractStep::connective(Term term, bool conjunction) {
  Interval result = conjunction ? yes : no;
  for (const Term &t : term.operands()) {
    Interval operand = evaluate(t);
    result = conjunction ? Interval{std::min(result.lower, operand.lower),
                                    std::min(result.upper, operand.upper)}
                         : Interval{std::max(result.lower, operand.lower),
                                    std::max(result.upper, operand.upper)};
    if (result == (conjunction ? no : yes))
      break;
  }
  return result;
}

Interval AbstractStep::comparison(Term term) {
  if (term.operand(0) == term.operand(1))
    return term.op() == Op::Less ? no : yes;
  if (term.operand(0).sort().isArray())
    return maybe;
  Interval d = difference(term.operand(0), term.operand(1));
  switch (term.op()) {
  case Op::Less:
    return d.upper < 0 ? yes : d.lower >= 0 ? no : maybe;
  case Op::LessEqual:
    return d.upper <= 0 ? yes : d.lower > 0 ? no : maybe;
  default:
    if (d == Interval::point(0))
      return yes;
    return d.lower > 0 || d.upper < 0 ? no : maybe;
  }
}

/// a - b, after what is equal has been cancelled.
Interval AbstractStep::difference(Term a, Term b) {
  if (!a.sort().isNumeric())
    return evaluate(a).plus(evaluate(b).times(-1));
  Sum sum = sumOf(a, b);
  Interval result = Interval::point(sum.constant);
  for (const auto &[atom, factor] : sum.summands)
    result = result.plus(evaluate(atom).times(factor));
  return result;
}

/// Formulas share subformulas, and following every way through them would take for ever: after
/// some effort nothing more is concluded, which is always right.
bool AbstractStep::assume(Term formula, bool truth) {
  constexpr uint64_t most = 5000;
  if (depth_ == 0)
    effort_ = 0;
  if (++effort_ > most)
    return true;
  ++depth_;
  bool possible = conclude(formula, truth);
  --depth_;
  return possible;
}

bool AbstractStep::conclude(Term formula, bool truth) {
  Interval value = evaluate(formula);
  if (value.isPoint())
    return value == (truth ? yes : no);
  auto operands = formula.operands();
  switch (formula.op()) {
  case Op::Variable:
    return narrow(formula, truth ? yes : no);
  case Op::Not:
    return assume(operands[0], !truth);
  case Op::And:
  case Op::Or:
    return assumeJunction(formula, formula.op() == Op::And, truth);
  case Op::Implies:
    if (!truth)
      return assume(operands[0], true) && assume(operands[1], false);
    if (evaluate(operands[0]) == yes)
      return assume(operands[1], true);
    return evaluate(operands[1]) != no || assume(operands[0], false);
  case Op::Ite: {
    Term branch = decided(formula);
    return branch == formula || assume(branch, truth);
  }
  case Op::Equal:
    return assumeEqual(operands[0], operands[1], truth);
  case Op::Less:
    return truth ? assumeAtMost(operands[0], operands[1], -1)
                 : assumeAtMost(operands[1], operands[0], 0);
  case Op::LessEqual:
    return truth ? assumeAtMost(operands[0], operands[1], 0)
                 : assumeAtMost(operands[1], operands[0], -1);
  default:
    return true;
  }
}

/// All operands, or the only one that can still decide.
bool AbstractStep::assumeJunction(Term formula, bool conjunction, bool truth) {
  if (truth == conjunction) {
    for (const Term &t : formula.operands())
      if (!assume(t, truth))
        return false;
    return true;
  }
  const Term *open = nullptr;
  for (const Term &t : formula.operands()) {
    Interval value = evaluate(t);
    if (value == (conjunction ? yes : no))
      continue;
    if (open)
      return true;
    open = &t;
  }
  return open && assume(*open, truth);
}

bool AbstractStep::assumeEqual(Term a, Term b, bool truth) {
  if (a.sort().isArray())
    return true;
  if (a.sort().isBool()) {
    if (Interval value = evaluate(a); value.isPoint())
      return assume(b, (value == yes) == truth);
    if (Interval value = evaluate(b); value.isPoint())
      return assume(a, (value == yes) == truth);
    return true;
  }
  if (truth)
    return assumeAtMost(a, b, 0) && assumeAtMost(b, a, 0);
  return assumeDistinct(a, evaluate(b)) && assumeDistinct(b, evaluate(a));
}

bool AbstractStep::assumeDistinct(Term a, const Interval &b) {
  if (a.op() != Op::Variable || !b.isPoint())
    return true;
  Interval value = evaluate(a);
  if (value.lower == b.lower)
    return narrow(a, {value.lower + 1, value.upper});
  return value.upper != b.upper || narrow(a, {value.lower, value.upper - 1});
}

void AbstractStep::collect(Term term, Wide factor, Sum &sum) {
  term = decided(term);
  if (term.op() == Op::Add) {
    for (const Term &t : term.operands())
      collect(t, factor, sum);
  } else if (term.op() == Op::Multiply) {
    // Products of 64-bit factors stay far below the limit unless they are nested.
    constexpr Wide largest = Wide(1) << 60;
    Wide product = factor * term.value();
    if (product < largest && product > -largest)
      collect(term.operand(0), product, sum);
    else
      sum.summands.emplace_back(term, factor);
  } else if (term.op() == Op::Constant) {
    sum.constant += factor * term.value();
  } else {
    sum.summands.emplace_back(term, factor);
  }
}

/// a - b, one summand for equal atoms.
AbstractStep::Sum AbstractStep::sumOf(Term a, Term b) {
  Sum sum;
  collect(a, 1, sum);
  collect(b, -1, sum);
  auto same = [&](Term s, Term t) {
    return s == t ||
           (s.op() == Op::Variable && t.op() == Op::Variable && areEqual(slotOf(s), slotOf(t)));
  };
  for (size_t i = 0; i < sum.summands.size(); ++i)
    for (size_t j = sum.summands.size(); --j > i;)
      if (same(sum.summands[i].first, sum.summands[j].first)) {
        sum.summands[i].second += sum.summands[j].second;
        sum.summands.erase(sum.summands.begin() + static_cast<std::ptrdiff_t>(j));
      }
  std::erase_if(sum.summands, [](const auto &summand) { return summand.second == 0; });
  return sum;
}

/// a <= b + slack: every summand of a - b is at most what the others leave.
bool AbstractStep::assumeAtMost(Term a, Term b, Wide slack) {
  Sum sum = sumOf(a, b);
  std::vector<Interval> parts;
  Interval rest = Interval::point(sum.constant - slack);
  size_t open = 0;
  for (const auto &[atom, factor] : sum.summands) {
    parts.push_back(evaluate(atom).times(factor));
    if (parts.back().hasLower())
      rest = rest.plus({parts.back().lower, Interval::infinity});
    else
      ++open;
  }
  if (open == 0 && rest.lower > 0)
    return false;
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto &[atom, factor] = sum.summands[i];
    if (atom.op() != Op::Variable || open > (parts[i].hasLower() ? 0u : 1u))
      continue;
    Wide most = -(rest.lower - (parts[i].hasLower() ? parts[i].lower : 0));
    if (most >= Interval::infinity)
      continue;
    Interval bound = factor > 0 ? Interval{-Interval::infinity, dividedDown(most, factor)}
                                : Interval{dividedUp(-most, -factor), Interval::infinity};
    if (!narrow(atom, bound))
      return false;
  }
  return true;
}

void AbstractStep::set(VariableIndex v, bool primed, const Interval &value) {
  (primed ? after : before)[v] = value;
  knownPrimed_.clear();
  if (!primed)
    known_.clear();
}

bool AbstractStep::propagate(const std::vector<Conjunct> &conjuncts) {
  constexpr int rounds = 3;
  for (int round = 0; round < rounds; ++round) {
    changed_ = false;
    for (const Conjunct &conjunct : conjuncts)
      if (!equateFrom(conjunct.formula))
        return false;
    for (const Conjunct &conjunct : conjuncts)
      if (!assume(conjunct.formula, true))
        return false;
    if (!changed_)
      break;
  }
  return true;
}

} // namespace understudy::compose::sequential
