// SPDX-License-Identifier: Apache-2.0
#include "Describe.h"

#include <algorithm>

namespace understudy::tests {

using Op = Formula::Op;

Named namedShared(const std::vector<SharedVariable> &variables, int variable) {
  const SharedVariable &declared = variables[static_cast<size_t>(variable)];
  return {shared(variable), sharedAfter(variable), declared.type,
          valuesOf(declared.type, declared.lower, declared.upper)};
}

Named namedLocal(const std::vector<ContractLocal> &locals, int variable) {
  const ContractLocal &declared = locals[static_cast<size_t>(variable)];
  return {contractLocal(variable), contractLocalAfter(variable), declared.type,
          valuesOf(declared.type, declared.lower, declared.upper)};
}

Formula literal(ContractType type, int value) {
  return type == ContractType::Bool   ? truth(value != 0)
         : type == ContractType::Enum ? Formula{Op::Enumerator, value, false, {}}
                                      : number(value);
}

Formula oneOf(const Formula &what, ContractType type, const std::vector<int> &domain,
              const std::set<int> &values) {
  if (values.size() == domain.size() || values.empty())
    return truth(!values.empty());
  if (type == ContractType::Bool)
    return values.contains(1) ? what : combine(Op::Not, what);
  if (values.size() == 1)
    return combine(Op::Equal, what, literal(type, *values.begin()));
  std::vector<Formula> each;
  for (int value : values)
    each.push_back(combine(Op::Equal, what, literal(type, value)));
  if (type == ContractType::Enum ||
      *values.rbegin() - *values.begin() >= static_cast<int>(values.size()))
    return disjunction(each);
  if (*values.rbegin() == domain.back())
    return combine(Op::AtLeast, what, number(*values.begin()));
  if (*values.begin() == domain.front())
    return combine(Op::AtMost, what, number(*values.rbegin()));
  return disjunction(each);
}

Formula exactly(const SharedSpace &space, const std::function<bool(GlobalId)> &holds) {
  const size_t count = space.variables().size();
  std::set<GlobalId> good;
  for (GlobalId g = 0; g < space.size(); ++g)
    if (holds(g))
      good.insert(g);
  if (good.empty())
    return truth(false);
  // A product of sets of values, if it is one.
  std::vector<std::set<int>> values(count);
  for (GlobalId g : good)
    for (size_t i = 0; i < count; ++i)
      values[i].insert(space.values(g)[i]);
  size_t product = 1;
  std::vector<Formula> parts;
  for (size_t i = 0; i < count; ++i) {
    product *= values[i].size();
    const Named variable = namedShared(space.variables(), static_cast<int>(i));
    if (values[i].size() < variable.domain.size())
      parts.push_back(oneOf(variable.before, variable.type, variable.domain, values[i]));
  }
  if (product == good.size())
    return conjunction(parts);
  // Otherwise the complement, if that is a product, or all states one by one.
  std::vector<Formula> cases;
  for (GlobalId g : good) {
    std::vector<Formula> state;
    for (size_t i = 0; i < count; ++i) {
      const Named variable = namedShared(space.variables(), static_cast<int>(i));
      state.push_back(oneOf(variable.before, variable.type, variable.domain, {space.values(g)[i]}));
    }
    cases.push_back(conjunction(state));
  }
  return disjunction(cases);
}

bool holds(const SharedSpace &space, const Formula &formula, GlobalId before, GlobalId after) {
  static const std::vector<int> none;
  return evaluate(formula, {space.values(before), space.values(after), none, none}) != 0;
}

namespace {

Named anyShared(Random &random, const SharedSpace &space) {
  return namedShared(space.variables(),
                     static_cast<int>(random.below(dataCount(space.variables()))));
}

Formula unchanged(const Named &variable) {
  return combine(Op::Equal, variable.after, variable.before);
}

Formula simpleRely(Random &random, const SharedSpace &space) {
  const Named variable = anyShared(random, space);
  const Formula value = literal(variable.type, random.pick(variable.domain));
  switch (random.below(7)) {
  case 0:
  case 1:
    return unchanged(variable);
  case 2:
    if (variable.type == ContractType::Range)
      return combine(Op::AtLeast, variable.after, variable.before);
    if (variable.type == ContractType::Bool)
      return combine(Op::Implies, variable.before, variable.after);
    return unchanged(variable);
  case 3:
    if (variable.type == ContractType::Range)
      return combine(Op::AtMost, variable.after, variable.before);
    if (variable.type == ContractType::Bool)
      return combine(Op::Implies, combine(Op::Not, variable.before),
                     combine(Op::Not, variable.after));
    return unchanged(variable);
  case 4:
    return combine(Op::NotEqual, variable.after, value);
  case 5:
    return combine(Op::Implies, combine(Op::Equal, variable.before, value),
                   combine(Op::Equal, variable.after, value));
  default: {
    const Named other = anyShared(random, space);
    const Formula limit = literal(other.type, random.pick(other.domain));
    return combine(Op::Implies, combine(Op::Equal, other.before, limit),
                   combine(Op::And, unchanged(variable), combine(Op::Equal, other.after, limit)));
  }
  }
}

bool transitive(const SharedSpace &space, const std::optional<Formula> &invariant,
                const Formula &rely) {
  std::vector<GlobalId> good;
  for (GlobalId g = 0; g < space.size(); ++g)
    if (!invariant || holds(space, *invariant, g, g))
      good.push_back(g);
  for (GlobalId a : good)
    for (GlobalId b : good) {
      if (!holds(space, rely, a, b))
        continue;
      for (GlobalId c : good)
        if (holds(space, rely, b, c) && !holds(space, rely, a, c))
          return false;
    }
  return true;
}

} // namespace

Formula randomClaim(Random &random, const SharedSpace &space) {
  const auto one = [&] {
    const Named variable = anyShared(random, space);
    std::set<int> values;
    for (int value : variable.domain)
      if (!random.oneIn(3))
        values.insert(value);
    if (values.empty())
      values.insert(variable.domain.front());
    return oneOf(variable.before, variable.type, variable.domain, values);
  };
  const Formula first = one();
  return random.oneIn(2) ? first : combine(random.oneIn(2) ? Op::Or : Op::Implies, one(), first);
}

Formula randomRely(Random &random, const SharedSpace &space,
                   const std::optional<Formula> &invariant) {
  for (;;) {
    const Formula first = simpleRely(random, space);
    const Formula rely =
        random.oneIn(2) ? first : combine(Op::And, first, simpleRely(random, space));
    if (transitive(space, invariant, rely))
      return rely;
  }
}

} // namespace understudy::tests
