// SPDX-License-Identifier: Apache-2.0
#include "RandomCode.h"

#include <algorithm>
#include <set>

namespace understudy::tests {
namespace {

using Kind = Statement::Kind;

SharedVariable randomVariable(Random &random, size_t room, const std::string &name) {
  SharedVariable variable;
  variable.name = name;
  const size_t choice = room >= 3 ? random.below(5) : 0;
  if (choice < 2) {
    variable.type = ContractType::Bool;
    variable.cType = random.pick(
        std::vector<CType>{CType::Int, CType::Bool, CType::UnsignedChar, CType::Unsigned});
  } else if (choice < 4) {
    variable.type = ContractType::Range;
    variable.lower = random.oneIn(5) ? -1 : 0;
    variable.upper = variable.lower + (room >= 4 && random.oneIn(3) ? 3 : 2);
    variable.cType = variable.lower < 0
                         ? CType::Int
                         : random.pick(std::vector<CType>{CType::Int, CType::Int,
                                                          CType::UnsignedChar, CType::Unsigned});
  } else {
    variable.type = ContractType::Enum;
    variable.cType = CType::Enum;
  }
  variable.atomic = random.oneIn(4);
  if (!random.oneIn(4))
    variable.start = random.pick(valuesOf(variable.type, variable.lower, variable.upper));
  return variable;
}

class CodeWriter {
public:
  CodeWriter(Random &random, const std::vector<SharedVariable> &variables)
      : random_(random), variables_(variables) {}

  ThreadCode write(const Scale &scale, const std::string &function);

private:
  enum class Inside { Thread, Helper, Atomic };

  int anyVariable();
  /// Guarded by a lock that is not held here?
  bool isOutside(int variable) const {
    return at(variable).guardedBy >= 0 && !holding_.contains(at(variable).guardedBy);
  }
  int anyLock() {
    const size_t data = dataCount(variables_);
    return static_cast<int>(data + random_.below(variables_.size() - data));
  }
  int anyLocal() { return static_cast<int>(random_.below(static_cast<size_t>(locals_))); }
  const SharedVariable &at(int variable) const { return variables_[static_cast<size_t>(variable)]; }
  int valueOf(const SharedVariable &variable) {
    return random_.pick(valuesOf(variable.type, variable.lower, variable.upper));
  }
  /// A variable of that contract type, or -1.
  int ofType(ContractType type);

  Expr localTest();
  Expr sharedTest();
  Expr test(Inside inside);
  Expr localValue();
  Expr sharedValue();
  Expr valueFor(int variable, Inside inside);
  Statement assign(Inside inside);
  Statement store(Inside inside);
  Statement add();
  Statement exchange();
  Statement compareExchange();
  Statement atomic();
  Statement critical(size_t depth, Inside inside);
  Statement choice(size_t depth, Inside inside);
  Statement loop(size_t depth, Inside inside);
  Statement statement(size_t depth, Inside inside);
  Block block(size_t most, size_t depth, Inside inside);

  Random &random_;
  const std::vector<SharedVariable> &variables_;
  std::set<int> holding_; ///< locks, where the statement stands
  int locals_ = 0;
  size_t helpers_ = 0;
};

/// Seldom one whose lock is not held.
int CodeWriter::anyVariable() {
  for (;;) {
    const auto variable = static_cast<int>(random_.below(dataCount(variables_)));
    if (!isOutside(variable) || random_.oneIn(20))
      return variable;
  }
}

int CodeWriter::ofType(ContractType type) {
  std::vector<int> found;
  for (size_t i = 0; i < variables_.size(); ++i)
    if (variables_[i].type == type && !variables_[i].isLock() && !isOutside(static_cast<int>(i)))
      found.push_back(static_cast<int>(i));
  return found.empty() ? -1 : random_.pick(found);
}

Expr CodeWriter::localTest() {
  switch (random_.below(5)) {
  case 0:
    return local(anyLocal());
  case 1:
    return apply(Expr::Op::Not, local(anyLocal()));
  case 2:
    return apply(Expr::Op::Greater, local(anyLocal()), constant(0));
  case 3:
    return apply(Expr::Op::Equal, local(anyLocal()), constant(static_cast<int>(random_.below(3))));
  default:
    return apply(Expr::Op::Less, local(anyLocal()), constant(static_cast<int>(random_.below(3))));
  }
}

Expr CodeWriter::sharedTest() {
  const int variable = anyVariable();
  const Expr value = read(variable);
  if (at(variable).type == ContractType::Bool)
    switch (random_.below(6)) {
    case 0:
      return apply(Expr::Op::Equal, value, constant(1));
    case 1:
      return apply(Expr::Op::NotEqual, value, constant(0));
    default:
      return random_.oneIn(2) ? value : apply(Expr::Op::Not, value);
    }
  static const std::vector<Expr::Op> operators = {Expr::Op::Equal, Expr::Op::NotEqual,
                                                  Expr::Op::Less, Expr::Op::Greater};
  const bool ordered = at(variable).type == ContractType::Range;
  return apply(operators[random_.below(ordered ? 4 : 2)], value, constant(valueOf(at(variable))));
}

Expr CodeWriter::test(Inside inside) {
  if (inside == Inside::Atomic)
    return random_.oneIn(2) ? localTest() : sharedTest();
  if (random_.oneIn(20))
    return {Expr::Op::Elsewhere, 0, {}};
  return random_.oneIn(4) ? nondet() : random_.oneIn(2) ? localTest() : sharedTest();
}

Expr CodeWriter::localValue() {
  switch (random_.below(5)) {
  case 0:
    return local(anyLocal());
  case 1:
    return apply(Expr::Op::Remainder, apply(Expr::Op::Add, local(anyLocal()), constant(1)),
                 constant(3));
  case 2:
    return apply(Expr::Op::Not, local(anyLocal()));
  default:
    return constant(static_cast<int>(random_.below(3)));
  }
}

Expr CodeWriter::sharedValue() {
  const int variable = anyVariable();
  if (at(variable).type == ContractType::Bool)
    return random_.oneIn(4)   ? apply(Expr::Op::Equal, read(variable), constant(1))
           : random_.oneIn(2) ? apply(Expr::Op::Not, read(variable))
                              : apply(Expr::Op::NotEqual, read(variable), constant(0));
  return read(variable);
}

Expr CodeWriter::valueFor(int variable, Inside inside) {
  const SharedVariable &target = at(variable);
  switch (random_.below(7)) {
  case 0:
    return local(anyLocal());
  case 1:
    if (target.type == ContractType::Range)
      return apply(Expr::Op::Add, local(anyLocal()), constant(random_.oneIn(2) ? 1 : -1));
    break;
  case 2: {
    const int other = ofType(target.type);
    if (other >= 0 && other != variable)
      return read(other);
    break;
  }
  case 3:
    if (target.type == ContractType::Bool && inside != Inside::Atomic && random_.oneIn(2))
      return nondet();
    break;
  case 4:
    if (random_.oneIn(6))
      return constant(3);
    break;
  default:
    break;
  }
  return constant(valueOf(target));
}

Statement CodeWriter::assign(Inside inside) {
  Statement result;
  result.kind = Kind::Assign;
  result.local = anyLocal();
  if (inside != Inside::Atomic && random_.oneIn(8)) {
    result.kind = Kind::Any;
    result.lower = random_.oneIn(4) ? -1 : 0;
    result.upper = random_.oneIn(2) ? 1 : 2;
    return result;
  }
  result.expr = random_.oneIn(4) ? localValue() : sharedValue();
  return result;
}

Statement CodeWriter::store(Inside inside) {
  Statement result;
  result.kind = Kind::Store;
  result.variable = anyVariable();
  result.expr = valueFor(result.variable, inside);
  return result;
}

Statement CodeWriter::add() {
  Statement result;
  result.variable = ofType(ContractType::Range);
  if (result.variable < 0)
    return store(Inside::Thread);
  result.kind = random_.pick(std::vector<Kind>{Kind::Increment, Kind::FetchAdd, Kind::AddFetch});
  result.amount = random_.oneIn(3) ? -1 : 1;
  if (result.kind != Kind::Increment && !random_.oneIn(3))
    result.local = anyLocal();
  return result;
}

Statement CodeWriter::exchange() {
  Statement result;
  result.kind = Kind::Exchange;
  result.variable = anyVariable();
  if (!random_.oneIn(4))
    result.local = anyLocal();
  const bool simple = random_.oneIn(3);
  result.expr = simple ? local(anyLocal()) : constant(valueOf(at(result.variable)));
  return result;
}

Statement CodeWriter::compareExchange() {
  Statement result;
  result.variable = anyVariable();
  const SharedVariable &variable = at(result.variable);
  const bool wide = variable.cType == CType::Int || variable.cType == CType::Unsigned ||
                    variable.cType == CType::Enum;
  if (wide && variable.type != ContractType::Bool && (variable.atomic || !random_.oneIn(3)))
    result.kind = Kind::CompareExchange;
  else if (!variable.atomic && variable.cType != CType::Bool)
    result.kind = Kind::CompareSwap;
  else
    return exchange();
  result.weak = result.kind == Kind::CompareExchange && random_.oneIn(2);
  result.local = anyLocal();
  result.other = anyLocal();
  if (result.other == result.local)
    result.other = (result.local + 1) % locals_;
  const bool simple = random_.oneIn(3);
  result.expr = simple ? local(anyLocal()) : constant(valueOf(variable));
  return result;
}

Statement CodeWriter::atomic() {
  Statement result;
  result.kind = Kind::Atomic;
  if (random_.oneIn(3)) {
    Statement wait;
    wait.kind = Kind::Assume;
    wait.expr = sharedTest();
    result.body.push_back(wait);
  }
  for (const Statement &each : block(3, 1, Inside::Atomic))
    result.body.push_back(each);
  return result;
}

/// A critical section, most of the time; otherwise one half of it.
Statement CodeWriter::critical(size_t depth, Inside inside) {
  Statement result;
  result.variable = anyLock();
  if (holding_.contains(result.variable) && !random_.oneIn(20))
    return store(inside);
  if (random_.oneIn(40)) {
    result.kind = random_.oneIn(2) ? Kind::Lock : Kind::Unlock;
    if (random_.oneIn(2) && result.kind == Kind::Lock)
      result.local = anyLocal();
    return result;
  }
  result.kind = Kind::Critical;
  result.weak = random_.oneIn(4);
  const bool isNew = holding_.insert(result.variable).second;
  result.body = block(3, depth == 0 ? 0 : depth - 1, inside);
  if (isNew)
    holding_.erase(result.variable);
  return result;
}

Statement CodeWriter::choice(size_t depth, Inside inside) {
  Statement result;
  result.kind = Kind::If;
  result.expr = test(inside);
  result.body = block(2, depth - 1, inside);
  if (random_.oneIn(2))
    result.orElse = block(2, depth - 1, inside);
  return result;
}

/// Every loop takes steps or counts, so that none runs for ever in silence.
Statement CodeWriter::loop(size_t depth, Inside inside) {
  Statement result;
  result.kind = Kind::While;
  if (random_.oneIn(3)) {
    result.expr = sharedTest();
    if (random_.oneIn(2))
      return result;
  } else if (random_.oneIn(2)) {
    result.expr = nondet();
  } else {
    const int counter = anyLocal();
    result.expr = apply(Expr::Op::Less, local(counter), constant(2));
    Statement count;
    count.kind = Kind::Assign;
    count.local = counter;
    count.expr =
        apply(Expr::Op::Remainder, apply(Expr::Op::Add, local(counter), constant(1)), constant(3));
    result.body.push_back(count);
  }
  for (const Statement &each : block(2, depth - 1, inside))
    result.body.push_back(each);
  return result;
}

Statement CodeWriter::statement(size_t depth, Inside inside) {
  const bool outside = inside != Inside::Atomic;
  Statement result;
  if (outside && dataCount(variables_) < variables_.size() &&
      random_.oneIn(holding_.empty() ? 2 : 8))
    return critical(depth, inside);
  const size_t sort = random_.below(22);
  if (sort < 3)
    return assign(inside);
  if (sort < 7)
    return store(inside);
  if (sort < 10)
    return add();
  if (sort < 11)
    return exchange();
  if (sort < 13)
    return compareExchange();
  if (sort < 15 && depth > 0)
    return choice(depth, inside);
  if (sort < 16 && depth > 0 && outside)
    return loop(depth, inside);
  if (sort < 17 && outside)
    return atomic();
  if (sort < 18 && (outside || random_.oneIn(3))) {
    result.kind = Kind::Assert;
    result.expr = random_.oneIn(3) ? localTest() : sharedTest();
    return result;
  }
  if (sort < 19 && outside) {
    result.kind = Kind::Assume;
    result.expr = random_.oneIn(3) ? localTest() : sharedTest();
    return result;
  }
  if (sort < 21 && inside == Inside::Thread && !random_.oneIn(4)) {
    if (random_.oneIn(2) && helpers_ > 0) {
      result.kind = Kind::Call;
      result.local = random_.oneIn(4) ? -1 : anyLocal();
      result.other = static_cast<int>(random_.below(helpers_));
      result.expr = localValue();
      return result;
    }
    result.kind = Kind::Marker;
    return result;
  }
  if (inside == Inside::Thread && depth < 2 && random_.oneIn(holding_.empty() ? 2 : 8)) {
    result.kind = Kind::Return;
    return result;
  }
  if (random_.oneIn(6)) {
    result.kind = Kind::Touch;
    return result;
  }
  return store(inside);
}

Block CodeWriter::block(size_t most, size_t depth, Inside inside) {
  Block statements;
  const size_t count = 1 + random_.below(most);
  while (statements.size() < count) {
    statements.push_back(statement(depth, inside));
    if (statements.back().kind == Kind::Return)
      break;
  }
  return statements;
}

ThreadCode CodeWriter::write(const Scale &scale, const std::string &function) {
  ThreadCode code;
  code.function = function;
  if (random_.oneIn(4)) {
    locals_ = 2;
    Helper helper{locals_, block(3, 1, Inside::Helper)};
    Statement leave;
    leave.expr = random_.oneIn(2) ? local(anyLocal()) : sharedValue();
    helper.body.push_back(leave);
    code.helpers.push_back(helper);
  }
  helpers_ = code.helpers.size();
  code.locals = locals_ = 2;
  code.body = block(scale.statements - 1, 2, Inside::Thread);
  if (code.body.back().kind != Kind::Return)
    code.body.push_back(statement(2, Inside::Thread));
  return code;
}

} // namespace

std::vector<SharedVariable> randomVariables(Random &random, const Scale &scale) {
  static const std::vector<std::string> names = {"x", "y", "z", "w"};
  std::vector<SharedVariable> variables;
  size_t states = 1;
  const size_t count = 1 + random.below(scale.variables);
  while (variables.size() < count && states * 2 <= scale.states) {
    variables.push_back(randomVariable(random, scale.states / states, names[variables.size()]));
    const SharedVariable &last = variables.back();
    states *= valuesOf(last.type, last.lower, last.upper).size();
  }
  // A number of more than eight bits that is true may be false when it is stored in a byte. The
  // definition knows truth values only, so bytes and wider truth values are not mixed.
  const auto isWide = [](const SharedVariable &v) {
    return v.type == ContractType::Bool && (v.cType == CType::Int || v.cType == CType::Unsigned);
  };
  if (std::any_of(variables.begin(), variables.end(), isWide))
    for (SharedVariable &variable : variables)
      if (variable.cType == CType::UnsignedChar)
        variable.cType = CType::Unsigned;
  return variables;
}

std::vector<SharedVariable> randomLockedVariables(Random &random, const Scale &scale) {
  const size_t count = random.oneIn(4) ? 2 : 1;
  std::vector<SharedVariable> variables =
      randomVariables(random, {scale.states >> count, scale.variables, scale.statements});
  const auto first = static_cast<int>(variables.size());
  for (SharedVariable &variable : variables)
    if (!random.oneIn(4))
      variable.guardedBy = first + static_cast<int>(random.below(count));
  for (size_t i = 0; i < count; ++i) {
    SharedVariable lock;
    lock.name = i == 0 ? "m" : "n";
    lock.start = 0;
    lock.lock = LockKind::Mutex;
    variables.push_back(lock);
  }
  return variables;
}

ThreadCode randomCode(Random &random, const std::vector<SharedVariable> &variables,
                      const Scale &scale, const std::string &function) {
  return CodeWriter(random, variables).write(scale, function);
}

} // namespace understudy::tests
