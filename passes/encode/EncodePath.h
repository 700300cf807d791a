// SPDX-License-Identifier: Apache-2.0
//
// Symbolic execution along one path from a cut to the next. Nothing needs a variable on the way:
// every value is a term over the state before the edge and the inputs of the edge (primed). What
// has no exact translation is carried along and complained about when somebody needs it.
#pragma once

#include "logic/Error.h"
#include "passes/encode/EncodeLayout.h"

#include <memory>
#include <variant>

namespace understudy::passes::encode {

/// Any value: of what was never written.
struct Anything {};
/// No exact translation.
struct Missing {
  std::shared_ptr<const logic::Unsupported> why;
};
/// Of an operation with an overflow bit.
struct Overflowing {
  Number value;
  Term overflows;
};
struct Address {
  const MemoryObject *object = nullptr;
  Number index; ///< of the element, mathematically
};
/// What an SSA value or memory slot is; `Term` is for bools, truth values, pointers ("is not null")
/// and whole arrays.
using Symbol = std::variant<Anything, Term, Number, Overflowing, Address, Missing>;

using Values = std::unordered_map<const llvm::Value *, Symbol>;

/// One activation of a function.
struct Frame {
  Values values;
  const Frame *caller = nullptr;
  unsigned depth = 0;
};

struct Path {
  Frame frame;
  std::map<uint32_t, Symbol> memory; ///< slots that were written
  std::vector<Term> guards;
  std::vector<Variable> modified; ///< inputs and the like; not what memory and values need
  std::vector<Input> inputs;
  std::map<std::string, unsigned> ordinals; ///< how many locals of a kind are in use

  void assume(Term condition) {
    if (!condition.isTrue())
      guards.push_back(condition);
  }
};

/// The place of the guess that the value of the instruction is, or may be.
std::optional<uint32_t> guessOf(const llvm::Instruction &instruction);

class PathExecutor {
public:
  PathExecutor(const EncodeScope &scope, const EncodeForms &forms, const EncodeObjects &objects,
               EncodeLayout &layout, TermBuilder &terms, read::SourceMap &sources)
      : scope_(scope), forms_(forms), objects_(objects), layout_(layout), terms_(terms),
        arithmetic_(terms), sources_(sources) {}

  /// An instruction that is neither phi nor terminator nor a cut.
  void execute(Path &path, const llvm::Instruction &instruction) {
    execute(path, path.frame, instruction);
  }
  /// The phis of the block, all at once.
  void enter(Path &path, const llvm::BasicBlock &block, const llvm::BasicBlock &from);
  Term condition(Path &path, const llvm::Value &value);
  Term isCase(Path &path, const llvm::Value &value, const llvm::ConstantInt &constant);

  /// What the local of the value, or of the slot, has to become; none: anything. The equation is
  /// left out where nothing changes.
  void assignValue(Path &path, const llvm::Value &value, std::vector<Term> &equations);
  void assignSlot(Path &path, uint32_t slot, std::vector<Term> &equations);

private:
  const EncodeScope &scope_;
  const EncodeForms &forms_;
  const EncodeObjects &objects_;
  EncodeLayout &layout_;
  TermBuilder &terms_;
  Arithmetic arithmetic_;
  read::SourceMap &sources_;

  // Values.
  Symbol lookUp(const Frame &frame, const llvm::Value &value);
  Symbol constantSymbol(const llvm::Constant &constant);
  Symbol pointerSymbol(const llvm::Value &value);
  Symbol read(const Storage &storage, Term variable);
  Symbol inForm(Symbol symbol, const llvm::Value &value);
  Number number(Path &path, const Frame &frame, const llvm::Value &value);
  Number number(Path &path, const Symbol &symbol, unsigned bits);
  Term truth(Path &path, const Frame &frame, const llvm::Value &value);
  Term truth(Path &path, const Symbol &symbol, unsigned bits);
  Symbol ofNumber(Number number, const llvm::Type &type);
  Storage scratch(Path &path, const Storage &storage);
  Number anyNumber(Path &path, unsigned bits);
  Symbol guessed(Path &path, const llvm::Instruction &instruction, uint32_t place);
  void assign(Path &path, const Storage &storage, const Symbol &symbol,
              std::vector<Term> &equations);
  void setTo(Path &path, Variable variable, Term value, std::vector<Term> &equations);
  logic::SourceRange rangeOf(const llvm::Instruction &instruction);

  // Instructions.
  void execute(Path &path, Frame &frame, const llvm::Instruction &instruction);
  void perform(Path &path, Frame &frame, const llvm::Instruction &instruction);
  Symbol evaluate(Path &path, Frame &frame, const llvm::Instruction &instruction);
  Symbol binary(Path &path, Frame &frame, const llvm::BinaryOperator &operation);
  Number overflowing(Path &path, const llvm::BinaryOperator &operation, Number a, Number b);
  Number exactResult(Path &path, const llvm::BinaryOperator &operation, Reading reading, Number a,
                     Number b);
  Number shiftFactor(Number by, unsigned bits);
  Number division(Path &path, const llvm::BinaryOperator &operation, Number a, Number b);
  Number bitwise(const llvm::BinaryOperator &operation, Number a, Number b);
  Number assumeWithin(Path &path, Number exact, Reading reading, unsigned bits);
  Symbol compare(Path &path, Frame &frame, const llvm::ICmpInst &comparison);
  Symbol comparePointers(Path &path, Frame &frame, const llvm::ICmpInst &comparison);
  Symbol cast(Path &path, Frame &frame, const llvm::CastInst &conversion);
  Symbol choose(Path &path, Frame &frame, const llvm::SelectInst &choice);
  Symbol freeze(Path &path, Frame &frame, const llvm::Value &operand);

  // Calls.
  Symbol call(Path &path, Frame &frame, const llvm::CallBase &call);
  Symbol input(Path &path, const llvm::CallBase &call);
  Symbol runInline(Path &path, Frame &frame, const llvm::CallBase &call);
  Symbol intrinsic(Path &path, Frame &frame, const llvm::CallBase &call);
  Symbol withOverflow(Path &path, Frame &frame, const llvm::CallBase &call);

  // Memory.
  Address addressOf(Path &path, const Frame &frame, const llvm::Value &pointer);
  void requireAccess(const MemoryObject &object, const llvm::Type &type) const;
  void assumeInBounds(Path &path, const Address &address);
  Symbol load(Path &path, Frame &frame, const llvm::LoadInst &load);
  void store(Path &path, Frame &frame, const llvm::StoreInst &store);
  void forget(Path &path, const llvm::Value &base);
  Symbol content(const Path &path, const ObjectLayout &layout, uint32_t element);
  Symbol loadElement(Path &path, const Address &address);
  void storeElement(Path &path, const Address &address, Symbol value);
  Symbol cellValue(const MemoryObject &object, Term value);
  Term cellTerm(Path &path, const MemoryObject &object, logic::Sort sort, const Symbol &value);
  Symbol merge(Path &path, const MemoryObject &object, Term condition, const Symbol &yes,
               const Symbol &no);
};

} // namespace understudy::passes::encode
