// SPDX-License-Identifier: Apache-2.0
#include "passes/lower/CallChoices.h"

#include "passes/memory/Escape.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/IRBuilder.h>
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

bool isFunction(const Value *value) { return isa<llvm::Function>(value->stripPointerCasts()); }
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

class Choices {
public:
  explicit Choices(llvm::CallBase &call) : call_(call) {}

  std::vector<llvm::CallBase *> run() {
    if (!isKnown(call_.getCalledOperand()))
      return {};
    Value *number = numberOf(call_.getCalledOperand());
    return enterOne(number);
  }

private:
  llvm::CallBase &call_;
  std::set<const Value *> seen_;
  std::map<Value *, Value *> numbers_;      ///< that stand for pointers
  std::vector<llvm::Function *> functions_; ///< by number - 1; 0 is none

  bool isKnown(Value *pointer) {
    if (isFunction(pointer) || isNone(pointer) || !seen_.insert(pointer).second)
      return true;
    if (auto *choice = dyn_cast<llvm::SelectInst>(pointer))
      return isKnown(choice->getTrueValue()) && isKnown(choice->getFalseValue());
    if (auto *phi = dyn_cast<llvm::PHINode>(pointer))
      return std::all_of(phi->op_begin(), phi->op_end(),
                         [&](const llvm::Use &use) { return isKnown(use.get()); });
    auto *load = dyn_cast<llvm::LoadInst>(pointer);
    return load != nullptr && !tableLoad(*load).entries.empty();
  }

  llvm::ConstantInt *constant(size_t number) {
    return llvm::ConstantInt::get(llvm::Type::getInt32Ty(call_.getContext()), number);
  }

  Value *numberOf(Value *pointer) {
    if (isNone(pointer))
      return constant(0);
    if (auto *function = dyn_cast<llvm::Function>(pointer->stripPointerCasts())) {
      auto found = std::find(functions_.begin(), functions_.end(), function);
      if (found == functions_.end())
        found = functions_.insert(found, function);
      return constant(static_cast<size_t>(found - functions_.begin()) + 1);
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

  std::vector<llvm::CallBase *> enterOne(Value *number) {
    llvm::BasicBlock *before = call_.getParent();
    llvm::BasicBlock *after = llvm::SplitBlock(before, call_.getNextNode());
    llvm::LLVMContext &context = call_.getContext();
    auto *nowhere = llvm::BasicBlock::Create(context, "", before->getParent(), after);
    llvm::IRBuilder<>(nowhere).CreateUnreachable();
    before->getTerminator()->eraseFromParent();
    llvm::IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(call_.getDebugLoc());
    llvm::SwitchInst *choice = builder.CreateSwitch(number, nowhere);
    std::vector<llvm::CallBase *> calls;
    for (size_t i = 0; i < functions_.size(); ++i) {
      auto *block = llvm::BasicBlock::Create(context, "", before->getParent(), after);
      choice->addCase(constant(i + 1), block);
      auto *direct = llvm::cast<llvm::CallBase>(call_.clone());
      direct->setCalledOperand(functions_[i]);
      direct->insertInto(block, block->end());
      llvm::IRBuilder<>(block).CreateBr(after);
      calls.push_back(direct);
    }
    if (!call_.use_empty()) {
      llvm::IRBuilder<> results(after, after->begin());
      llvm::PHINode *result =
          results.CreatePHI(call_.getType(), static_cast<unsigned>(calls.size()));
      for (llvm::CallBase *direct : calls)
        result->addIncoming(direct, direct->getParent());
      call_.replaceAllUsesWith(result);
    }
    call_.eraseFromParent();
    return calls;
  }
};

} // namespace

std::vector<llvm::CallBase *> chooseCallee(llvm::CallBase &call) { return Choices(call).run(); }

} // namespace understudy::passes::lower
