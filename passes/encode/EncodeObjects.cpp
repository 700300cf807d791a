// SPDX-License-Identifier: Apache-2.0
#include "passes/encode/EncodeObjects.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace understudy::passes::encode {

using llvm::BasicBlock;
using llvm::dyn_cast;
using llvm::Instruction;
using llvm::isa;
using llvm::Value;

namespace {

/// Objects are taken apart into elements; more than this is not.
constexpr uint64_t maxElements = 4096;

std::string typeWord(const llvm::Type *type) {
  if (type->isFloatingPointTy())
    return "floating-point";
  if (type->isPointerTy())
    return "pointer";
  if (type->isStructTy())
    return "struct";
  return type->isVectorTy() ? "vector" : "non-integer";
}

/// The elements of a constant of (nested) array type, in memory order.
void flatten(const llvm::Constant *constant, std::vector<const llvm::Constant *> &out) {
  const auto *array = dyn_cast<llvm::ArrayType>(constant->getType());
  if (!array) {
    out.push_back(constant);
    return;
  }
  for (uint64_t i = 0; i < array->getNumElements(); ++i)
    flatten(constant->getAggregateElement(static_cast<unsigned>(i)), out);
}

} // namespace

bool MemoryObject::isTruth() const {
  return cell && (cell->meaning == Cell::Meaning::Truth || cell->variable.sort().isBool() ||
                  (cell->variable.sort().isArray() && cell->variable.sort().element().isBool()));
}

EncodeObjects::EncodeObjects(const EncodeScope &scope, const EncodeContext &context)
    : scope_(scope), context_(context) {
  for (const llvm::Function *function : scope.functions())
    for (const BasicBlock *block : scope.blocks(*function))
      for (const Instruction &instruction : *block)
        collectAccesses(instruction);
  findUnset();
}

const MemoryObject *EncodeObjects::find(const Value *base) const {
  auto found = objects_.find(base);
  return found == objects_.end() ? nullptr : &found->second;
}

void EncodeObjects::describe(MemoryObject &object, llvm::Type *type) const {
  while (auto *array = dyn_cast<llvm::ArrayType>(type)) {
    if (__builtin_mul_overflow(object.count, array->getNumElements(), &object.count))
      object.count = UINT32_MAX;
    type = array->getElementType();
  }
  object.element = type;
  if (!type->isIntegerTy()) {
    object.problem = "memory of " + typeWord(type) + " type is not supported";
    return;
  }
  object.bits = type->getIntegerBitWidth();
  if (object.bits > 64)
    object.problem = "memory of integers of more than 64 bits is not supported";
  else if (object.count > maxElements && !object.cell)
    object.problem =
        "an array of more than " + std::to_string(maxElements) + " elements is not supported";
  else if (object.count == 0)
    object.problem = "an array without elements is not supported";
}

MemoryObject &EncodeObjects::object(const Value *base) {
  auto [found, isNew] = objects_.try_emplace(base);
  MemoryObject &result = found->second;
  if (!isNew)
    return result;
  order_.push_back(&result);
  result.base = base;
  if (const auto *alloca = dyn_cast<llvm::AllocaInst>(base)) {
    describe(result, alloca->getAllocatedType());
    if (alloca->isArrayAllocation())
      result.problem = "a variable-length array is not supported";
    return result;
  }
  const auto &global = llvm::cast<llvm::GlobalVariable>(*base);
  if (auto cell = context_.cells.find(&global); cell != context_.cells.end())
    result.cell = &cell->second;
  describe(result, global.getValueType());
  if (!result.cell && result.problem.empty() && global.hasInitializer())
    flatten(global.getInitializer(), result.initial);
  result.isConstant = global.isConstant() && global.hasInitializer() && !result.cell;
  return result;
}

void EncodeObjects::collectAccesses(const Instruction &instruction) {
  const auto *call = dyn_cast<llvm::CallBase>(&instruction);
  CallKind kind = call ? callKind(*call) : CallKind::Ignored;
  if (call && (kind == CallKind::Ignored || kind == CallKind::LifetimeStart))
    return;
  for (const llvm::Use &use : instruction.operands()) {
    const Value *base = baseOf(use.get());
    if (!isa<llvm::AllocaInst, llvm::GlobalVariable>(base))
      continue;
    if (isa<llvm::GetElementPtrInst, llvm::ICmpInst>(instruction))
      continue;
    MemoryObject &accessed = object(base);
    const auto *load = dyn_cast<llvm::LoadInst>(&instruction);
    const auto *store = dyn_cast<llvm::StoreInst>(&instruction);
    if (load)
      accessed.loads.push_back(load);
    else if (store && use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex())
      accessed.stores.push_back(store);
    else
      accessed.escapes = true;
  }
}

namespace {

/// The elements of watched objects, numbered one after the other.
struct ObjectElements {
  unsigned first = 0;
  unsigned count = 0;
};

/// Which elements have surely been written.
class Written {
public:
  Written(const std::vector<const MemoryObject *> &watched, const llvm::DataLayout &layout)
      : layout_(layout) {
    for (const MemoryObject *object : watched) {
      elements_[object->base] = {size_, static_cast<unsigned>(object->count)};
      size_ += static_cast<unsigned>(object->count);
    }
  }

  llvm::BitVector none() const { return llvm::BitVector(size_); }
  llvm::BitVector all() const { return llvm::BitVector(size_, true); }

  /// Calls `unset` for every object that is read and perhaps not written.
  template <typename Unset>
  void pass(const BasicBlock &block, llvm::BitVector &written, const Unset &unset) const {
    for (const Instruction &instruction : block) {
      if (const auto *load = dyn_cast<llvm::LoadInst>(&instruction)) {
        ObjectElements read = find(load->getPointerOperand(), load->getType());
        for (unsigned i = read.first; i < read.first + read.count; ++i)
          if (!written.test(i))
            unset(baseOf(load->getPointerOperand()));
      } else if (const auto *store = dyn_cast<llvm::StoreInst>(&instruction)) {
        ObjectElements set = find(store->getPointerOperand(), store->getValueOperand()->getType());
        if (set.count == 1)
          written.set(set.first);
      } else if (const auto *call = dyn_cast<llvm::CallBase>(&instruction);
                 call && callKind(*call) == CallKind::LifetimeStart) {
        reset(baseOf(call->getArgOperand(1)), written);
      } else {
        reset(&instruction, written);
      }
    }
  }

private:
  const llvm::DataLayout &layout_;
  unsigned size_ = 0;
  std::map<const Value *, ObjectElements> elements_;

  void reset(const Value *base, llvm::BitVector &written) const {
    if (auto found = elements_.find(base); found != elements_.end())
      written.reset(found->second.first, found->second.first + found->second.count);
  }

  /// The elements that an access may touch: one, or all if the index is not constant.
  ObjectElements find(const Value *pointer, llvm::Type *type) const {
    auto found = elements_.find(baseOf(pointer));
    if (found == elements_.end())
      return {};
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(pointer->getType()), 0);
    const Value *start = pointer->stripAndAccumulateConstantOffsets(layout_, offset, true);
    uint64_t size = layout_.getTypeAllocSize(type).getFixedValue();
    uint64_t element = offset.getZExtValue() / size;
    if (start != found->first || element >= found->second.count)
      return found->second;
    return {found->second.first + static_cast<unsigned>(element), 1};
  }
};

} // namespace

void EncodeObjects::findUnset() {
  std::vector<const MemoryObject *> watched;
  for (auto &[base, object] : objects_) {
    if (!isa<llvm::AllocaInst>(base))
      continue;
    object.maybeUnset = object.escapes || !object.problem.empty();
    if (!object.maybeUnset)
      watched.push_back(&object);
  }
  Written written(watched, scope_.function().getParent()->getDataLayout());
  const auto &blocks = scope_.blocks(scope_.function());
  std::unordered_map<const BasicBlock *, llvm::BitVector> before;
  for (const BasicBlock *block : blocks)
    before.emplace(block, written.all());
  before.at(blocks.front()) = written.none();
  std::vector<const BasicBlock *> work(blocks.rbegin(), blocks.rend());
  while (!work.empty()) {
    const BasicBlock *block = work.back();
    work.pop_back();
    llvm::BitVector after = before.at(block);
    written.pass(*block, after, [](const Value *) {});
    for (const BasicBlock *successor : llvm::successors(block)) {
      llvm::BitVector &known = before.at(successor);
      llvm::BitVector meet = known;
      meet &= after;
      if (meet == known)
        continue;
      known = meet;
      work.push_back(successor);
    }
  }
  for (const BasicBlock *block : blocks)
    written.pass(*block, before.at(block),
                 [&](const Value *base) { objects_.at(base).maybeUnset = true; });
}

} // namespace understudy::passes::encode
