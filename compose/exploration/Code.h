// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/exploration/TupleTable.h"
#include "logic/Term.h"
#include "logic/Value.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace understudy::compose::exploration {

/// Numbers array values, so that an array fits into one slot.
class ArrayTable {
public:
  int64_t handle(const logic::ArrayValue &array);
  const logic::ArrayValue &array(int64_t handle) const {
    return arrays_[static_cast<size_t>(handle)];
  }

  int64_t toSlot(const logic::Value &value) {
    return value.isArray() ? handle(value.array()) : value.number();
  }
  logic::Value fromSlot(int64_t slot, logic::Sort sort) const {
    return sort.isArray() ? logic::Value(array(slot)) : logic::Value(slot);
  }

private:
  std::vector<logic::ArrayValue> arrays_;
  std::map<logic::ArrayValue, int64_t> handles_;
};

/// The slot of a variable before or after a step.
using SlotOf = std::function<uint32_t(logic::Variable variable, bool primed)>;

/// A term compiled for a stack machine over 64-bit slots. Agrees with `logic::evaluate`, overflow
/// and early stops included, and is a few times faster than walking the term.
class Code {
public:
  Code() = default;
  Code(logic::Term term, const SlotOf &slotOf);

  /// Arrays are handles of `arrays`, in slots as in the result.
  int64_t run(const int64_t *slots, ArrayTable &arrays) const;

private:
  enum class Op : uint8_t {
    Push,
    Load,
    Not,
    Equal,
    Less,
    LessEqual,
    Add,
    Multiply,
    Divide,
    Remainder,
    JumpIfFalse,
    JumpIfTrue, ///< keep the value and jump, else drop it
    Branch,     ///< drop the value and jump if it was false
    Jump,
    Select,
    Store,
    ConstArray,
  };
  struct Instruction {
    Op op;
    int64_t argument = 0;
    logic::Sort sort;
  };
  std::vector<Instruction> instructions_;
  size_t depth_ = 0;
  size_t maxDepth_ = 0;

  void emit(Op op, int64_t argument = 0, logic::Sort sort = {});
  void pushed(size_t count) {
    depth_ += count;
    maxDepth_ = std::max(maxDepth_, depth_);
  }
  void compile(logic::Term term, const SlotOf &slotOf);
  void compileChain(logic::Term term, const SlotOf &slotOf);
  void compileIte(logic::Term term, const SlotOf &slotOf);
  int64_t runOn(const int64_t *slots, ArrayTable &arrays, int64_t *stack) const;
};

} // namespace understudy::compose::exploration
