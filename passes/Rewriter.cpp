// SPDX-License-Identifier: Apache-2.0
#include "passes/Rewriter.h"

#include "logic/Error.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

namespace understudy::passes {

namespace {

std::string plainText(const char *how, const Target &target, llvm::AtomicOrdering ordering) {
  if (target.kind != Target::Kind::Named ||
      ordering == llvm::AtomicOrdering::SequentiallyConsistent)
    return "";
  bool plain = ordering == llvm::AtomicOrdering::NotAtomic;
  return std::string(plain ? "plain " : "weakly ordered ") + how + " of " +
         target.variable->variable().name();
}

/// Replaces the result of a compare-exchange: the old value and whether it was exchanged.
void replacePair(llvm::Instruction &result, llvm::Value *old, llvm::Value *success) {
  for (llvm::User *user : llvm::make_early_inc_range(result.users()))
    if (auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(user)) {
      part->replaceAllUsesWith(part->getIndices().front() == 0 ? old : success);
      part->eraseFromParent();
    }
  if (result.use_empty())
    return;
  llvm::IRBuilder<> builder(&result);
  llvm::Value *pair = llvm::PoisonValue::get(result.getType());
  pair = builder.CreateInsertValue(builder.CreateInsertValue(pair, old, 0), success, 1);
  result.replaceAllUsesWith(pair);
}

/// Replaces a read of memory whose content is not known.
void replaceByInput(llvm::Instruction &instruction) {
  llvm::IRBuilder<> builder(&instruction);
  instruction.replaceAllUsesWith(arbitrary(builder, instruction.getType()));
  instruction.eraseFromParent();
}

} // namespace

void Rewriter::rewrite(llvm::Instruction &instruction) {
  if (auto *read = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    load(*read);
  else if (auto *write = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    store(*write);
  else if (auto *operation = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    modify(*operation);
  else if (auto *compare = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    exchange(*compare);
  else if (llvm::isa<llvm::FenceInst>(instruction))
    instruction.eraseFromParent(); // steps are sequentially consistent
  else if (llvm::isa<llvm::IndirectBrInst, llvm::VAArgInst>(instruction))
    throw logic::Unsupported("a computed goto or a variable argument list is not supported",
                             sources_.range(instruction));
}

uint32_t Rewriter::addPlace(PlaceKind kind, const llvm::Instruction &at,
                            const std::string &detail) {
  Place place;
  place.kind = kind;
  place.range = sources_.range(at);
  place.text = lineText(place.range);
  place.detail = detail;
  result_.places.push_back(std::move(place));
  return static_cast<uint32_t>(result_.places.size() - 1);
}

void Rewriter::endRun(llvm::Instruction &at) { llvm::changeToUnreachable(&at); }

Target Rewriter::target(llvm::Instruction &at, llvm::Value *pointer, llvm::Type *type) {
  Target found = memory_.classify(pointer, type, at, sources_.range(at));
  if (found.kind == Target::Kind::Device)
    result_.assumptions.insert("constant addresses are device registers: reading gives any value, "
                               "and no named variable is touched");
  if (found.index != nullptr) { // elsewhere would be undefined behaviour
    llvm::IRBuilder<> builder(&at);
    assume(builder, builder.CreateICmpULT(found.index, builder.getInt64(found.variable->count)));
  }
  return found;
}

llvm::Value *Rewriter::address(llvm::IRBuilder<> &builder, const Target &target) {
  llvm::GlobalVariable *global = target.variable->global;
  if (target.index == nullptr)
    return global;
  return builder.CreateInBoundsGEP(global->getValueType(), global,
                                   {builder.getInt64(0), target.index});
}

void Rewriter::step(llvm::Instruction &first, llvm::Instruction &last, const Target &target,
                    const llvm::Instruction &origin, const std::string &plain) {
  if (sections_.inside(origin))
    return;
  uint32_t id = addPlace(PlaceKind::Step, origin);
  result_.places[id].variables = {target.variable->variable().name()};
  if (!plain.empty())
    result_.places[id].plain = {plain};
  ++result_.steps;
  llvm::IRBuilder<> before(&first);
  callWithId(before, names::stepBegin, id)->setDebugLoc(origin.getDebugLoc());
  llvm::IRBuilder<> after(last.getNextNode());
  callWithId(after, names::stepEnd, id)->setDebugLoc(origin.getDebugLoc());
}

llvm::BasicBlock *Rewriter::violationBlock(ViolationKind kind, const Target &target,
                                           const llvm::Instruction &origin) {
  PlaceKind place = kind == ViolationKind::Range       ? PlaceKind::Range
                    : kind == ViolationKind::Underflow ? PlaceKind::Underflow
                    : kind == ViolationKind::Guard     ? PlaceKind::Guard
                                                       : PlaceKind::Overflow;
  uint32_t id = addPlace(place, origin, target.variable->variable().name());
  llvm::LLVMContext &context = result_.function->getContext();
  llvm::BasicBlock *block = llvm::BasicBlock::Create(context, "violation", result_.function);
  llvm::IRBuilder<> builder(block);
  callWithId(builder, names::violation, id)->setDebugLoc(origin.getDebugLoc());
  builder.CreateUnreachable();
  return block;
}

void Rewriter::checks(const Target &target, const StoredValue &stored, llvm::Instruction *at,
                      const llvm::Instruction &origin) {
  auto violation = [&](ViolationKind kind) { return violationBlock(kind, target, origin); };
  if (target.variable->shared->guard) { // no lock can be held: locks in C are refused
    llvm::BasicBlock *before = at->getParent();
    llvm::BasicBlock *after = llvm::SplitBlock(before, at);
    before->getTerminator()->eraseFromParent();
    llvm::IRBuilder<> builder(before);
    builder.CreateCondBr(builder.getTrue(), violation(ViolationKind::Guard), after);
    return;
  }
  StoreCheckResult checked =
      checkStore(*target.variable, stored, at, {options_.overflow, violation});
  if (checked.assumedInType)
    result_.assumptions.insert("stores to " + target.variable->variable().name() +
                               " do not exceed its C type");
}

void Rewriter::load(llvm::LoadInst &load) {
  Target found = target(load, load.getPointerOperand(), load.getType());
  if (found.kind == Target::Kind::Local)
    return;
  if (found.kind != Target::Kind::Named) {
    const llvm::DataLayout &layout = load.getModule()->getDataLayout();
    auto *pointer = llvm::dyn_cast<llvm::Constant>(load.getPointerOperand());
    if (found.constant != nullptr && pointer != nullptr)
      if (auto *value = llvm::ConstantFoldLoadFromConstPtr(pointer, load.getType(), layout)) {
        load.replaceAllUsesWith(value);
        load.eraseFromParent();
        return;
      }
    replaceByInput(load);
    return;
  }
  llvm::IRBuilder<> builder(&load);
  llvm::LoadInst *read = builder.CreateLoad(load.getType(), address(builder, found));
  step(*read, *read, found, load, plainText("read", found, load.getOrdering()));
  load.replaceAllUsesWith(read);
  load.eraseFromParent();
}

void Rewriter::store(llvm::StoreInst &store) {
  llvm::Value *value = store.getValueOperand();
  Target found = target(store, store.getPointerOperand(), value->getType());
  if (found.kind == Target::Kind::Local)
    return;
  if (found.kind == Target::Kind::Named) {
    llvm::IRBuilder<> builder(&store);
    llvm::Value *place = address(builder, found);
    llvm::StoreInst *write = builder.CreateStore(value, place);
    step(*write, *write, found, store, plainText("write", found, store.getOrdering()));
    checks(found, {value, {}, nullptr, nullptr}, write, store);
  }
  store.eraseFromParent();
}

void Rewriter::modify(llvm::AtomicRMWInst &modify) {
  Target found = target(modify, modify.getPointerOperand(), modify.getType());
  if (found.kind != Target::Kind::Named && found.kind != Target::Kind::Local) {
    replaceByInput(modify);
    return;
  }
  if (modify.isFloatingPointOperation())
    throw logic::Unsupported("floating-point atomics are not supported", sources_.range(modify));
  llvm::IRBuilder<> builder(&modify);
  bool named = found.kind == Target::Kind::Named;
  llvm::Value *place = named ? address(builder, found) : modify.getPointerOperand();
  llvm::LoadInst *old = builder.CreateLoad(modify.getType(), place);
  llvm::Value *operand = modify.getValOperand();
  llvm::Value *value = llvm::buildAtomicRMWValue(modify.getOperation(), builder, old, operand);
  llvm::StoreInst *write = builder.CreateStore(value, place);
  if (named) {
    step(*old, *write, found, modify, plainText("update", found, modify.getOrdering()));
    StoredValue stored{value, {}, old, operand};
    if (modify.getOperation() == llvm::AtomicRMWInst::Add)
      stored.operation = llvm::Instruction::Add;
    if (modify.getOperation() == llvm::AtomicRMWInst::Sub)
      stored.operation = llvm::Instruction::Sub;
    checks(found, stored, write, modify);
  }
  modify.replaceAllUsesWith(old);
  modify.eraseFromParent();
}

void Rewriter::exchange(llvm::AtomicCmpXchgInst &exchange) {
  llvm::Type *type = exchange.getCompareOperand()->getType();
  Target found = target(exchange, exchange.getPointerOperand(), type);
  if (found.kind != Target::Kind::Named && found.kind != Target::Kind::Local) {
    llvm::IRBuilder<> inputs(&exchange);
    llvm::Value *value = arbitrary(inputs, type);
    replacePair(exchange, value, arbitrary(inputs, inputs.getInt1Ty()));
    exchange.eraseFromParent();
    return;
  }
  llvm::IRBuilder<> builder(&exchange);
  bool named = found.kind == Target::Kind::Named;
  llvm::Value *place = named ? address(builder, found) : exchange.getPointerOperand();
  llvm::LoadInst *old = builder.CreateLoad(type, place);
  llvm::Value *equal = builder.CreateICmpEQ(old, exchange.getCompareOperand());
  if (exchange.isWeak()) // may fail for no reason
    equal = builder.CreateAnd(equal, arbitrary(builder, builder.getInt1Ty()));
  auto *last = llvm::cast<llvm::Instruction>(equal);
  if (named)
    step(*old, *last, found, exchange, plainText("update", found, exchange.getSuccessOrdering()));
  // The store happens only on success, and only then has obligations.
  llvm::Instruction *then = llvm::SplitBlockAndInsertIfThen(equal, last->getNextNode(), false);
  llvm::IRBuilder<> inside(then);
  llvm::StoreInst *write = inside.CreateStore(exchange.getNewValOperand(), place);
  if (named)
    checks(found, {exchange.getNewValOperand(), {}, nullptr, nullptr}, write, exchange);
  replacePair(exchange, old, equal);
  exchange.eraseFromParent();
}

} // namespace understudy::passes
