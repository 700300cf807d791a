// SPDX-License-Identifier: Apache-2.0
#include "ConcreteThread.h"

#include <cassert>

namespace understudy::tests {
namespace {

using Kind = Statement::Kind;

class Lowering {
public:
  Lowering(const ThreadCode &code, const std::vector<SharedVariable> &variables)
      : code_(code), variables_(variables) {}

  Instructions run() {
    out_.locals = static_cast<size_t>(code_.locals) + 1; // the last one is the temporary
    temporary_ = code_.locals;
    block(code_.body);
    emit(Instruction::Kind::Return);
    return std::move(out_);
  }

private:
  Instruction &emit(Instruction::Kind kind) {
    out_.list.emplace_back();
    out_.list.back().kind = kind;
    out_.list.back().next = out_.list.size();
    return out_.list.back();
  }
  int shifted(int local) const { return local < 0 ? local : local + offset_; }
  Expr shifted(const Expr &expr) const;
  /// Loads what the expression reads; the result is over locals only.
  Expr ready(const Expr &expr);
  /// After the use of an expression.
  void forget(const Expr &expr);
  void assign(int target, const Expr &expr);
  void block(const Block &statements) {
    for (const Statement &each : statements)
      statement(each);
  }
  void statement(const Statement &statement);
  void store(const Statement &statement);
  void operation(const Statement &statement);
  void branch(const Statement &statement);
  void loop(const Statement &statement);
  void call(const Statement &statement);
  void lock(const Statement &statement);
  void critical(const Statement &statement);
  void leave(const Statement &statement);

  const ThreadCode &code_;
  const std::vector<SharedVariable> &variables_;
  Instructions out_;
  int temporary_ = 0;
  int offset_ = 0;              ///< of the locals of the function that is expanded
  int result_ = -1;             ///< where its result goes
  bool inHelper_ = false;       ///< is that function a helper?
  std::vector<size_t> returns_; ///< jumps to its end
};

Expr Lowering::shifted(const Expr &expr) const {
  Expr moved = expr;
  if (moved.op == Expr::Op::Local)
    moved.value = shifted(moved.value);
  if (moved.op == Expr::Op::Read)
    moved = tests::local(temporary_);
  for (Expr &operand : moved.operands)
    operand = shifted(operand);
  return moved;
}

Expr Lowering::ready(const Expr &expr) {
  if (expr.op == Expr::Op::Elsewhere) {
    emit(Instruction::Kind::Elsewhere);
    return nondet();
  }
  if (const auto variable = variableRead(expr)) {
    Instruction &load = emit(Instruction::Kind::Load);
    load.local = temporary_;
    load.variable = *variable;
  }
  return shifted(expr);
}

void Lowering::assign(int target, const Expr &expr) {
  Instruction &assignment = emit(Instruction::Kind::Assign);
  assignment.local = target;
  assignment.expr = expr;
}

void Lowering::forget(const Expr &expr) {
  if (variableRead(expr))
    assign(temporary_, constant(0));
}

void Lowering::store(const Statement &statement) {
  const Expr value = ready(statement.expr);
  Instruction &store = emit(Instruction::Kind::Store);
  store.variable = statement.variable;
  store.expr = value;
  forget(statement.expr);
}

/// Operations on _Atomic variables and the compiler's atomic builtins: one step.
void Lowering::operation(const Statement &statement) {
  const bool adds = statement.kind == Kind::Increment || statement.kind == Kind::FetchAdd ||
                    statement.kind == Kind::AddFetch;
  const Expr value = adds ? constant(0) : ready(statement.expr);
  Instruction &step = emit(adds                               ? Instruction::Kind::Add
                           : statement.kind == Kind::Exchange ? Instruction::Kind::Exchange
                                                              : Instruction::Kind::CompareExchange);
  step.local = shifted(statement.local);
  step.variable = statement.variable;
  step.other = shifted(statement.other);
  step.amount = statement.amount;
  step.weak = statement.weak;
  step.after = statement.kind == Kind::AddFetch;
  step.updates = statement.kind == Kind::CompareExchange;
  step.expr = value;
  if (!adds)
    forget(statement.expr);
}

void Lowering::branch(const Statement &statement) {
  const Expr condition = ready(statement.expr);
  const size_t test = out_.list.size();
  emit(Instruction::Kind::Branch).expr = condition;
  forget(statement.expr);
  block(statement.body);
  const size_t jump = out_.list.size();
  assign(temporary_, constant(0));
  out_.list[test].otherwise = out_.list.size();
  forget(statement.expr);
  block(statement.orElse);
  out_.list[jump].next = out_.list.size();
}

void Lowering::loop(const Statement &statement) {
  const size_t head = out_.list.size();
  const Expr condition = ready(statement.expr);
  const size_t test = out_.list.size();
  emit(Instruction::Kind::Branch).expr = condition;
  forget(statement.expr);
  block(statement.body);
  assign(temporary_, constant(0));
  out_.list.back().next = head;
  out_.list[test].otherwise = out_.list.size();
  forget(statement.expr);
}

void Lowering::call(const Statement &statement) {
  assert(!inHelper_ && "helpers call nothing");
  const Helper &helper = code_.helpers[static_cast<size_t>(statement.other)];
  const Expr argument = ready(statement.expr);
  const auto base = static_cast<int>(out_.locals);
  out_.locals += static_cast<size_t>(helper.locals);
  assign(base, argument);
  forget(statement.expr);
  offset_ = base;
  result_ = statement.local;
  inHelper_ = true;
  block(helper.body);
  offset_ = 0;
  inHelper_ = false;
  for (size_t jump : returns_)
    out_.list[jump].next = out_.list.size();
  returns_.clear();
  for (int i = 0; i < helper.locals; ++i)
    assign(base + i, constant(0));
}

void Lowering::lock(const Statement &statement) {
  Instruction &taken = emit(Instruction::Kind::Lock);
  taken.variable = statement.variable;
  taken.local = shifted(statement.local);
  taken.weak = statement.local >= 0;
}

void Lowering::critical(const Statement &statement) {
  Statement begin = statement;
  begin.local = -1;
  if (!statement.weak) {
    lock(begin);
    block(statement.body);
    emit(Instruction::Kind::Unlock).variable = statement.variable;
    return;
  }
  lock(begin);
  out_.list.back().weak = true;
  out_.list.back().local = temporary_;
  const size_t test = out_.list.size();
  emit(Instruction::Kind::Branch).expr = tests::local(temporary_);
  out_.list[test].otherwise = out_.list.size();
  block(statement.body);
  emit(Instruction::Kind::Unlock).variable = statement.variable;
  out_.list[test].next = out_.list.size();
  assign(temporary_, constant(0));
}

void Lowering::leave(const Statement &statement) {
  if (!inHelper_) {
    emit(Instruction::Kind::Return);
    return;
  }
  const Expr value = ready(statement.expr);
  assign(result_ < 0 ? temporary_ : result_, value);
  returns_.push_back(out_.list.size());
  assign(temporary_, constant(0));
}

void Lowering::statement(const Statement &statement) {
  switch (statement.kind) {
  case Kind::Assign: {
    assign(shifted(statement.local), ready(statement.expr));
    return forget(statement.expr);
  }
  case Kind::Any: {
    Instruction &any = emit(Instruction::Kind::Any);
    any.local = shifted(statement.local);
    any.lower = statement.lower;
    any.upper = statement.upper;
    return;
  }
  case Kind::Store:
    return store(statement);
  case Kind::Increment: {
    Statement plain = statement;
    plain.kind = Kind::Store;
    plain.expr = apply(Expr::Op::Add, read(statement.variable), constant(statement.amount));
    const bool atomic = variables_[static_cast<size_t>(statement.variable)].atomic;
    return atomic ? operation(statement) : store(plain);
  }
  case Kind::FetchAdd:
  case Kind::AddFetch:
  case Kind::Exchange:
  case Kind::CompareExchange:
  case Kind::CompareSwap:
    return operation(statement);
  case Kind::Atomic:
    emit(Instruction::Kind::Begin);
    block(statement.body);
    emit(Instruction::Kind::End);
    return;
  case Kind::If:
    return branch(statement);
  case Kind::While:
    return loop(statement);
  case Kind::Assert:
  case Kind::Assume: {
    const Expr condition = ready(statement.expr);
    emit(statement.kind == Kind::Assert ? Instruction::Kind::Assert : Instruction::Kind::Assume)
        .expr = condition;
    return forget(statement.expr);
  }
  case Kind::Return:
    return leave(statement);
  case Kind::Marker:
    emit(Instruction::Kind::Marker).name = statement.name;
    return;
  case Kind::Lock:
    return lock(statement);
  case Kind::Unlock:
    emit(Instruction::Kind::Unlock).variable = statement.variable;
    return;
  case Kind::Critical:
    return critical(statement);
  case Kind::Touch:
    emit(Instruction::Kind::Elsewhere);
    return;
  case Kind::Call:
    return call(statement);
  }
}

} // namespace

Instructions lowered(const ThreadCode &code, const std::vector<SharedVariable> &variables) {
  return Lowering(code, variables).run();
}

} // namespace understudy::tests
