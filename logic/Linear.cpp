// SPDX-License-Identifier: Apache-2.0
#include "logic/Linear.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace understudy::logic {

namespace {

constexpr Wide least = std::numeric_limits<int64_t>::min();
constexpr Wide greatest = std::numeric_limits<int64_t>::max();
// Bounds beyond this are as good as infinite, and products of smaller ones fit in 128 bits.
constexpr Wide horizon = static_cast<Wide>(1) << 62 << 1;

bool fits(Wide number) { return least <= number && number <= greatest; }

std::optional<Wide> cut(std::optional<Wide> bound) {
  return bound && -horizon <= *bound && *bound <= horizon ? bound : std::nullopt;
}

Bounds cut(Bounds b) { return {cut(b.lower), cut(b.upper)}; }

std::optional<Wide> plus(std::optional<Wide> a, std::optional<Wide> b) {
  if (!a || !b)
    return std::nullopt;
  return *a + *b;
}

std::optional<Wide> times(std::optional<Wide> a, Wide factor) {
  if (!a)
    return std::nullopt;
  return *a * factor;
}

Bounds scaled(Bounds b, Wide factor) {
  if (factor == 0)
    return {0, 0};
  Bounds result{times(b.lower, factor), times(b.upper, factor)};
  if (factor < 0)
    std::swap(result.lower, result.upper);
  return result;
}

Bounds sum(Bounds a, Bounds b) { return {plus(a.lower, b.lower), plus(a.upper, b.upper)}; }

std::optional<Wide> quotient(std::optional<Wide> a, Wide divisor) {
  if (!a)
    return std::nullopt;
  return *a / divisor;
}

Bounds remainderBounds(Bounds a, Wide divisor) {
  Bounds result{1 - divisor, divisor - 1};
  if (a.lower && *a.lower >= 0)
    result.lower = 0;
  if (a.upper && *a.upper <= 0)
    result.upper = 0;
  return result;
}

Bounds hull(Bounds a, Bounds b) {
  Bounds result;
  if (a.lower && b.lower)
    result.lower = std::min(*a.lower, *b.lower);
  if (a.upper && b.upper)
    result.upper = std::max(*a.upper, *b.upper);
  return result;
}

Bounds variableBounds(Sort sort) {
  if (sort.kind() == SortKind::Range)
    return {sort.lower(), sort.upper()};
  if (!sort.isEnum())
    return {};
  auto values = *sort.values();
  return {values.front(), values.back()};
}

/// Bounds of a value that `evaluate` has computed.
Bounds evaluatedBounds(Bounds b) {
  return {std::max(b.lower.value_or(least), least), std::min(b.upper.value_or(greatest), greatest)};
}

bool fits(const Bounds &b) { return b.lower && b.upper && fits(*b.lower) && fits(*b.upper); }

/// Adds factor * term to the form; nested sums and products are opened.
bool collect(Term term, Wide factor, LinearForm &form,
             std::unordered_map<Term, size_t> &positions) {
  std::vector<std::pair<Term, Wide>> work{{term, factor}};
  while (!work.empty()) {
    auto [t, f] = work.back();
    work.pop_back();
    if (!fits(f))
      return false;
    if (t.isConstant()) {
      Wide constant = form.constant + f * t.value();
      if (!fits(constant))
        return false;
      form.constant = static_cast<int64_t>(constant);
    } else if (t.op() == Op::Multiply) {
      work.emplace_back(t.operand(0), f * t.value());
    } else if (t.op() == Op::Add) {
      for (size_t i = t.operands().size(); i > 0; --i)
        work.emplace_back(t.operand(i - 1), f);
    } else {
      auto [found, isNew] = positions.try_emplace(t, form.summands.size());
      if (isNew)
        form.summands.emplace_back(t, 0);
      Wide total = form.summands[found->second].second + f;
      if (!fits(total))
        return false;
      form.summands[found->second].second = static_cast<int64_t>(total);
    }
  }
  return true;
}

void dropZeros(LinearForm &form) {
  std::erase_if(form.summands, [](const auto &s) { return s.second == 0; });
}

Term product(TermPool &pool, int64_t factor, Term atom) {
  return factor == 1 ? atom : pool.multiply(factor, atom);
}

Term build(TermPool &pool, const LinearForm &form) {
  std::vector<Term> operands;
  for (const auto &[atom, factor] : form.summands)
    operands.push_back(product(pool, factor, atom));
  if (form.constant != 0 || operands.empty())
    operands.push_back(pool.integer(form.constant));
  return pool.sum(std::move(operands));
}

bool isHarmless(TermPool &pool, Term atom, int64_t factor, BoundsTable &bounds,
                std::span<const Term> evaluated) {
  return factor == 1 || fits(scaled(evaluatedBounds(bounds.of(atom)), factor)) ||
         std::find(evaluated.begin(), evaluated.end(), product(pool, factor, atom)) !=
             evaluated.end();
}

bool allHarmless(TermPool &pool, const LinearForm &form, BoundsTable &bounds,
                 std::span<const Term> evaluated) {
  return std::all_of(form.summands.begin(), form.summands.end(), [&](const auto &s) {
    return isHarmless(pool, s.first, s.second, bounds, evaluated);
  });
}

bool partialSumsFit(const LinearForm &form, BoundsTable &bounds) {
  Bounds total{0, 0};
  for (const auto &[atom, factor] : form.summands) {
    Bounds summand = scaled(evaluatedBounds(bounds.of(atom)), factor);
    total = sum(total, summand);
    if (!fits(summand) || !fits(total))
      return false;
  }
  return fits(sum(total, {form.constant, form.constant}));
}

} // namespace

Bounds BoundsTable::of(Term term) {
  if (auto found = known_.find(term); found != known_.end())
    return found->second;
  Bounds result = cut(compute(term));
  known_.emplace(term, result);
  return result;
}

Bounds BoundsTable::compute(Term term) {
  switch (term.op()) {
  case Op::Constant:
    return {term.value(), term.value()};
  case Op::Variable:
    return variableBounds(term.sort());
  case Op::Ite:
    return hull(of(term.operand(1)), of(term.operand(2)));
  case Op::Add: {
    Bounds total{0, 0};
    for (const Term &t : term.operands())
      total = cut(sum(total, of(t)));
    return total;
  }
  case Op::Multiply:
    return scaled(of(term.operand(0)), term.value());
  case Op::Divide: {
    Bounds b = of(term.operand(0));
    return {quotient(b.lower, term.value()), quotient(b.upper, term.value())};
  }
  case Op::Remainder:
    return remainderBounds(of(term.operand(0)), term.value());
  default:
    return {};
  }
}

std::optional<LinearForm> linearForm(Term term) {
  LinearForm form;
  std::unordered_map<Term, size_t> positions;
  if (!collect(term, 1, form, positions))
    return std::nullopt;
  dropZeros(form);
  return form;
}

std::optional<Term> rearranged(TermPool &pool, const LinearForm &form, BoundsTable &bounds,
                               std::span<const Term> evaluated) {
  bool single = form.summands.size() + (form.constant != 0 ? 1 : 0) <= 1;
  if (partialSumsFit(form, bounds) || (single && allHarmless(pool, form, bounds, evaluated)))
    return build(pool, form);
  return std::nullopt;
}

std::optional<Term> rearrangedSum(TermPool &pool, const LinearForm &form, BoundsTable &bounds,
                                  std::span<const Term> evaluated) {
  size_t count = form.summands.size() + (form.constant != 0 ? 1 : 0);
  if (count <= 1 || (count == 2 && allHarmless(pool, form, bounds, evaluated)) ||
      partialSumsFit(form, bounds))
    return build(pool, form);
  return std::nullopt;
}

bool cancelCommon(LinearForm &a, LinearForm &b) {
  bool changed = false;
  std::unordered_map<Term, int64_t *> factors;
  for (auto &[atom, factor] : b.summands)
    factors.emplace(atom, &factor);
  for (auto &[atom, factor] : a.summands) {
    auto found = factors.find(atom);
    if (found == factors.end() || (factor > 0) != (*found->second > 0))
      continue;
    int64_t common =
        factor > 0 ? std::min(factor, *found->second) : std::max(factor, *found->second);
    factor -= common;
    *found->second -= common;
    changed = true;
  }
  dropZeros(a);
  dropZeros(b);
  // The constant goes to the side without atoms, else to the side where it is positive.
  Wide difference = static_cast<Wide>(b.constant) - a.constant;
  bool right = b.isConstant() || (!a.isConstant() && difference > 0);
  Wide target = right ? difference : -difference;
  if (!fits(target) || (right ? a.constant : b.constant) == 0)
    return changed;
  a.constant = right ? 0 : static_cast<int64_t>(target);
  b.constant = right ? static_cast<int64_t>(target) : 0;
  return true;
}

} // namespace understudy::logic
