// SPDX-License-Identifier: Apache-2.0
#include "passes/lower/LowerCopies.h"

#include "logic/Error.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

namespace understudy::passes::lower {

using memory::ElementRange;

namespace {

llvm::Type *elementType(const ElementRange &range) {
  return memory::elementsOf(*range.local)->type;
}

llvm::Value *addressOf(llvm::IRBuilder<> &builder, const ElementRange &range, uint64_t index) {
  return builder.CreateInBoundsGEP(elementType(range), const_cast<llvm::AllocaInst *>(range.local),
                                   {builder.getInt64(range.first + index)});
}

/// The function that the machine code may call; empty: none.
std::string libraryName(const llvm::MemIntrinsic &operation) {
  switch (operation.getIntrinsicID()) {
  case llvm::Intrinsic::memcpy:
    return "memcpy";
  case llvm::Intrinsic::memmove:
    return "memmove";
  case llvm::Intrinsic::memset:
    return "memset";
  default:
    return "";
  }
}

} // namespace

void markOwnCopies(llvm::Module &module) {
  std::vector<std::pair<llvm::Instruction *, std::string>> places;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      const auto *operation = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
      std::string name = operation != nullptr ? libraryName(*operation) : "";
      const llvm::Function *own = name.empty() ? nullptr : module.getFunction(name);
      if (own != nullptr && !own->isDeclaration() && own != &function)
        places.emplace_back(&instruction, name);
    }
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false);
  for (const auto &[at, name] : places) {
    llvm::IRBuilder<> builder(at);
    builder.CreateCall(ownFunction(module, names::ownCopy + name, type));
  }
}

void LowerCopies::requireUnnamed(const llvm::CallBase &call, const llvm::Value *pointer) {
  if (const memory::BoundVariable *variable = rewriter_.memory().mayReach(pointer))
    throw logic::Unsupported("memory that may hold '" + variable->variable().name() +
                                 "' is copied or set as a whole",
                             rewriter_.sources().range(call));
}

std::optional<ElementRange> LowerCopies::followed(const llvm::Value &pointer,
                                                  const llvm::Value &bytes) const {
  auto range =
      memory::rangeOf(pointer, bytes, rewriter_.result().function->getParent()->getDataLayout());
  return range && rewriter_.locals().of(*range->local) == memory::Local::Followed ? range
                                                                                  : std::nullopt;
}

void LowerCopies::copy(llvm::MemIntrinsic &operation) {
  requireUnnamed(operation, operation.getRawDest());
  auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&operation);
  if (transfer != nullptr)
    requireUnnamed(operation, transfer->getRawSource());
  if (auto to = followed(*operation.getRawDest(), *operation.getLength()))
    store(operation, *to,
          transfer != nullptr ? copied(*transfer, *to)
                              : set(llvm::cast<llvm::MemSetInst>(operation), *to));
  operation.eraseFromParent();
}

void LowerCopies::nondetMemory(llvm::CallBase &call) {
  requireUnnamed(call, call.getArgOperand(0));
  if (auto to = followed(*call.getArgOperand(0), *call.getArgOperand(1))) {
    llvm::IRBuilder<> builder(&call);
    Values values;
    for (uint64_t i = 0; i < to->count; ++i)
      values.push_back(arbitrary(builder, elementType(*to)));
    store(call, *to, values);
  }
  call.eraseFromParent();
}

llvm::Value *LowerCopies::unknown(llvm::CallBase &at, llvm::Type *type) {
  llvm::IRBuilder<> builder(&at);
  return guess(builder, type, rewriter_.addGuess(at, "what is copied here"));
}

/// All values are read before the first is written: the two may overlap.
LowerCopies::Values LowerCopies::copied(llvm::MemTransferInst &transfer, const ElementRange &to) {
  const llvm::DataLayout &layout = transfer.getModule()->getDataLayout();
  llvm::Type *type = elementType(to);
  llvm::IRBuilder<> builder(&transfer);
  auto from = followed(*transfer.getRawSource(), *transfer.getLength());
  bool sameElements = from && elementType(*from) == type;
  auto *constant = llvm::dyn_cast<llvm::Constant>(transfer.getRawSource());
  uint64_t size = layout.getTypeAllocSize(type).getFixedValue();
  Values values;
  for (uint64_t i = 0; i < to.count; ++i) {
    llvm::Value *value = nullptr;
    if (sameElements)
      value = builder.CreateLoad(type, addressOf(builder, *from, i));
    else if (constant != nullptr && !transfer.isVolatile())
      value = llvm::ConstantFoldLoadFromConstPtr(
          constant, type, llvm::APInt(layout.getIndexTypeSizeInBits(constant->getType()), i * size),
          layout);
    values.push_back(value != nullptr ? value : unknown(transfer, type));
  }
  return values;
}

LowerCopies::Values LowerCopies::set(llvm::MemSetInst &operation, const ElementRange &to) {
  llvm::Type *type = elementType(to);
  unsigned bits = type->getIntegerBitWidth();
  const auto *byte = llvm::dyn_cast<llvm::ConstantInt>(operation.getValue());
  llvm::Value *value =
      bits == 8 ? operation.getValue()
      : byte != nullptr
          ? llvm::ConstantInt::get(type, llvm::APInt::getSplat(bits, byte->getValue()))
          : unknown(operation, type);
  return Values(to.count, value);
}

void LowerCopies::store(llvm::CallBase &at, const ElementRange &to, const Values &values) {
  llvm::IRBuilder<> builder(&at);
  for (uint64_t i = 0; i < to.count; ++i)
    builder.CreateStore(values[i], addressOf(builder, to, i));
}

} // namespace understudy::passes::lower
