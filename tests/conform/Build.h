// SPDX-License-Identifier: Apache-2.0
//
// Threads and contracts written by hand, for tests.
#pragma once

#include "ContractTree.h"
#include "Describe.h"

namespace understudy::tests::build {

inline SharedVariable boolean(const std::string &name, CType type = CType::Bool) {
  return {name, ContractType::Bool, 0, 1, type, false, 0};
}
inline SharedVariable range(const std::string &name, int lower, int upper,
                            CType type = CType::Int) {
  return {name, ContractType::Range, lower, upper, type, false, 0};
}
inline SharedVariable mode(const std::string &name) {
  return {name, ContractType::Enum, 0, 0, CType::Enum, false, 0};
}

inline Expr equal(Expr a, Expr b) { return apply(Expr::Op::Equal, std::move(a), std::move(b)); }
inline Expr no(Expr a) { return apply(Expr::Op::Not, std::move(a)); }

inline Statement assign(int target, Expr value) {
  Statement result;
  result.kind = Statement::Kind::Assign;
  result.local = target;
  result.expr = std::move(value);
  return result;
}
inline Statement store(int variable, Expr value) {
  Statement result;
  result.kind = Statement::Kind::Store;
  result.variable = variable;
  result.expr = std::move(value);
  return result;
}
inline Statement add(Statement::Kind kind, int variable, int amount, int target = -1) {
  Statement result;
  result.kind = kind;
  result.variable = variable;
  result.amount = amount;
  result.local = target;
  return result;
}
inline Statement increment(int variable) { return add(Statement::Kind::Increment, variable, 1); }
inline Statement fetchAdd(int variable, int amount) {
  return add(Statement::Kind::FetchAdd, variable, amount);
}
enum class Strength { Strong, Weak };
inline Statement compareExchange(Strength strength, int target, int variable, int expected,
                                 Expr desired) {
  Statement result;
  result.kind = Statement::Kind::CompareExchange;
  result.weak = strength == Strength::Weak;
  result.local = target;
  result.variable = variable;
  result.other = expected;
  result.expr = std::move(desired);
  return result;
}
inline Statement check(Statement::Kind kind, Expr condition) {
  Statement result;
  result.kind = kind;
  result.expr = std::move(condition);
  return result;
}
inline Statement claim(Expr condition) {
  return check(Statement::Kind::Assert, std::move(condition));
}
inline Statement assume(Expr condition) {
  return check(Statement::Kind::Assume, std::move(condition));
}
inline Statement marker(const std::string &state) {
  Statement result;
  result.kind = Statement::Kind::Marker;
  result.name = state;
  return result;
}
inline Statement branch(Expr condition, Block body, Block orElse = {}) {
  Statement result = check(Statement::Kind::If, std::move(condition));
  result.body = std::move(body);
  result.orElse = std::move(orElse);
  return result;
}
inline Statement loop(Expr condition, Block body) {
  Statement result = check(Statement::Kind::While, std::move(condition));
  result.body = std::move(body);
  return result;
}
inline Statement atomic(Block body) {
  Statement result;
  result.kind = Statement::Kind::Atomic;
  result.body = std::move(body);
  return result;
}

inline Statement onLock(Statement::Kind kind, int lock) {
  Statement result;
  result.kind = kind;
  result.variable = lock;
  return result;
}
inline Statement lock(int which) { return onLock(Statement::Kind::Lock, which); }
inline Statement unlock(int which) { return onLock(Statement::Kind::Unlock, which); }

inline Formula same(Formula a, Formula b) {
  return combine(Formula::Op::Equal, std::move(a), std::move(b));
}
inline Formula negated(Formula a) { return combine(Formula::Op::Not, std::move(a)); }
inline Formula plus(Formula a, int b) { return combine(Formula::Op::Add, std::move(a), number(b)); }
inline Formula above(Formula a, int b) {
  return combine(Formula::Op::Greater, std::move(a), number(b));
}
inline Formula below(Formula a, int b) {
  return combine(Formula::Op::Less, std::move(a), number(b));
}

/// Edges name their target by its number.
class State {
public:
  explicit State(const std::string &name) { state_.name = name; }
  State &&initial() && {
    state_.initial = true;
    return std::move(*this);
  }
  State && final() && {
    state_.final = true;
    return std::move(*this);
  }
  State &&asserts(Formula formula) && {
    state_.assertion = std::move(formula);
    return std::move(*this);
  }
  State &&relies(Formula formula) && {
    state_.rely = std::move(formula);
    return std::move(*this);
  }
  State &&to(size_t target) && {
    state_.edges.push_back({target, std::nullopt, {}});
    return std::move(*this);
  }
  State &&to(size_t target, Formula formula) && {
    state_.edges.push_back({target, std::move(formula), {}});
    return std::move(*this);
  }
  State &&locks(size_t target, int which) && {
    state_.edges.push_back({target, std::nullopt, {}, LockAction{LockAction::Kind::Lock, which}});
    return std::move(*this);
  }
  State &&unlocks(size_t target, int which) && {
    state_.edges.push_back({target, std::nullopt, {}, LockAction{LockAction::Kind::Unlock, which}});
    return std::move(*this);
  }
  operator ContractState() const { return state_; }

private:
  ContractState state_;
};

inline FiniteSystem system(std::vector<SharedVariable> variables, Block body,
                           std::vector<ContractState> states) {
  FiniteSystem result;
  result.prefix = "g_";
  result.shared = std::move(variables);
  Part part;
  part.code.function = "f";
  part.code.locals = 2;
  part.code.body = std::move(body);
  part.contract.name = "T";
  part.contract.states = std::move(states);
  result.parts.push_back(part);
  return result;
}

} // namespace understudy::tests::build
