// SPDX-License-Identifier: Apache-2.0
//
// One pass from the leaves up; every rule sees simplified operands and applies no other rule twice.
// Operands of connectives keep their order, since evaluation stops early and a later operand may
// overflow; dropping one is always allowed.
#include "logic/Simplify.h"

#include "logic/Linear.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

namespace understudy::logic {

class Simplifier::Rules {
public:
  explicit Rules(TermPool &pool) : pool_(pool) {}

  Term apply(Term term) {
    std::vector<Term> work{term};
    while (!work.empty()) {
      Term t = work.back();
      size_t before = work.size();
      if (!done_.contains(t))
        for (const Term &operand : t.operands())
          if (!done_.contains(operand))
            work.push_back(operand);
      if (work.size() > before)
        continue;
      work.pop_back();
      if (done_.contains(t))
        continue;
      Term result = step(t);
      // Bounds from the leaves up keep the table's recursion shallow.
      if (result.sort().isNumeric())
        bounds_.of(result);
      done_.emplace(t, result);
    }
    return done_.at(term);
  }

private:
  TermPool &pool_;
  std::unordered_map<Term, Term> done_;
  BoundsTable bounds_;

  Term step(Term term) {
    std::vector<Term> operands;
    operands.reserve(term.operands().size());
    for (const Term &t : term.operands())
      operands.push_back(done_.at(t));
    switch (term.op()) {
    case Op::Constant:
    case Op::Variable:
      return term;
    case Op::Not:
      return negation(operands[0]);
    case Op::And:
    case Op::Or:
      return junction(term.op(), operands);
    case Op::Implies:
      return implication(operands[0], operands[1]);
    case Op::Ite:
      return conditional(operands[0], operands[1], operands[2]);
    case Op::Equal:
      return equality(operands[0], operands[1]);
    case Op::Less:
    case Op::LessEqual:
      return order(term.op(), operands[0], operands[1]);
    default:
      return term.sort().isArray() || term.op() == Op::Select ? arrayStep(term, operands)
                                                              : numberStep(term, operands);
    }
  }

  Term numberStep(Term term, std::vector<Term> &operands) {
    switch (term.op()) {
    case Op::Add:
      return sum(term, std::move(operands));
    case Op::Multiply:
      return product(term.value(), operands[0]);
    case Op::Divide:
      return quotient(operands[0], term.value());
    case Op::Remainder:
      return remainder(operands[0], term.value());
    default:
      throw std::logic_error("unknown operation");
    }
  }

  Term arrayStep(Term term, std::vector<Term> &operands) {
    if (term.op() == Op::Select)
      return select(operands[0], operands[1]);
    if (term.op() == Op::Store)
      return store(operands[0], operands[1], operands[2]);
    return pool_.rebuild(term, std::move(operands));
  }

  Term negation(Term a) {
    switch (a.op()) {
    case Op::Constant:
      return pool_.boolean(a.value() == 0);
    case Op::Not:
      return a.operand(0);
    case Op::Less:
      return pool_.lessEqual(a.operand(1), a.operand(0));
    case Op::LessEqual:
      return pool_.less(a.operand(1), a.operand(0));
    default:
      return pool_.negate(a);
    }
  }

  /// And, Or: without neutral elements and repetitions; an absorbing element or a complementary
  /// pair decides.
  Term junction(Op op, const std::vector<Term> &operands) {
    Term absorbing = pool_.boolean(op == Op::Or);
    std::vector<Term> kept;
    std::unordered_set<Term> seen;
    for (const Term &operand : operands)
      for (const Term &t : operand.op() == op ? operand.operands() : std::span(&operand, 1)) {
        if (t == absorbing || seen.contains(negation(t)))
          return absorbing;
        if (!t.isConstant() && seen.insert(t).second)
          kept.push_back(t);
      }
    return op == Op::And ? pool_.conjunction(std::move(kept)) : pool_.disjunction(std::move(kept));
  }

  Term implication(Term a, Term b) {
    if (a.isFalse() || b.isTrue() || a == b)
      return pool_.boolean(true);
    if (a.isTrue())
      return b;
    return b.isFalse() ? negation(a) : pool_.implies(a, b);
  }

  Term conditional(Term condition, Term yes, Term no) {
    if (condition.op() == Op::Not) {
      condition = condition.operand(0);
      std::swap(yes, no);
    }
    if (condition.isConstant())
      return condition.isTrue() ? yes : no;
    if (yes == no)
      return yes;
    if (yes.isTrue() || (yes == condition && yes.sort().isBool()))
      return junction(Op::Or, {condition, no});
    if (yes.isFalse())
      return junction(Op::And, {negation(condition), no});
    if (no.isTrue())
      return junction(Op::Or, {negation(condition), yes});
    if (no.isFalse() || no == condition)
      return junction(Op::And, {condition, yes});
    return pool_.ite(condition, yes, no);
  }

  Term equality(Term a, Term b) {
    if (a == b)
      return pool_.boolean(true);
    if (a.isConstant() && b.isConstant())
      return pool_.boolean(a.value() == b.value());
    if (a.sort().isBool())
      return equivalence(a, b);
    if (a.sort().isArray())
      return pool_.equal(a, b);
    Bounds left = bounds_.of(a);
    Bounds right = bounds_.of(b);
    if (isBelow(left, right) || isBelow(right, left))
      return pool_.boolean(false);
    auto [x, y] = withoutCommon(a, b);
    if (x.isConstant() && y.isConstant())
      return pool_.boolean(x.value() == y.value());
    return x == y ? pool_.boolean(true) : pool_.equal(x, y);
  }

  Term equivalence(Term a, Term b) {
    if (a.isConstant())
      return a.isTrue() ? b : negation(b);
    if (b.isConstant())
      return b.isTrue() ? a : negation(a);
    return a == negation(b) ? pool_.boolean(false) : pool_.equal(a, b);
  }

  Term order(Op op, Term a, Term b) {
    if (auto known = decided(op, a, b))
      return pool_.boolean(*known);
    auto [x, y] = withoutCommon(a, b);
    if (auto known = decided(op, x, y))
      return pool_.boolean(*known);
    return op == Op::Less ? pool_.less(x, y) : pool_.lessEqual(x, y);
  }

  std::optional<bool> decided(Op op, Term a, Term b) {
    if (a == b)
      return op == Op::LessEqual;
    Bounds left = bounds_.of(a);
    Bounds right = bounds_.of(b);
    if (op == Op::Less ? isBelow(left, right) : isNotAbove(left, right))
      return true;
    if (op == Op::Less ? isNotAbove(right, left) : isBelow(right, left))
      return false;
    return std::nullopt;
  }

  static bool isBelow(const Bounds &a, const Bounds &b) {
    return a.upper && b.lower && *a.upper < *b.lower;
  }
  static bool isNotAbove(const Bounds &a, const Bounds &b) {
    return a.upper && b.lower && *a.upper <= *b.lower;
  }

  /// x + 1, y + 1 become x, y; x + 1, 5 become x, 4.
  std::pair<Term, Term> withoutCommon(Term a, Term b) {
    if (!a.sort().isInteger())
      return {a, b};
    auto left = linearForm(a);
    auto right = linearForm(b);
    if (!left || !right || !cancelCommon(*left, *right))
      return {a, b};
    auto x = rearranged(pool_, *left, bounds_, summandsOf(a));
    auto y = rearranged(pool_, *right, bounds_, summandsOf(b));
    return x && y ? std::pair(*x, *y) : std::pair(a, b);
  }

  static std::vector<Term> summandsOf(Term a) {
    if (a.op() == Op::Add)
      return {a.operands().begin(), a.operands().end()};
    return {a};
  }

  Term sum(Term term, std::vector<Term> operands) {
    Term flat = pool_.sum(operands);
    if (auto form = linearForm(flat))
      if (auto result = rearrangedSum(pool_, *form, bounds_, summandsOf(flat)))
        return *result;
    // An operand that became a sum would be added piece by piece from now on. Only the first may.
    for (size_t i = 1; i < operands.size(); ++i)
      if (operands[i].op() == Op::Add)
        operands[i] = term.operand(i);
    return pool_.sum(mergeNeighbours(operands));
  }

  /// What is safe in any sum, for it only skips partial sums: neighbouring constants are added,
  /// neighbours that cancel out vanish, and so do zeros.
  std::vector<Term> mergeNeighbours(const std::vector<Term> &operands) {
    std::vector<Term> kept;
    for (const Term &operand : operands)
      for (const Term &t : operand.op() == Op::Add ? operand.operands() : std::span(&operand, 1)) {
        if (t.isConstant() && t.value() == 0)
          continue;
        if (kept.empty() || !mergeInto(kept, t))
          kept.push_back(t);
      }
    return kept;
  }

  bool mergeInto(std::vector<Term> &kept, Term t) {
    Term last = kept.back();
    int64_t total = 0;
    if (last.isConstant() && t.isConstant()) {
      if (__builtin_add_overflow(last.value(), t.value(), &total))
        return false;
      kept.pop_back();
      if (total != 0)
        kept.push_back(pool_.integer(total));
      return true;
    }
    auto cancels = [](Term a, Term b) {
      return a.op() == Op::Multiply && a.value() == -1 && a.operand(0) == b;
    };
    if (!cancels(last, t) && !cancels(t, last))
      return false;
    kept.pop_back();
    return true;
  }

  Term product(int64_t factor, Term a) {
    int64_t combined = 0;
    if (factor == 0)
      return pool_.integer(0);
    if (factor == 1)
      return a;
    if (a.isConstant() && !__builtin_mul_overflow(factor, a.value(), &combined))
      return pool_.integer(combined);
    if (a.op() == Op::Multiply && !__builtin_mul_overflow(factor, a.value(), &combined))
      return combined == 1 ? a.operand(0) : pool_.multiply(combined, a.operand(0));
    return pool_.multiply(factor, a);
  }

  Term quotient(Term a, int64_t divisor) {
    if (a.isConstant())
      return pool_.integer(a.value() / divisor);
    if (divisor == 1)
      return a;
    return isSmaller(a, divisor) ? pool_.integer(0) : pool_.divide(a, divisor);
  }

  Term remainder(Term a, int64_t divisor) {
    if (a.isConstant())
      return pool_.integer(a.value() % divisor);
    if (divisor == 1)
      return pool_.integer(0);
    return isSmaller(a, divisor) ? a : pool_.remainder(a, divisor);
  }

  /// |a| < divisor
  bool isSmaller(Term a, int64_t divisor) {
    Bounds b = bounds_.of(a);
    return b.lower && b.upper && -static_cast<Wide>(divisor) < *b.lower && *b.upper < divisor;
  }

  Term select(Term array, Term index) {
    while (array.op() == Op::Store) {
      Term written = array.operand(1);
      if (written == index)
        return array.operand(2);
      if (!written.isConstant() || !index.isConstant())
        break;
      array = array.operand(0);
    }
    return array.op() == Op::ConstArray && isIndexOf(array.sort(), index)
               ? array.operand(0)
               : pool_.select(array, index);
  }

  /// An array of fixed size holds default values elsewhere, also a constant one.
  bool isIndexOf(Sort array, Term index) {
    auto size = array.arraySize();
    Bounds b = bounds_.of(index);
    return !size || (b.lower && b.upper && *b.lower >= 0 && *b.upper < *size);
  }

  Term store(Term array, Term index, Term element) {
    if (array.op() == Op::Store && array.operand(1) == index)
      array = array.operand(0);
    bool unchanged = (element.op() == Op::Select && element.operand(0) == array &&
                      element.operand(1) == index) ||
                     (array.op() == Op::ConstArray && array.operand(0) == element &&
                      isIndexOf(array.sort(), index));
    return unchanged ? array : pool_.store(array, index, element);
  }
};

Simplifier::Simplifier() = default;
Simplifier::~Simplifier() = default;
Simplifier::Simplifier(Simplifier &&) noexcept = default;
Simplifier &Simplifier::operator=(Simplifier &&) noexcept = default;

Term Simplifier::operator()(Term term) {
  if (!rules_)
    rules_ = std::make_unique<Rules>(term.pool());
  return rules_->apply(term);
}

Term simplify(Term term) { return Simplifier()(term); }

} // namespace understudy::logic
