// SPDX-License-Identifier: Apache-2.0
#include "passes/lower/CallChoices.h"

#include "passes/memory/Escape.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <map>
#include <set>

namespace understudy::passes::lower {

namespace {

using llvm::dyn_cast;
using llvm::isa;
using llvm::Value;

constexpr size_t maxEntries = 64;

/// What a load from a table of functions can give.
struct TableLoad {
  Value *index = nullptr;
  std::vector<std::pair<int64_t, llvm::Constant *>> entries; ///< by index
};

bool isFunction(Value *value) { return isa<llvm::Function>(value->stripPointerCasts()); }
bool isNone(const Value *value) { return isa<llvm::ConstantPointerNull, llvm::UndefValue>(value); }

/// Do all that use it only read it?
bool isNeverWritten(const llvm::GlobalVariable &global) {
  if (!global.hasDefinitiveInitializer())
    return false;
  if (global.isConstant())
    return true;
  if (!global.hasLocalLinkage())
    return false;
  memory::AddressUses uses = memory::usesOf(global);
  return uses.escapes.empty() &&
         std::all_of(uses.accesses.begin(), uses.accesses.end(),
                     [](const llvm::Use *use) { return isa<llvm::LoadInst>(use->getUser()); });
}

TableLoad tableLoad(llvm::LoadInst &load) {
  const llvm::DataLayout &layout = load.getModule()->getDataLayout();
  auto *element = dyn_cast<llvm::GEPOperator>(load.getPointerOperand());
  if (element == nullptr || load.isVolatile())
    return {};
  unsigned width = layout.getIndexTypeSizeInBits(element->getType());
  llvm::APInt constant(width, 0);
  llvm::MapVector<Value *, llvm::APInt> variables;
  Value *base = element;
  while (auto *step = dyn_cast<llvm::GEPOperator>(base)) {
    if (!step->collectOffset(layout, width, variables, constant))
      return {};
    base = step->getPointerOperand();
  }
  auto *table = dyn_cast<llvm::GlobalVariable>(base);
  if (table == nullptr || variables.size() != 1 || !isNeverWritten(*table))
    return {};
  auto size = static_cast<int64_t>(layout.getTypeAllocSize(table->getValueType()).getFixedValue());
  int64_t scale = variables.front().second.getSExtValue();
  if (scale <= 0 || size / scale > static_cast<int64_t>(maxEntries))
    return {};
  int64_t first = constant.getSExtValue();
  TableLoad result{variables.front().first, {}};
  for (int64_t at = first - first / scale * scale; at < size; at += scale) {
    llvm::Constant *entry = at < 0 ? nullptr
                                   : llvm::ConstantFoldLoadFromConst(
                                         table->getInitializer(), load.getType(),
                                         llvm::APInt(width, static_cast<uint64_t>(at)), layout);
    if (at >= 0 && (entry == nullptr || (!isFunction(entry) && !isNone(entry))))
      return {};
    if (at >= 0)
      result.entries.emplace_back((at - first) / scale, entry);
  }
  return result;
}

/// An object that is there from the start, or a part of it at a constant place.
bool isObject(Value *pointer) {
  const auto *step = dyn_cast<llvm::GEPOperator>(pointer);
  if (step != nullptr)
    return step->hasAllConstantIndices() && isObject(step->getOperand(0));
  const auto *local = dyn_cast<llvm::AllocaInst>(pointer);
  return isa<llvm::GlobalVariable>(pointer) || (local != nullptr && local->isStaticAlloca());
}

/// The address of a part is computed again where it is used.
Value *addressIn(llvm::BasicBlock &block, Value *pointer) {
  auto *step = dyn_cast<llvm::GetElementPtrInst>(pointer);
  if (step == nullptr)
    return pointer;
  llvm::Instruction *copy = step->clone();
  copy->setOperand(0, addressIn(block, step->getPointerOperand()));
  copy->insertInto(&block, block.end());
  return copy;
}

/// The operand that says where a load or store goes, behind steps to elements; null for others.
llvm::Use *targetOf(llvm::Instruction &access) {
  llvm::Use *use = nullptr;
  if (isa<llvm::LoadInst>(access))
    use = &access.getOperandUse(llvm::LoadInst::getPointerOperandIndex());
  if (isa<llvm::StoreInst>(access))
    use = &access.getOperandUse(llvm::StoreInst::getPointerOperandIndex());
  while (use != nullptr) {
    auto *step = dyn_cast<llvm::GetElementPtrInst>(use->get());
    if (step == nullptr)
      break;
    use = &step->getOperandUse(llvm::GetElementPtrInst::getPointerOperandIndex());
  }
  return use;
}

/// Stands one of several pointers in the place of a choice, in a copy of the instruction for each.
class Choices {
public:
  using IsOne = bool (*)(Value *pointer);

  /// The use is an operand of the instruction, or of a step to an element that it accesses.
  Choices(llvm::Instruction &instruction, llvm::Use &use, IsOne isOne)
      : instruction_(instruction), use_(use), isOne_(isOne) {}

  std::vector<llvm::Instruction *> run() {
    if (!isKnown(use_.get()) || seen_.size() > maxEntries)
      return {};
    return enterOne(numberOf(use_.get()));
  }

private:
  llvm::Instruction &instruction_;
  llvm::Use &use_;
  IsOne isOne_;
  std::set<const Value *> seen_;
  std::map<Value *, Value *> numbers_; ///< that stand for pointers
  std::vector<Value *> pointers_;      ///< by number - 1; 0 is none

  bool isKnown(Value *pointer) {
    if (isOne_(pointer) || isNone(pointer) || !seen_.insert(pointer).second)
      return true;
    if (auto *choice = dyn_cast<llvm::SelectInst>(pointer))
      return isKnown(choice->getTrueValue()) && isKnown(choice->getFalseValue());
    if (auto *phi = dyn_cast<llvm::PHINode>(pointer))
      return std::all_of(phi->op_begin(), phi->op_end(),
                         [&](const llvm::Use &use) { return isKnown(use.get()); });
    auto *load = dyn_cast<llvm::LoadInst>(pointer);
    return load != nullptr && isOne_ == isFunction && !tableLoad(*load).entries.empty();
  }

  llvm::ConstantInt *constant(size_t number) {
    return llvm::ConstantInt::get(llvm::Type::getInt32Ty(instruction_.getContext()), number);
  }

  Value *numberOf(Value *pointer) {
    if (isNone(pointer))
      return constant(0);
    if (isOne_(pointer)) {
      Value *one = pointer->stripPointerCasts();
      auto found = std::find(pointers_.begin(), pointers_.end(), one);
      if (found == pointers_.end())
        found = pointers_.insert(found, one);
      return constant(static_cast<size_t>(found - pointers_.begin()) + 1);
    }
    if (auto known = numbers_.find(pointer); known != numbers_.end())
      return known->second;
    if (auto *phi = dyn_cast<llvm::PHINode>(pointer))
      return numberOf(*phi);
    if (auto *choice = dyn_cast<llvm::SelectInst>(pointer)) {
      Value *yes = numberOf(choice->getTrueValue());
      Value *no = numberOf(choice->getFalseValue());
      llvm::IRBuilder<> builder(choice);
      return numbers_[pointer] = builder.CreateSelect(choice->getCondition(), yes, no);
    }
    return numbers_[pointer] = numberOf(*llvm::cast<llvm::LoadInst>(pointer));
  }

  Value *numberOf(llvm::PHINode &phi) {
    llvm::IRBuilder<> builder(&phi);
    llvm::PHINode *number = builder.CreatePHI(builder.getInt32Ty(), phi.getNumIncomingValues());
    numbers_[&phi] = number;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      number->addIncoming(numberOf(phi.getIncomingValue(i)), phi.getIncomingBlock(i));
    return number;
  }

  Value *numberOf(llvm::LoadInst &load) {
    TableLoad table = tableLoad(load);
    llvm::IRBuilder<> builder(&load);
    Value *result = constant(0);
    for (const auto &[index, entry] : table.entries) {
      Value *same = builder.CreateICmpEQ(
          table.index, llvm::ConstantInt::getSigned(table.index->getType(), index));
      result = builder.CreateSelect(same, numberOf(entry), result);
    }
    return result;
  }

  std::vector<llvm::Instruction *> enterOne(Value *number) {
    llvm::BasicBlock *before = instruction_.getParent();
    llvm::BasicBlock *after = llvm::SplitBlock(before, instruction_.getNextNode());
    llvm::LLVMContext &context = instruction_.getContext();
    auto *nowhere = llvm::BasicBlock::Create(context, "", before->getParent(), after);
    llvm::IRBuilder<>(nowhere).CreateUnreachable();
    before->getTerminator()->eraseFromParent();
    llvm::IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(instruction_.getDebugLoc());
    llvm::SwitchInst *choice = builder.CreateSwitch(number, nowhere);
    std::vector<llvm::Instruction *> copies;
    for (size_t i = 0; i < pointers_.size(); ++i) {
      auto *block = llvm::BasicBlock::Create(context, "", before->getParent(), after);
      choice->addCase(constant(i + 1), block);
      copies.push_back(copyInto(*block, instruction_, pointers_[i]));
      llvm::IRBuilder<>(block).CreateBr(after);
    }
    if (!instruction_.use_empty()) {
      llvm::IRBuilder<> results(after, after->begin());
      llvm::PHINode *result =
          results.CreatePHI(instruction_.getType(), static_cast<unsigned>(copies.size()));
      for (llvm::Instruction *copy : copies)
        result->addIncoming(copy, copy->getParent());
      instruction_.replaceAllUsesWith(result);
    }
    instruction_.eraseFromParent();
    return copies;
  }

  /// With the pointer in the place of the use, which lies in the instruction or in a step before.
  llvm::Instruction *copyInto(llvm::BasicBlock &block, llvm::Instruction &original,
                              Value *pointer) {
    llvm::Instruction *copy = original.clone();
    if (use_.getUser() == &original) {
      copy->setOperand(use_.getOperandNo(), addressIn(block, pointer));
    } else {
      unsigned operand = stepIn(original).getOperandNo();
      auto &step = llvm::cast<llvm::Instruction>(*original.getOperand(operand));
      copy->setOperand(operand, copyInto(block, step, pointer));
    }
    copy->insertInto(&block, block.end());
    return copy;
  }

  static llvm::Use &stepIn(llvm::Instruction &instruction) {
    return instruction.getOperandUse(isa<llvm::StoreInst>(instruction)
                                         ? llvm::StoreInst::getPointerOperandIndex()
                                         : 0); // of a load and of a step
  }
};

bool isChoice(const Value *value) { return isa<llvm::PHINode, llvm::SelectInst>(value); }

} // namespace

std::vector<llvm::CallBase *> chooseCallee(llvm::CallBase &call) {
  std::vector<llvm::CallBase *> calls;
  for (llvm::Instruction *copy : Choices(call, call.getCalledOperandUse(), isFunction).run())
    calls.push_back(llvm::cast<llvm::CallBase>(copy));
  return calls;
}

bool chooseTargets(llvm::Function &function) {
  std::vector<llvm::Instruction *> accesses;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (const llvm::Use *use = targetOf(instruction); use != nullptr && isChoice(use->get()))
      accesses.push_back(&instruction);
  bool changed = false;
  for (llvm::Instruction *access : accesses)
    changed = !Choices(*access, *targetOf(*access), isObject).run().empty() || changed;
  return changed;
}

} // namespace understudy::passes::lower
