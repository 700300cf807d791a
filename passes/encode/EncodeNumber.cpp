// SPDX-License-Identifier: Apache-2.0
#include "passes/encode/EncodeNumber.h"

#include "logic/Error.h"

#include <algorithm>

namespace understudy::passes::encode {

using logic::Unsupported;

namespace {

/// Terms are kept between -2^124 and 2^124.
constexpr Wide limit = Wide{1} << 124;
/// More wraps than this are a remainder, not choices.
constexpr Wide maxChoices = 3;
/// Numbers of more bits than this are not taken apart.
constexpr unsigned maxBits = 8;

Wide power(unsigned exponent) { return Wide{1} << exponent; }

Wide floorDivide(Wide a, Wide b) { return a / b - (a % b < 0 ? 1 : 0); }

bool isBounded(const Number &a) { return a.within(-limit, limit); }

std::pair<Wide, Wide> productBounds(const Number &a, Wide factor) {
  Wide low = 0;
  Wide high = 0;
  if (__builtin_mul_overflow(a.lower, factor, &low) ||
      __builtin_mul_overflow(a.upper, factor, &high))
    return {-limit - 1, limit + 1};
  return std::minmax(low, high);
}

/// The numbers whose product with the factor, which is not 0, lies between the bounds.
std::pair<Wide, Wide> factorBounds(Wide factor, Wide low, Wide high) {
  if (factor < 0)
    return factorBounds(-factor, -high, -low);
  return {-floorDivide(-low, factor), floorDivide(high, factor)};
}

void requireNarrow(unsigned bits) {
  if (bits > 64)
    throw Unsupported("an operation on more than 64 bits is not supported");
}

} // namespace

Wide leastOf(Reading reading, unsigned bits) {
  return reading == Reading::Unsigned ? 0 : -power(bits - 1);
}

Wide greatestOf(Reading reading, unsigned bits) {
  return (reading == Reading::Unsigned ? power(bits) : power(bits - 1)) - 1;
}

Number Arithmetic::ofBoolean(Term truth) {
  if (truth.isConstant())
    return constant(truth.value());
  return {terms_.ite(truth, terms_.integer(1), terms_.integer(0)), 0, 1};
}

Number Arithmetic::shifted(Number a, Wide by) {
  return {terms_.add(a.term, by), a.lower + by, a.upper + by};
}

Number Arithmetic::wrap(Number a, Wide low, unsigned bits) {
  using logic::Op;
  if (a.term.op() == Op::Ite && a.term.operand(1).isConstant() && a.term.operand(2).isConstant() &&
      !a.isConstant())
    return ite(a.term.operand(0), wrap(constant(a.term.operand(1).value()), low, bits),
               wrap(constant(a.term.operand(2).value()), low, bits));
  Wide size = power(bits);
  Wide first = floorDivide(a.lower - low, size);
  Wide last = floorDivide(a.upper - low, size);
  if (first == last)
    return shifted(a, -first * size);
  if (last - first > maxChoices) {
    Wide offset = -low - first * size;
    if (offset > power(62)) // the remainder has the dividend's sign, but needs no huge constant
      return wrap({terms_.remainder(a.term, size), 1 - size, size - 1}, low, bits);
    return shifted({terms_.remainder(terms_.add(a.term, offset), size), 0, size - 1}, low);
  }
  Term term = terms_.add(a.term, -last * size);
  for (Wide wraps = last - 1; wraps >= first; --wraps)
    term = terms_.ite(terms_.atMost(a.term, low + (wraps + 1) * size - 1),
                      terms_.add(a.term, -wraps * size), term);
  return {term, low, low + size - 1};
}

Number Arithmetic::read(Reading reading, Number a, unsigned bits) {
  if (bits <= 64)
    return wrap(a, leastOf(reading, bits), bits);
  bool isSame = reading == Reading::Signed
                    ? bits > 124 || a.within(leastOf(reading, bits), greatestOf(reading, bits))
                    : a.lower >= 0 && (bits > 124 || a.upper < power(bits));
  if (!isSame)
    throw Unsupported("an operation on more than 64 bits that may wrap is not supported");
  return a;
}

Term Arithmetic::isNonZero(Number a, unsigned bits) {
  return terms_.negate(equal(a, constant(0), bits));
}

Number Arithmetic::exactSum(Number a, Number b) {
  if (b.isConstant())
    return shifted(a, b.lower);
  if (a.isConstant())
    return shifted(b, a.lower);
  return {terms_.add(a.term, b.term), a.lower + b.lower, a.upper + b.upper};
}

Number Arithmetic::exactDifference(Number a, Number b) {
  if (b.isConstant())
    return shifted(a, -b.lower);
  if (a.term == b.term)
    return constant(0);
  return {terms_.add(a.term, terms_.multiply(-1, b.term)), a.lower - b.upper, a.upper - b.lower};
}

Number Arithmetic::exactProduct(Number a, Number b) {
  if (a.isConstant())
    std::swap(a, b);
  if (!b.isConstant())
    throw Unsupported("a multiplication of two variables is not supported");
  auto [low, high] = productBounds(a, b.lower);
  Number result{terms_.multiply(b.lower, a.term), low, high};
  if (!isBounded(result))
    throw Unsupported("a multiplication with a result of more than 124 bits is not supported");
  return result;
}

Number Arithmetic::add(Number a, Number b, unsigned bits) {
  Number sum = exactSum(a, b);
  return isBounded(sum) ? sum
                        : exactSum(read(Reading::Signed, a, bits), read(Reading::Signed, b, bits));
}

Number Arithmetic::subtract(Number a, Number b, unsigned bits) {
  Number difference = exactDifference(a, b);
  return isBounded(difference)
             ? difference
             : exactDifference(read(Reading::Signed, a, bits), read(Reading::Signed, b, bits));
}

Number Arithmetic::multiply(Number a, Number b, unsigned bits) {
  if (a.isConstant())
    std::swap(a, b);
  if (!b.isConstant())
    throw Unsupported("a multiplication of two variables is not supported");
  b = read(Reading::Signed, b, bits);
  Number product{a.term, productBounds(a, b.lower).first, productBounds(a, b.lower).second};
  if (!isBounded(product)) {
    requireNarrow(bits);
    // Reading the low half and the high half apart keeps the product small.
    Number whole = read(Reading::Unsigned, a, bits);
    Wide half = power(bits / 2);
    Number lowHalf = lowBits(whole, bits / 2);
    Number highHalf{terms_.divide(whole.term, half), 0, greatestOf(Reading::Unsigned, bits) / half};
    Number scale = read(Reading::Signed, constant(b.lower * half), bits);
    return exactSum(exactProduct(lowHalf, b), exactProduct(highHalf, scale));
  }
  product.term = terms_.multiply(b.lower, a.term);
  return product;
}

Number Arithmetic::divide(Reading reading, Number a, Number divisor, unsigned bits) {
  if (!divisor.isConstant())
    throw Unsupported("a division by a variable is not supported");
  a = read(reading, a, bits);
  Wide by = read(reading, divisor, bits).lower;
  if (by == 0)
    throw Unsupported("a division by 0 is not supported");
  Wide size = by < 0 ? -by : by;
  if (a.isConstant())
    return constant(a.lower / by);
  if (size > std::max(-a.lower, a.upper))
    return constant(0);
  Number result{a.term, a.lower / size, a.upper / size};
  // Beyond 63 bits the quotient is -1, 0 or 1.
  result.term = size < power(63) ? terms_.divide(a.term, size)
                                 : ite(terms_.atLeast(a.term, size), constant(1),
                                       ite(terms_.atMost(a.term, -size), constant(-1), constant(0)))
                                       .term;
  return by < 0 ? exactProduct(result, constant(-1)) : result;
}

Number Arithmetic::remainder(Reading reading, Number a, Number divisor, unsigned bits) {
  if (!divisor.isConstant())
    throw Unsupported("a remainder by a variable is not supported");
  a = read(reading, a, bits);
  Wide by = read(reading, divisor, bits).lower;
  if (by == 0)
    throw Unsupported("a remainder by 0 is not supported");
  Wide size = by < 0 ? -by : by;
  if (a.isConstant())
    return constant(a.lower % size);
  if (size > std::max(-a.lower, a.upper))
    return a;
  Number result{a.term, a.lower < 0 ? std::max(a.lower, 1 - size) : 0,
                a.upper > 0 ? std::min(a.upper, size - 1) : 0};
  result.term = size < power(63)
                    ? terms_.remainder(a.term, size)
                    : exactDifference(a, exactProduct(divide(reading, a, constant(size), bits + 1),
                                                      constant(size)))
                          .term;
  return result;
}

Number Arithmetic::shiftRight(Reading reading, Number a, unsigned by, unsigned bits) {
  if (by >= bits || by > 120)
    throw Unsupported("a shift by the type's width or more is not supported");
  a = read(reading, a, bits);
  Wide size = power(by);
  // Truncation is not the floor of a negative number: move it to the positive side and back.
  Wide offset = a.lower < 0 ? -floorDivide(a.lower, size) * size : 0;
  Number positive = shifted(a, offset);
  Number quotient{terms_.divide(positive.term, size), positive.lower / size, positive.upper / size};
  return shifted(quotient, -(offset / size));
}

Number Arithmetic::keepBits(Number a, Wide mask, unsigned bits) {
  Number result = constant(0);
  for (unsigned low = 0; low < bits;) {
    if ((mask >> low & 1) == 0) {
      ++low;
      continue;
    }
    unsigned end = low;
    while (end < bits && (mask >> end & 1) != 0)
      ++end;
    Number part = low == 0 ? a : shiftRight(Reading::Unsigned, a, low, bits);
    if (low == 0 || end < bits)
      part = lowBits(part, end - low);
    result = exactSum(result, exactProduct(part, constant(power(low))));
    low = end;
  }
  result.upper = std::min(result.upper, mask);
  return result;
}

std::optional<std::pair<Term, Term>> Arithmetic::asBooleans(Number a, Number b) {
  if (!a.within(0, 1) || !b.within(0, 1))
    return std::nullopt;
  return std::pair{terms_.equal(a.term, terms_.integer(1)),
                   terms_.equal(b.term, terms_.integer(1))};
}

/// Bit by bit of the smaller number, if there are few.
Number Arithmetic::bitAndOfVariables(Number a, Number b, unsigned bits) {
  a = read(Reading::Unsigned, a, bits);
  b = read(Reading::Unsigned, b, bits);
  if (a.upper < b.upper)
    std::swap(a, b);
  if (b.upper >= power(maxBits))
    throw Unsupported("a bit operation on two variables is not supported");
  Number result = constant(0);
  for (unsigned i = 0; power(i) <= b.upper; ++i) {
    Term isSet = isNonZero(keepBits(b, power(i), bits), bits);
    result = exactSum(result, ite(isSet, keepBits(a, power(i), bits), constant(0)));
  }
  result.upper = std::min(result.upper, b.upper);
  return result;
}

Number Arithmetic::bitAnd(Number a, Number b, unsigned bits) {
  requireNarrow(bits);
  if (auto pair = asBooleans(a, b))
    return ofBoolean(terms_.both(pair->first, pair->second));
  if (a.isConstant())
    std::swap(a, b);
  if (!b.isConstant())
    return bitAndOfVariables(a, b, bits);
  Wide mask = read(Reading::Unsigned, b, bits).lower;
  return mask == power(bits) - 1 ? a : keepBits(a, mask, bits);
}

Number Arithmetic::bitOr(Number a, Number b, unsigned bits) {
  requireNarrow(bits);
  if (auto pair = asBooleans(a, b))
    return ofBoolean(terms_.either(pair->first, pair->second));
  if (a.isConstant())
    std::swap(a, b);
  if (!b.isConstant()) // a + b - (a & b)
    return exactDifference(
        exactSum(read(Reading::Unsigned, a, bits), read(Reading::Unsigned, b, bits)),
        bitAndOfVariables(a, b, bits));
  Wide mask = read(Reading::Unsigned, b, bits).lower;
  return mask == 0 ? a : exactSum(keepBits(a, power(bits) - 1 - mask, bits), constant(mask));
}

Number Arithmetic::bitXor(Number a, Number b, unsigned bits) {
  requireNarrow(bits);
  if (auto pair = asBooleans(a, b))
    return ofBoolean(terms_.negate(terms_.equal(pair->first, pair->second)));
  if (a.isConstant())
    std::swap(a, b);
  if (!b.isConstant()) // a + b - 2 * (a & b)
    return exactDifference(
        exactSum(read(Reading::Unsigned, a, bits), read(Reading::Unsigned, b, bits)),
        exactProduct(bitAndOfVariables(a, b, bits), constant(2)));
  Wide mask = read(Reading::Unsigned, b, bits).lower;
  if (mask == power(bits) - 1) // ~a == -1 - a
    return exactSum(exactProduct(a, constant(-1)), constant(-1));
  // Where the mask is 1 the bit is turned round: a + mask - 2 * (a & mask).
  Number turned = exactProduct(keepBits(a, mask, bits), constant(-2));
  return mask == 0 ? a : add(exactSum(turned, constant(mask)), a, bits);
}

Number Arithmetic::ite(Term condition, Number yes, Number no) {
  if (condition.isConstant())
    return condition.isTrue() ? yes : no;
  return {terms_.ite(condition, yes.term, no.term), std::min(yes.lower, no.lower),
          std::max(yes.upper, no.upper)};
}

Term Arithmetic::equal(Number a, Number b, unsigned bits) {
  if (bits > 64)
    return exactly(Comparison::Equal, read(Reading::Signed, a, bits),
                   read(Reading::Signed, b, bits));
  Wide size = power(bits);
  // Congruent numbers that differ by less than 2^N are equal.
  if (a.upper - b.lower < size && b.upper - a.lower < size)
    return exactly(Comparison::Equal, a, b);
  Reading reading = a.lower >= 0 && b.lower >= 0 ? Reading::Unsigned : Reading::Signed;
  return exactly(Comparison::Equal, read(reading, a, bits), read(reading, b, bits));
}

Term Arithmetic::exactly(Comparison comparison, Number a, Number b) {
  switch (comparison) {
  case Comparison::Equal:
    if (a.upper < b.lower || b.upper < a.lower)
      return terms_.boolean(false);
    if (a.isConstant() || b.isConstant()) {
      Wide value = a.isConstant() ? a.lower : b.lower;
      Number other = a.isConstant() ? b : a;
      Wide near = std::clamp<Wide>(value, INT64_MIN, INT64_MAX);
      return other.isConstant()
                 ? terms_.boolean(true)
                 : terms_.equal(terms_.add(other.term, near - value), terms_.integer(near));
    }
    return terms_.equal(a.term, b.term);
  case Comparison::Less:
    return terms_.negate(exactly(Comparison::LessEqual, b, a));
  case Comparison::LessEqual:
    if (a.upper <= b.lower)
      return terms_.boolean(true);
    if (a.lower > b.upper)
      return terms_.boolean(false);
    if (b.isConstant())
      return terms_.atMost(a.term, b.lower);
    if (a.isConstant())
      return terms_.atLeast(b.term, a.lower);
    return terms_.lessEqual(a.term, b.term);
  }
  throw std::logic_error("unknown comparison");
}

Term Arithmetic::isWithin(Number a, Wide low, Wide high) {
  if (a.upper < low || high < a.lower)
    return terms_.boolean(false);
  Term above = a.lower >= low ? terms_.boolean(true) : terms_.atLeast(a.term, low);
  Term below = a.upper <= high ? terms_.boolean(true) : terms_.atMost(a.term, high);
  return terms_.both(above, below);
}

Term Arithmetic::isProductWithin(Number a, Wide factor, Wide low, Wide high) {
  if (factor == 0)
    return terms_.boolean(low <= 0 && 0 <= high);
  auto [first, last] = factorBounds(factor, low, high);
  return isWithin(a, first, last);
}

Number Arithmetic::productWithin(Number a, Wide factor, Wide low, Wide high) {
  if (factor == 0)
    return constant(0);
  auto [first, last] = factorBounds(factor, low, high);
  a.lower = std::clamp(a.lower, first, last);
  a.upper = std::clamp(a.upper, first, last);
  auto [least, greatest] = productBounds(a, factor);
  return {terms_.multiply(factor, a.term), least, greatest};
}

} // namespace understudy::passes::encode
