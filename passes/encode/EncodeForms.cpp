// SPDX-License-Identifier: Apache-2.0
//
// Both sets are greatest fixed points: everything is in at first, and what does not belong takes
// along what depends on it.
#include "passes/encode/EncodeForms.h"

#include "passes/lower/StepForm.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <array>

namespace understudy::passes::encode {

using llvm::dyn_cast;
using llvm::Instruction;
using llvm::isa;
using llvm::Value;

namespace {

struct NamedInput {
  const char *name;
  unsigned bits; ///< 0: as the function is declared
  Reading reading;
};

constexpr std::array<NamedInput, 28> namedInputs{{
    {"char", 8, Reading::Signed},
    {"schar", 8, Reading::Signed},
    {"uchar", 8, Reading::Unsigned},
    {"unsigned_char", 8, Reading::Unsigned},
    {"short", 16, Reading::Signed},
    {"ushort", 16, Reading::Unsigned},
    {"unsigned_short", 16, Reading::Unsigned},
    {"int", 32, Reading::Signed},
    {"uint", 32, Reading::Unsigned},
    {"unsigned", 32, Reading::Unsigned},
    {"unsigned_int", 32, Reading::Unsigned},
    {"long", 0, Reading::Signed},
    {"ulong", 0, Reading::Unsigned},
    {"unsigned_long", 0, Reading::Unsigned},
    {"longlong", 64, Reading::Signed},
    {"ulonglong", 64, Reading::Unsigned},
    {"u8", 8, Reading::Unsigned},
    {"u16", 16, Reading::Unsigned},
    {"u32", 32, Reading::Unsigned},
    {"u64", 64, Reading::Unsigned},
    {"s8", 8, Reading::Signed},
    {"s16", 16, Reading::Signed},
    {"s32", 32, Reading::Signed},
    {"s64", 64, Reading::Signed},
    {"size_t", 0, Reading::Unsigned},
    {"pointer", 0, Reading::Unsigned},
    {"ptr", 0, Reading::Unsigned},
    {"pchar", 0, Reading::Unsigned},
}};

bool isSmallConstant(const Value *value) {
  const auto *constant = dyn_cast<llvm::ConstantInt>(value);
  return constant && constant->getValue().ule(1);
}

bool isWide(const Value &value) {
  return value.getType()->isIntegerTy() && !value.getType()->isIntegerTy(1);
}

/// The value goes through: a cast that keeps "is it 0?", a phi, a choice.
bool passesTruth(const Instruction &user) {
  return isa<llvm::ZExtInst, llvm::SExtInst, llvm::FreezeInst, llvm::PHINode, llvm::SelectInst>(
      user);
}

} // namespace

InputType inputType(const llvm::CallBase &call) {
  llvm::StringRef name = call.getCalledFunction()->getName();
  name.consume_front(lower::names::nondet);
  const llvm::Type *type = call.getType();
  InputType result;
  if (name == "bool") {
    result.isBool = true;
    result.reading = Reading::Unsigned;
    if (!type->isIntegerTy(1) && !type->isIntegerTy(8))
      result.problem = quoted(calleeName(call)) + " does not return a bool";
    return result;
  }
  const auto *known = std::find_if(namedInputs.begin(), namedInputs.end(),
                                   [&](const NamedInput &input) { return name == input.name; });
  if (known == namedInputs.end()) {
    result.problem =
        "the nondeterministic function " + quoted(calleeName(call)) + " is not supported";
    return result;
  }
  result.reading = known->reading;
  bool isPointer = name.starts_with("p");
  bool fits = isPointer ? type->isPointerTy()
                        : type->isIntegerTy() && type->getIntegerBitWidth() <= 64 &&
                              (known->bits == 0 || type->isIntegerTy(known->bits));
  if (!fits)
    result.problem = quoted(calleeName(call)) + " returns a type other than its name says";
  return result;
}

EncodeForms::EncodeForms(const EncodeScope &scope, const EncodeObjects &objects)
    : scope_(scope), objects_(objects) {
  findTruthOnly();
  findZeroOne();
}

Form EncodeForms::of(const Value &value) const {
  const llvm::Type *type = value.getType();
  if (type->isIntegerTy(1))
    return Form::Boolean;
  if (type->isPointerTy())
    return Form::Pointer;
  if (!type->isIntegerTy() || type->getIntegerBitWidth() > 128)
    return Form::None;
  return truthOnly_.contains(&value) ? Form::Truth : Form::Number;
}

bool EncodeForms::asksForTruth(const Instruction &user, const Value &value) const {
  if (passesTruth(user))
    return truthOnly_.contains(&user);
  if (const auto *compare = dyn_cast<llvm::ICmpInst>(&user))
    return compare->isEquality() &&
           (isZero(compare->getOperand(0)) || isZero(compare->getOperand(1)));
  if (const auto *call = dyn_cast<llvm::CallBase>(&user))
    return callKind(*call) == CallKind::Assume;
  if (const auto *store = dyn_cast<llvm::StoreInst>(&user)) {
    const MemoryObject *object = objects_.accessedBy(store->getPointerOperand());
    return store->getValueOperand() == &value && object && object->isTruth();
  }
  return false;
}

void EncodeForms::findTruthOnly() {
  std::vector<const Instruction *> work;
  for (const Instruction *instruction : scope_.executed())
    if (isWide(*instruction)) {
      truthOnly_.insert(instruction);
      work.push_back(instruction);
    }
  while (!work.empty()) {
    const Instruction *next = work.back();
    work.pop_back();
    auto isFine = [&](const llvm::User *user) {
      const auto *instruction = dyn_cast<Instruction>(user);
      // Address arithmetic is not executed itself, but uses what it is made of.
      return instruction && !isa<llvm::GetElementPtrInst>(instruction) &&
             (!scope_.isExecuted(*instruction) || asksForTruth(*instruction, *next));
    };
    if (!truthOnly_.contains(next) || std::all_of(next->user_begin(), next->user_end(), isFine))
      continue;
    truthOnly_.erase(next);
    if (passesTruth(*next))
      for (const Value *operand : next->operands())
        if (const auto *instruction = dyn_cast<Instruction>(operand))
          work.push_back(instruction);
  }
}

bool EncodeForms::holdsZeroOne(const MemoryObject &object) const {
  auto isStored = [&](const llvm::StoreInst *store) {
    const Value *value = store->getValueOperand();
    return isSmallConstant(value) || zeroOne_.contains(value);
  };
  return !object.cell && object.problem.empty() && !object.escapes && !object.maybeUnset &&
         (isa<llvm::AllocaInst>(object.base) || !object.initial.empty()) &&
         std::all_of(object.initial.begin(), object.initial.end(), isSmallConstant) &&
         std::all_of(object.stores.begin(), object.stores.end(), isStored);
}

bool EncodeForms::givesZeroOne(const Value &value) const {
  auto isIn = [&](const Value *v) { return isSmallConstant(v) || zeroOne_.contains(v); };
  if (const auto *cast = dyn_cast<llvm::ZExtInst>(&value))
    return cast->getSrcTy()->isIntegerTy(1) || isIn(cast->getOperand(0));
  if (isa<llvm::TruncInst, llvm::FreezeInst>(value))
    return isIn(llvm::cast<Instruction>(value).getOperand(0));
  if (const auto *load = dyn_cast<llvm::LoadInst>(&value)) {
    const MemoryObject *object = objects_.accessedBy(load->getPointerOperand());
    return object && (object->cell ? object->isTruth() && object->cell->isBool
                                   : zeroOne_.contains(object->base));
  }
  if (const auto *choice = dyn_cast<llvm::SelectInst>(&value))
    return isIn(choice->getTrueValue()) && isIn(choice->getFalseValue());
  if (const auto *phi = dyn_cast<llvm::PHINode>(&value))
    return std::all_of(phi->op_begin(), phi->op_end(),
                       [&](const llvm::Use &use) { return isIn(use.get()); });
  if (const auto *operation = dyn_cast<llvm::BinaryOperator>(&value))
    return operation->isBitwiseLogicOp() && isIn(operation->getOperand(0)) &&
           isIn(operation->getOperand(1));
  if (const auto *call = dyn_cast<llvm::CallBase>(&value))
    return callKind(*call) == CallKind::Input && inputType(*call).isBool;
  return false;
}

void EncodeForms::findZeroOne() {
  std::vector<const Value *> work;
  for (const Instruction *instruction : scope_.executed())
    if (isWide(*instruction))
      work.push_back(instruction);
  for (const MemoryObject *object : objects_.all())
    if (object->bits != 1)
      work.push_back(object->base);
  zeroOne_.insert(work.begin(), work.end());
  while (!work.empty()) {
    const Value *next = work.back();
    work.pop_back();
    const MemoryObject *object = objects_.find(next);
    if (!zeroOne_.contains(next) || (object ? holdsZeroOne(*object) : givesZeroOne(*next)))
      continue;
    zeroOne_.erase(next);
    if (object)
      work.insert(work.end(), object->loads.begin(), object->loads.end());
    else
      for (const llvm::User *user : next->users()) {
        const auto *store = dyn_cast<llvm::StoreInst>(user);
        work.push_back(store ? baseOf(store->getPointerOperand()) : user);
      }
  }
}

Reading EncodeForms::reading(const Value &value) const {
  Votes votes;
  countVotes(value, votes);
  return votes.forUnsigned > 0 && votes.forSigned == 0 ? Reading::Unsigned : Reading::Signed;
}

Reading EncodeForms::reading(const MemoryObject &object) const {
  Votes votes;
  for (const llvm::LoadInst *load : object.loads)
    countVotes(*load, votes);
  for (const llvm::StoreInst *store : object.stores)
    countVotes(*store->getValueOperand(), votes);
  return votes.forUnsigned > 0 && votes.forSigned == 0 ? Reading::Unsigned : Reading::Signed;
}

/// Who reads or makes the value as what.
void EncodeForms::countVotes(const Value &value, Votes &votes) const {
  auto vote = [&](Reading reading) {
    ++(reading == Reading::Signed ? votes.forSigned : votes.forUnsigned);
  };
  auto ask = [&](const Value *other) {
    if (const auto *operation = dyn_cast<llvm::OverflowingBinaryOperator>(other)) {
      if (operation->hasNoSignedWrap() || operation->hasNoUnsignedWrap())
        vote(operation->hasNoSignedWrap() ? Reading::Signed : Reading::Unsigned);
    } else if (const auto *operator_ = dyn_cast<llvm::BinaryOperator>(other)) {
      auto code = operator_->getOpcode();
      if (code == Instruction::SDiv || code == Instruction::SRem || code == Instruction::AShr)
        vote(Reading::Signed);
      if (code == Instruction::UDiv || code == Instruction::URem || code == Instruction::LShr)
        vote(Reading::Unsigned);
    }
  };
  ask(&value);
  if (const auto *call = dyn_cast<llvm::CallBase>(&value);
      call && callKind(*call) == CallKind::Input)
    vote(inputType(*call).reading);
  if (const auto *load = dyn_cast<llvm::LoadInst>(&value))
    if (const MemoryObject *object = objects_.accessedBy(load->getPointerOperand());
        object && object->cell)
      vote(object->cell->isSigned ? Reading::Signed : Reading::Unsigned);
  if (isa<llvm::Constant>(value))
    return;
  for (const llvm::User *user : value.users()) {
    ask(user);
    if (isa<llvm::ZExtInst>(user))
      vote(Reading::Unsigned);
    if (isa<llvm::SExtInst>(user))
      vote(Reading::Signed);
    if (const auto *compare = dyn_cast<llvm::ICmpInst>(user); compare && !compare->isEquality())
      vote(compare->isSigned() ? Reading::Signed : Reading::Unsigned);
  }
}

} // namespace understudy::passes::encode
