// SPDX-License-Identifier: Apache-2.0
#include "tests/logic/RandomTerm.h"

#include <limits>

namespace understudy::tests {

using namespace logic;

namespace {

Sort modeSort(TermPool &pool) { return pool.enumSort("Mode", {{"idle", 0}, {"busy", 4}}); }

VariableUse useOf(Term variable) { return {variable.variable(), variable.primed()}; }

} // namespace

Environment environmentOf(const State &state) {
  return [&state](Variable variable, bool primed) { return state.at({variable, primed}); };
}

std::vector<Term> Vocabulary::all() const {
  std::vector<Term> result;
  for (const auto *part : {&bools, &integers, &enums, &integerArrays, &boolArrays})
    result.insert(result.end(), part->begin(), part->end());
  return result;
}

Vocabulary wideVocabulary(TermPool &pool) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  constexpr int64_t half = int64_t{1} << 62;
  Vocabulary v;
  Variable p = pool.variable("", "p", pool.boolSort());
  Variable x = pool.variable("", "x", pool.intSort());
  Variable y = pool.variable("T", "y", pool.intSort());
  Variable r = pool.variable("", "r", pool.rangeSort(0, 3));
  Variable s = pool.variable("T", "s", pool.rangeSort(-2, 2));
  v.bools = {pool.var(p), pool.primed(p), pool.var(pool.variable("T", "q", pool.boolSort()))};
  v.integers = {pool.var(x), pool.primed(x), pool.var(y), pool.var(r), pool.primed(r), pool.var(s)};
  v.enums = {pool.var(pool.variable("", "mode", modeSort(pool)))};
  v.integerArrays = {pool.var(pool.variable("", "a", pool.arraySort(pool.intSort(), std::nullopt))),
                     pool.var(pool.variable("", "b", pool.arraySort(pool.rangeSort(0, 3), 3)))};
  v.boolArrays = {pool.var(pool.variable("", "c", pool.arraySort(pool.boolSort(), 2)))};
  v.constants = {0, 0, 1, 1, -1, 2, 3, -2, 5, most, -most - 1, half};
  v.numbers = {0, 1, -1, 2, -2, 3, 7, most, most - 1, -most - 1, -most, half, -half};
  return v;
}

Vocabulary smallVocabulary(TermPool &pool, Arrays arrays) {
  Vocabulary v;
  Variable r = pool.variable("", "r", pool.rangeSort(-1, 1));
  v.bools = {pool.var(pool.variable("", "p", pool.boolSort()))};
  v.integers = {pool.var(r), pool.primed(r),
                pool.var(pool.variable("T", "s", pool.rangeSort(0, 3)))};
  v.enums = {pool.var(pool.variable("", "mode", modeSort(pool)))};
  if (arrays == Arrays::With)
    v.integerArrays = {pool.var(pool.variable("", "a", pool.arraySort(pool.rangeSort(0, 2), 2)))};
  v.constants = {0, 1, -1, 2, 3, 5};
  return v;
}

std::vector<Term> RandomTerm::several(Term (RandomTerm::*make)(int), int depth) {
  std::vector<Term> result;
  for (size_t count = 2 + random_.below(3); count > 0; --count)
    result.push_back((this->*make)(depth));
  return result;
}

Term RandomTerm::boolean(int depth) {
  if (depth <= 0)
    return random_.oneIn(8) ? pool_.boolean(random_.oneIn(2)) : random_.pick(vocabulary_.bools);
  return random_.oneIn(2) ? connective(depth - 1) : comparison(depth - 1);
}

Term RandomTerm::connective(int depth) {
  switch (random_.below(6)) {
  case 0:
    return pool_.negate(boolean(depth));
  case 1:
    return pool_.conjunction(several(&RandomTerm::boolean, depth));
  case 2:
    return pool_.disjunction(several(&RandomTerm::boolean, depth));
  case 3:
    return pool_.implies(boolean(depth), boolean(depth));
  case 4:
    return pool_.ite(boolean(depth), boolean(depth), boolean(depth));
  default:
    if (vocabulary_.boolArrays.empty())
      return pool_.negate(boolean(depth));
    return pool_.select(array(vocabulary_.boolArrays[0].sort(), depth), integer(depth));
  }
}

Term RandomTerm::comparison(int depth) {
  switch (random_.below(7)) {
  case 0:
    return pool_.equal(boolean(depth), boolean(depth));
  case 1:
    return pool_.equal(enumeration(depth), enumeration(depth));
  case 2:
    return pool_.lessEqual(enumeration(depth), enumeration(depth));
  case 3:
    return pool_.equal(integer(depth), integer(depth));
  case 4:
    return pool_.less(integer(depth), integer(depth));
  case 5:
    return pool_.lessEqual(integer(depth), integer(depth));
  default: {
    if (vocabulary_.integerArrays.empty())
      return pool_.less(integer(depth), integer(depth));
    Sort sort = random_.pick(vocabulary_.integerArrays).sort();
    return pool_.equal(array(sort, depth), array(sort, depth));
  }
  }
}

Term RandomTerm::integer(int depth) {
  if (depth <= 0)
    return random_.oneIn(3) ? pool_.integer(random_.pick(vocabulary_.constants))
                            : random_.pick(vocabulary_.integers);
  switch (random_.below(8)) {
  case 0:
  case 1:
  case 2:
    return pool_.sum(several(&RandomTerm::integer, depth - 1));
  case 3:
    return pool_.multiply(random_.pick(vocabulary_.constants), integer(depth - 1));
  case 4:
    return pool_.divide(integer(depth - 1), random_.between(1, 3));
  case 5:
    return pool_.remainder(integer(depth - 1), random_.between(1, 3));
  case 6:
    return pool_.ite(boolean(depth - 1), integer(depth - 1), integer(depth - 1));
  default:
    if (vocabulary_.integerArrays.empty())
      return pool_.subtract(integer(depth - 1), integer(depth - 1));
    return pool_.select(array(random_.pick(vocabulary_.integerArrays).sort(), depth - 1),
                        integer(depth - 1));
  }
}

Term RandomTerm::enumeration(int depth) {
  Sort sort = vocabulary_.enums[0].sort();
  if (depth > 0 && random_.oneIn(3))
    return pool_.ite(boolean(depth - 1), enumeration(depth - 1), enumeration(depth - 1));
  return random_.oneIn(2) ? pool_.enumerator(sort, random_.pick(*sort.values()))
                          : random_.pick(vocabulary_.enums);
}

Term RandomTerm::array(Sort sort, int depth) {
  auto element = [&](int d) { return sort.element().isBool() ? boolean(d) : integer(d); };
  if (depth > 0 && random_.oneIn(2))
    return pool_.store(array(sort, depth - 1), integer(depth - 1), element(depth - 1));
  if (random_.oneIn(4))
    return pool_.constArray(sort, element(0));
  for (const Term &t : vocabulary_.all())
    if (t.sort() == sort)
      return t;
  return pool_.constArray(sort, element(0));
}

Value randomValue(Sort sort, const Vocabulary &vocabulary, Random &random) {
  if (!sort.isArray()) {
    auto values = sort.values();
    return random.pick(values ? *values : vocabulary.numbers);
  }
  Sort element = sort.element();
  ArrayValue array{
      (sort.arraySize() ? defaultValue(element) : randomValue(element, vocabulary, random))
          .number(),
      {}};
  for (int64_t i = 0; i < sort.arraySize().value_or(4); ++i)
    array = array.with(i, randomValue(sort.element(), vocabulary, random).number());
  return Value(array);
}

State randomState(const Vocabulary &vocabulary, Random &random) {
  State state;
  for (const Term &t : vocabulary.all())
    state.emplace(useOf(t), randomValue(t.sort(), vocabulary, random));
  return state;
}

namespace {

std::vector<Value> valuesOf(Sort sort) {
  const std::vector<int64_t> scalars = *(sort.isArray() ? sort.element() : sort).values();
  std::vector<Value> result;
  if (!sort.isArray()) {
    result.assign(scalars.begin(), scalars.end());
    return result;
  }
  std::vector<ArrayValue> arrays{ArrayValue{}};
  for (int64_t i = 0; i < *sort.arraySize(); ++i) {
    std::vector<ArrayValue> longer;
    for (const ArrayValue &array : arrays)
      for (int64_t v : scalars)
        longer.push_back(array.with(i, v));
    arrays = std::move(longer);
  }
  for (const ArrayValue &array : arrays)
    result.emplace_back(array);
  return result;
}

} // namespace

std::vector<State> allStates(const Vocabulary &vocabulary) {
  std::vector<State> states{State{}};
  for (const Term &t : vocabulary.all()) {
    std::vector<State> longer;
    for (const State &state : states)
      for (const Value &value : valuesOf(t.sort())) {
        longer.push_back(state);
        longer.back().emplace(useOf(t), value);
      }
    states = std::move(longer);
  }
  return states;
}

} // namespace understudy::tests
