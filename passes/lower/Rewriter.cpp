// SPDX-License-Identifier: Apache-2.0
#include "passes/lower/Rewriter.h"

#include "logic/Error.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/MemoryBuiltins.h>
#include <llvm/IR/Constants.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

namespace understudy::passes::lower {

namespace {

/// Of a compare-exchange: the weaker one of success and failure, if one is weak.
llvm::AtomicOrdering orderingOf(const llvm::AtomicCmpXchgInst &exchange) {
  constexpr auto strongest = llvm::AtomicOrdering::SequentiallyConsistent;
  llvm::AtomicOrdering success = exchange.getSuccessOrdering();
  return success != strongest ? success : exchange.getFailureOrdering();
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

void replaceBy(llvm::Instruction &instruction, llvm::Value *value) {
  instruction.replaceAllUsesWith(value);
  instruction.eraseFromParent();
}

bool isConstant(const llvm::Value *value) { return llvm::isa<llvm::Constant>(value); }

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
  else
    pointerValue(instruction);
}

/// Pointers are not numbers here: what is computed from one is any value.
void Rewriter::pointerValue(llvm::Instruction &instruction) {
  bool converts = llvm::isa<llvm::PtrToIntInst, llvm::IntToPtrInst>(instruction) &&
                  !isConstant(instruction.getOperand(0));
  bool compares = llvm::isa<llvm::ICmpInst>(instruction) &&
                  instruction.getOperand(0)->getType()->isPointerTy() &&
                  !llvm::isa<llvm::ConstantPointerNull>(instruction.getOperand(0)) &&
                  !llvm::isa<llvm::ConstantPointerNull>(instruction.getOperand(1));
  if (!converts && !compares)
    return;
  llvm::IRBuilder<> builder(&instruction);
  uint32_t id = addGuess(instruction, compares ? "a comparison of two pointers"
                                               : "a conversion between pointer and integer");
  replaceBy(instruction, guess(builder, instruction.getType(), id));
}

uint32_t Rewriter::addPlace(PlaceKind kind, const llvm::Instruction &at,
                            const std::string &detail) {
  Place place;
  place.kind = kind;
  place.range = sources_.range(at);
  place.text = read::lineText(place.range);
  place.detail = detail;
  result_.places.push_back(std::move(place));
  return static_cast<uint32_t>(result_.places.size() - 1);
}

uint32_t Rewriter::addGuess(const llvm::Instruction &at, const std::string &what) {
  return addPlace(PlaceKind::Guess, at, what);
}

void Rewriter::endRun(llvm::Instruction &at) { llvm::changeToUnreachable(&at); }

/// An access at a constant place outside of its object is undefined behaviour that can be seen.
void Rewriter::noteOutside(const llvm::Instruction &at, const llvm::Value *pointer,
                           llvm::Type *type) {
  const llvm::DataLayout &layout = at.getModule()->getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const llvm::Value *object = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  uint64_t size = 0;
  if (!llvm::getObjectSize(object, size, layout, nullptr))
    return;
  int64_t begin = offset.getSExtValue();
  auto end = begin + static_cast<int64_t>(layout.getTypeStoreSize(type).getFixedValue());
  if (begin >= 0 && end <= static_cast<int64_t>(size))
    return;
  logic::SourceRange range = sources_.range(at);
  result_.assumptions.insert("no out-of-bounds access happens here: " +
                             (range.known()
                                  ? range.file->name() + ":" + std::to_string(range.begin.line) +
                                        " " + read::lineText(range)
                                  : "no line"));
}

memory::Target Rewriter::target(llvm::Instruction &at, llvm::Value *pointer, llvm::Type *type) {
  noteOutside(at, pointer, type);
  memory::Target found = memory_.classify(pointer, type, at, locals_, sources_.range(at));
  if (found.kind == memory::Target::Kind::Device)
    result_.assumptions.insert("constant addresses are device registers: a read returns any value, "
                               "and no named variable is touched");
  if (found.index != nullptr) { // elsewhere would be undefined behaviour
    llvm::IRBuilder<> builder(&at);
    assumeInside(builder, found.index, found.variable->count,
                 addPlace(PlaceKind::Index, at, found.variable->variable().name()));
  }
  return found;
}

/// A plain access is indivisible if it is aligned, of a size that machines have, and no wider than
/// a pointer. Inside an atomic section everything is.
void Rewriter::requireIndivisible(const llvm::Instruction &at, const memory::Target &target,
                                  llvm::Align alignment) {
  if (target.kind != memory::Target::Kind::Named || at.isAtomic() || sections_.inside(at))
    return;
  unsigned bits = target.variable->bits;
  std::string name = "'" + target.variable->variable().name() + "'";
  auto refuse = [&](const std::string &why) {
    throw logic::Unsupported("this plain access to " + name + " is not indivisible: " + why,
                             sources_.range(at));
  };
  if (bits > at.getModule()->getDataLayout().getPointerSizeInBits())
    refuse("it is wider than a pointer");
  if (bits % 8 != 0 || !llvm::isPowerOf2_32(bits))
    refuse("it has " + std::to_string(bits) + " bits");
  if (alignment.value() * 8 < bits)
    refuse("it is not aligned");
}

llvm::Value *Rewriter::address(llvm::IRBuilder<> &builder, const memory::Target &target) {
  llvm::GlobalVariable *global = target.variable->global;
  if (target.index == nullptr)
    return global;
  return builder.CreateInBoundsGEP(global->getValueType(), global,
                                   {builder.getInt64(0), target.index});
}

void Rewriter::step(llvm::Instruction &first, llvm::Instruction &last, const memory::Target &target,
                    const llvm::Instruction &origin, const char *how,
                    llvm::AtomicOrdering ordering) {
  if (sections_.inside(origin))
    return;
  uint32_t id = addPlace(PlaceKind::Step, origin);
  std::string name = target.variable->variable().name();
  Place &place = result_.places[id];
  place.variables = {name};
  if (ordering != llvm::AtomicOrdering::SequentiallyConsistent) {
    place.weak = ordering != llvm::AtomicOrdering::NotAtomic;
    place.plain = {std::string(place.weak ? "weakly ordered " : "plain ") + how + " of " + name};
  }
  ++result_.steps;
  llvm::IRBuilder<> before(&first);
  callWithId(before, names::stepBegin, id)->setDebugLoc(origin.getDebugLoc());
  llvm::IRBuilder<> after(last.getNextNode());
  callWithId(after, names::stepEnd, id)->setDebugLoc(origin.getDebugLoc());
}

llvm::BasicBlock *Rewriter::violationBlock(ViolationKind kind, const memory::Target &target,
                                           const llvm::Instruction &origin) {
  PlaceKind place = kind == ViolationKind::Range       ? PlaceKind::Range
                    : kind == ViolationKind::Underflow ? PlaceKind::Underflow
                    : kind == ViolationKind::Guard     ? PlaceKind::Guard
                    : kind == ViolationKind::Step      ? PlaceKind::NeverWritten
                                                       : PlaceKind::Overflow;
  uint32_t id = addPlace(place, origin, target.variable->variable().name());
  llvm::LLVMContext &context = result_.function->getContext();
  llvm::BasicBlock *block = llvm::BasicBlock::Create(context, "violation", result_.function);
  llvm::IRBuilder<> builder(block);
  callWithId(builder, names::violation, id)->setDebugLoc(origin.getDebugLoc());
  builder.CreateUnreachable();
  return block;
}

void Rewriter::needLock(const std::string &lock, const memory::Target &target,
                        llvm::Instruction *at, const llvm::Instruction &origin) {
  uint32_t id = addPlace(PlaceKind::Guard, origin, target.variable->variable().name());
  result_.places[id].lockUse = LockUse::Needs;
  result_.places[id].lock = lock;
  llvm::IRBuilder<> builder(at);
  callWithId(builder, names::needsLock, id)->setDebugLoc(origin.getDebugLoc());
}

void Rewriter::checks(const memory::Target &target, const StoredValue &stored,
                      llvm::Instruction *at, const llvm::Instruction &origin) {
  auto violation = [&](ViolationKind kind) { return violationBlock(kind, target, origin); };
  auto wrapped = [&] {
    return addGuess(origin, "a number that may have wrapped before the store, which optimised "
                            "code does not show (give the C file, or IR compiled with -g -O0)");
  };
  if (const auto &discipline = target.variable->shared->discipline) {
    if (!options_.locks.empty()) { // no lock can be held
      llvm::BasicBlock *before = at->getParent();
      llvm::BasicBlock *after = llvm::SplitBlock(before, at);
      before->getTerminator()->eraseFromParent();
      llvm::IRBuilder<> builder(before);
      builder.CreateCondBr(builder.getTrue(), violation(ViolationKind::Guard), after);
      return;
    }
    needLock(discipline->by.text, target, at, origin);
  }
  if (memory_.isNeverWritten(*target.variable) && sections_.inside(origin))
    requireUnchanged(target, stored, at, origin);
  StoreCheckResult checked =
      checkStore(*target.variable, stored, at, origin, {options_.overflow, violation, wrapped});
  if (checked.assumedInType)
    result_.assumptions.insert("stores to " + target.variable->variable().name() +
                               " do not overflow its C type");
  if (checked.takenByForm) // such a store has a line
    result_.assumptions.insert("the IR of '" +
                               origin.getDebugLoc()->getScope()->getSubprogram()->getName().str() +
                               "' was not optimised (it has no optnone; recognised by its form)");
}

/// A section that puts the value back has changed it all the same.
void Rewriter::requireUnchanged(const memory::Target &target, const StoredValue &stored,
                                llvm::Instruction *at, const llvm::Instruction &origin) {
  auto *write = llvm::cast<llvm::StoreInst>(at);
  llvm::IRBuilder<> builder(write);
  llvm::Value *old = builder.CreateLoad(stored.value->getType(), write->getPointerOperand());
  llvm::Value *changed =
      target.variable->isTruth()
          ? builder.CreateICmpNE(builder.CreateIsNull(old), builder.CreateIsNull(stored.value))
          : builder.CreateICmpNE(old, stored.value);
  llvm::BasicBlock *before = write->getParent();
  llvm::BasicBlock *after = llvm::SplitBlock(before, write);
  before->getTerminator()->eraseFromParent();
  llvm::IRBuilder<>(before).CreateCondBr(
      changed, violationBlock(ViolationKind::Step, target, origin), after);
}

/// What is volatile, or a register, really has any value; other memory has one that is not known.
llvm::Value *Rewriter::unnamedValue(llvm::Instruction &read, llvm::Type *type,
                                    const memory::Target &target) {
  llvm::IRBuilder<> builder(&read);
  if (target.kind == memory::Target::Kind::Device || (read.isVolatile() && !target.isPrivate) ||
      target.isAnything)
    return arbitrary(builder, type);
  return guess(builder, type, addGuess(read, target.what));
}

/// An element of a constant table: one of its values, by the index. Null: something else.
llvm::Value *Rewriter::tableValue(llvm::LoadInst &load, const llvm::GlobalVariable &table) {
  constexpr int64_t most = 256; // elements
  const llvm::DataLayout &layout = load.getModule()->getDataLayout();
  llvm::Value *base = load.getPointerOperand();
  if (auto *constant = llvm::dyn_cast<llvm::Constant>(base))
    return llvm::ConstantFoldLoadFromConstPtr(constant, load.getType(), layout);
  const unsigned width = layout.getIndexTypeSizeInBits(base->getType());
  llvm::APInt offset(width, 0);
  llvm::MapVector<llvm::Value *, llvm::APInt> variables;
  while (auto *step = llvm::dyn_cast<llvm::GEPOperator>(base)) {
    if (!step->collectOffset(layout, width, variables, offset))
      return nullptr;
    base = step->getPointerOperand();
  }
  if (base != &table || variables.size() != 1 || !load.getType()->isIntegerTy())
    return nullptr;
  const auto &[index, scale] = *variables.begin();
  const int64_t size = scale.getSExtValue();
  const auto whole = static_cast<int64_t>(layout.getTypeAllocSize(table.getValueType()));
  if (size <= 0 || whole % size != 0 || whole / size > most || offset.isNegative() ||
      offset.getSExtValue() >= size)
    return nullptr;
  llvm::IRBuilder<> builder(&load);
  llvm::Value *number = builder.CreateSExtOrTrunc(index, builder.getInt64Ty());
  llvm::Value *result = nullptr;
  for (int64_t i = 0; i < whole / size; ++i) {
    llvm::APInt at(width, static_cast<uint64_t>(i * size + offset.getSExtValue()));
    llvm::Constant *value = llvm::ConstantFoldLoadFromConst(
        const_cast<llvm::Constant *>(table.getInitializer()), load.getType(), at, layout);
    if (!llvm::isa_and_nonnull<llvm::ConstantInt>(value))
      return nullptr;
    result = result == nullptr
                 ? value
                 : builder.CreateSelect(
                       builder.CreateICmpEQ(number, builder.getInt64(static_cast<uint64_t>(i))),
                       value, result);
  }
  assumeInside(builder, number, static_cast<uint64_t>(whole / size),
               addPlace(PlaceKind::Index, load, ""));
  return result;
}

void Rewriter::load(llvm::LoadInst &load) {
  memory::Target found = target(load, load.getPointerOperand(), load.getType());
  requireIndivisible(load, found, load.getAlign());
  if (found.kind == memory::Target::Kind::Local)
    return;
  if (found.kind != memory::Target::Kind::Named) {
    llvm::Value *value = found.constant != nullptr && !load.isVolatile()
                             ? tableValue(load, *found.constant)
                             : nullptr;
    replaceBy(load, value != nullptr ? value : unnamedValue(load, load.getType(), found));
    return;
  }
  llvm::IRBuilder<> builder(&load);
  llvm::LoadInst *read = builder.CreateLoad(load.getType(), address(builder, found));
  if (memory_.isNeverWritten(*found.variable)) {
    replaceBy(load, neverWrittenValue(builder, *read, *found.variable));
    return;
  }
  step(*read, *read, found, load, "read", load.getOrdering());
  load.replaceAllUsesWith(read);
  load.eraseFromParent();
}

/// Others may store another number that is true.
llvm::Value *Rewriter::neverWrittenValue(llvm::IRBuilder<> &builder, llvm::LoadInst &read,
                                         const memory::BoundVariable &variable) {
  if (!variable.isTruth() || variable.isBool)
    return &read;
  llvm::Value *any = arbitrary(builder, read.getType());
  assume(builder, builder.CreateICmpEQ(builder.CreateIsNull(any), builder.CreateIsNull(&read)));
  return any;
}

void Rewriter::store(llvm::StoreInst &store) {
  llvm::Value *value = store.getValueOperand();
  memory::Target found = target(store, store.getPointerOperand(), value->getType());
  requireIndivisible(store, found, store.getAlign());
  if (found.kind == memory::Target::Kind::Local)
    return;
  if (found.kind == memory::Target::Kind::Named) {
    llvm::IRBuilder<> builder(&store);
    llvm::Value *place = address(builder, found);
    llvm::StoreInst *write = builder.CreateStore(value, place);
    step(*write, *write, found, store, "write", store.getOrdering());
    checks(found, {value, {}, nullptr, nullptr}, write, store);
  }
  store.eraseFromParent();
}

void Rewriter::modify(llvm::AtomicRMWInst &modify) {
  memory::Target found = target(modify, modify.getPointerOperand(), modify.getType());
  if (found.kind != memory::Target::Kind::Named && found.kind != memory::Target::Kind::Local) {
    replaceBy(modify, unnamedValue(modify, modify.getType(), found));
    return;
  }
  if (modify.isFloatingPointOperation())
    throw logic::Unsupported("floating-point atomics are not supported", sources_.range(modify));
  llvm::IRBuilder<> builder(&modify);
  bool named = found.kind == memory::Target::Kind::Named;
  llvm::Value *place = named ? address(builder, found) : modify.getPointerOperand();
  llvm::LoadInst *old = builder.CreateLoad(modify.getType(), place);
  llvm::Value *operand = modify.getValOperand();
  llvm::Value *value = llvm::buildAtomicRMWValue(modify.getOperation(), builder, old, operand);
  llvm::StoreInst *write = builder.CreateStore(value, place);
  if (named) {
    step(*old, *write, found, modify, "update", modify.getOrdering());
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
  memory::Target found = target(exchange, exchange.getPointerOperand(), type);
  if (found.kind != memory::Target::Kind::Named && found.kind != memory::Target::Kind::Local) {
    llvm::Value *value = unnamedValue(exchange, type, found);
    replacePair(exchange, value,
                unnamedValue(exchange, llvm::Type::getInt1Ty(exchange.getContext()), found));
    exchange.eraseFromParent();
    return;
  }
  llvm::IRBuilder<> builder(&exchange);
  bool named = found.kind == memory::Target::Kind::Named;
  llvm::Value *place = named ? address(builder, found) : exchange.getPointerOperand();
  llvm::LoadInst *old = builder.CreateLoad(type, place);
  llvm::Value *equal = builder.CreateICmpEQ(old, exchange.getCompareOperand());
  if (exchange.isWeak()) // may fail for no reason
    equal = builder.CreateAnd(equal, arbitrary(builder, builder.getInt1Ty()));
  auto *last = llvm::cast<llvm::Instruction>(equal);
  if (named)
    step(*old, *last, found, exchange, "update", orderingOf(exchange));
  // The store happens only on success, and only then has obligations.
  llvm::Instruction *then = llvm::SplitBlockAndInsertIfThen(equal, last->getNextNode(), false);
  llvm::IRBuilder<> inside(then);
  llvm::StoreInst *write = inside.CreateStore(exchange.getNewValOperand(), place);
  if (named)
    checks(found, {exchange.getNewValOperand(), {}, nullptr, nullptr}, write, exchange);
  replacePair(exchange, old, equal);
  exchange.eraseFromParent();
}

} // namespace understudy::passes::lower
