// SPDX-License-Identifier: Apache-2.0
#include "passes/LowerCalls.h"

#include "logic/Error.h"
#include "passes/Library.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace understudy::passes {

namespace {

llvm::Function *calleeOf(const llvm::CallBase &call) {
  return llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
}

bool isOutside(const llvm::CallBase &call) {
  const llvm::Function *callee = calleeOf(call);
  return callee != nullptr && !callee->isIntrinsic() && callee->isDeclaration() &&
         knownFunction(sourceName(*callee)) == Known::None;
}

} // namespace

LowerCalls::LowerCalls(Rewriter &rewriter) : rewriter_(rewriter) {
  for (llvm::Instruction &instruction : llvm::instructions(*rewriter.result().function)) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || !isOutside(*call))
      continue;
    for (llvm::Value *argument : call->args())
      if (argument->getType()->isPointerTy())
        for (llvm::AllocaInst *local : Memory::locals(argument))
          if (std::find(seenOutside_.begin(), seenOutside_.end(), local) == seenOutside_.end())
            seenOutside_.push_back(local);
  }
}

logic::SourceRange LowerCalls::range(const llvm::Instruction &instruction) {
  return rewriter_.sources().range(instruction);
}

void LowerCalls::rewrite(llvm::CallBase &call) {
  if (const auto *assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand())) {
    // An empty one is a barrier for the compiler.
    if (!assembly->getAsmString().empty() || !call.getType()->isVoidTy())
      throw logic::Unsupported("inline assembly is not supported", range(call));
    call.eraseFromParent();
    return;
  }
  const llvm::Function *callee = calleeOf(call);
  if (callee == nullptr)
    throw logic::Unsupported("a call through a function pointer is not supported", range(call));
  if (callee->isIntrinsic()) {
    intrinsic(call);
    return;
  }
  std::string name = sourceName(*callee);
  if (knownFunction(name) == Known::None)
    outside(call, name);
  else
    known(call, name);
}

void LowerCalls::known(llvm::CallBase &call, const std::string &name) {
  switch (knownFunction(name)) {
  case Known::Nondet:
    return;
  case Known::Assume:
    assumption(call);
    return;
  case Known::AssertFail:
    assertion(call);
    return;
  case Known::EndsRun:
    Rewriter::endRun(call);
    return;
  case Known::ThreadExit:
    returns(call);
    return;
  case Known::AtomicBegin:
  case Known::AtomicEnd:
    section(call, name);
    return;
  case Known::Marker:
    marker(call);
    return;
  case Known::AtomicFunction:
    throw logic::Unsupported("the body of " + name + " is not known", range(call));
  case Known::Refused:
    throw logic::Unsupported("call of " + name + ": " + whyRefused(name), range(call));
  case Known::None:
    return;
  }
}

void LowerCalls::assumption(llvm::CallBase &call) {
  if (rewriter_.sections().inside(call))
    rejectLateBlocking(call);
  llvm::IRBuilder<> builder(&call);
  llvm::Value *argument = call.getArgOperand(0);
  assume(builder,
         builder.CreateICmpNE(argument, llvm::Constant::getNullValue(argument->getType())));
  call.eraseFromParent();
}

/// An atomic section may block only at its start: once it has written, it runs to its end.
void LowerCalls::rejectLateBlocking(llvm::CallBase &call) {
  std::set<const llvm::BasicBlock *> seen;
  std::vector<const llvm::Instruction *> work{&call};
  while (!work.empty()) {
    const llvm::Instruction *at = work.back();
    work.pop_back();
    const llvm::BasicBlock *block = at->getParent();
    bool begun = false;
    for (const llvm::Instruction *i = at->getPrevNode(); i != nullptr && !begun;
         i = i->getPrevNode()) {
      const auto *inner = llvm::dyn_cast<llvm::CallBase>(i);
      const llvm::Function *callee = inner != nullptr ? calleeOf(*inner) : nullptr;
      begun = callee != nullptr && callee->getName() == names::stepBegin;
      const auto *store = llvm::dyn_cast<llvm::StoreInst>(i);
      bool updates = llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(i);
      if (updates || (store != nullptr && llvm::isa<llvm::GlobalVariable>(llvm::getUnderlyingObject(
                                              store->getPointerOperand()))))
        throw logic::Unsupported("an atomic section waits after it has written", range(call));
    }
    if (begun)
      continue;
    for (const llvm::BasicBlock *before : llvm::predecessors(block))
      if (seen.insert(before).second)
        work.push_back(before->getTerminator());
  }
}

void LowerCalls::assertion(llvm::CallBase &call) {
  bool atomic = rewriter_.sections().inside(call);
  ++rewriter_.result().assertions;
  uint32_t id =
      rewriter_.addPlace(atomic ? PlaceKind::AtomicAssertion : PlaceKind::Assertion, call);
  llvm::IRBuilder<> builder(&call);
  callWithId(builder, names::assertFail, id)->setDebugLoc(call.getDebugLoc());
  Rewriter::endRun(call);
}

void LowerCalls::section(llvm::CallBase &call, const std::string &name) {
  if (const llvm::Instruction *begin = rewriter_.sections().beginOf(call)) {
    Lowered &result = rewriter_.result();
    auto [entry, isNew] = sectionIds_.emplace(begin, 0);
    if (isNew) {
      ++result.steps;
      entry->second = rewriter_.addPlace(PlaceKind::Step, *begin);
      result.places[entry->second].text = "atomic section";
    }
    bool begins = knownFunction(name) == Known::AtomicBegin;
    llvm::IRBuilder<> builder(&call);
    callWithId(builder, begins ? names::stepBegin : names::stepEnd, entry->second)
        ->setDebugLoc(call.getDebugLoc());
    if (begins) {
      finished_.push_back(&call); // its address stays the name of the section
      return;
    }
  }
  call.eraseFromParent();
}

void LowerCalls::finish() {
  for (llvm::CallBase *call : finished_)
    call->eraseFromParent();
}

void LowerCalls::marker(llvm::CallBase &call) {
  llvm::StringRef state;
  if (!llvm::getConstantStringInfo(call.getArgOperand(0), state))
    throw logic::Unsupported("UNDERSTUDY_AT needs the name of a state", range(call));
  if (rewriter_.sections().inside(call))
    throw logic::Unsupported("UNDERSTUDY_AT inside an atomic section", range(call));
  ++rewriter_.result().markers;
  uint32_t id = rewriter_.addPlace(PlaceKind::Marker, call, state.str());
  llvm::IRBuilder<> builder(&call);
  callWithId(builder, names::at, id)->setDebugLoc(call.getDebugLoc());
  call.eraseFromParent();
}

void LowerCalls::returns(llvm::CallBase &call) {
  llvm::BasicBlock *block = call.getParent();
  llvm::LLVMContext &context = block->getContext();
  Rewriter::endRun(call);
  block->getTerminator()->eraseFromParent();
  llvm::ReturnInst::Create(context, block);
}

void LowerCalls::intrinsic(llvm::CallBase &call) {
  switch (calleeOf(call)->getIntrinsicID()) {
  case llvm::Intrinsic::trap:
  case llvm::Intrinsic::ubsantrap:
  case llvm::Intrinsic::debugtrap:
    Rewriter::endRun(call);
    return;
  case llvm::Intrinsic::memcpy:
  case llvm::Intrinsic::memmove:
  case llvm::Intrinsic::memset:
  case llvm::Intrinsic::memcpy_inline:
  case llvm::Intrinsic::memset_inline:
    copy(call);
    return;
  case llvm::Intrinsic::assume:
  case llvm::Intrinsic::lifetime_start:
  case llvm::Intrinsic::lifetime_end:
  case llvm::Intrinsic::stacksave:
  case llvm::Intrinsic::stackrestore:
  case llvm::Intrinsic::prefetch:
  case llvm::Intrinsic::experimental_noalias_scope_decl:
    if (call.use_empty())
      call.eraseFromParent();
    return;
  case llvm::Intrinsic::vastart:
  case llvm::Intrinsic::vacopy:
    throw logic::Unsupported("variable argument lists are not supported", range(call));
  default:
    // Arithmetic is for the encoder; what touches memory must not be overlooked.
    if (call.mayReadOrWriteMemory() && !llvm::isa<llvm::DbgInfoIntrinsic>(call))
      throw logic::Unsupported("the operation " + calleeOf(call)->getName().str() +
                                   " on memory is not supported",
                               range(call));
  }
}

void LowerCalls::copy(llvm::CallBase &call) {
  auto *operation = llvm::cast<llvm::MemIntrinsic>(&call);
  std::vector<llvm::Value *> pointers{operation->getRawDest()};
  if (auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(operation))
    pointers.push_back(transfer->getRawSource());
  for (llvm::Value *pointer : pointers)
    if (const BoundVariable *variable = rewriter_.memory().mayReach(pointer))
      throw logic::Unsupported("memory that may hold '" + variable->variable().name() +
                                   "' is copied or set as a whole",
                               range(call));
  for (llvm::AllocaInst *local : Memory::locals(operation->getRawDest()))
    if (!Memory::isStored(*local))
      throw logic::Unsupported("a local object is copied or set as a whole and cannot be followed",
                               range(call));
  call.eraseFromParent();
}

void LowerCalls::outside(llvm::CallBase &call, const std::string &name) {
  for (llvm::Value *argument : call.args())
    if (argument->getType()->isPointerTy())
      if (const BoundVariable *variable = rewriter_.memory().mayLeadTo(argument))
        throw logic::Unsupported("'" + variable->variable().name() +
                                     "' can be reached through an argument of " + name +
                                     ", whose body is not known",
                                 range(call));
  Lowered &result = rewriter_.result();
  result.assumptions.insert(name +
                            " performs no thread operation, calls nothing back and writes no "
                            "named variable (its body is not known)");
  llvm::IRBuilder<> builder(&call);
  bool step = rewriter_.options().actions.contains(name);
  if (step && rewriter_.sections().inside(call))
    throw logic::Unsupported("a call that is an action of the contract inside an atomic section",
                             range(call));
  if (step) {
    ++result.steps;
    uint32_t id = rewriter_.addPlace(PlaceKind::Step, call);
    result.places[id].action = "call " + name;
    callWithId(builder, names::stepBegin, id)->setDebugLoc(call.getDebugLoc());
    callWithId(builder, names::stepEnd, id)->setDebugLoc(call.getDebugLoc());
  }
  for (llvm::AllocaInst *local : seenOutside_)
    if (!Memory::isStored(*local))
      forget(builder, local, local->getAllocatedType());
  if (call.doesNotReturn()) {
    Rewriter::endRun(call);
    return;
  }
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(arbitrary(builder, call.getType()));
  call.eraseFromParent();
}

/// The object, element by element, becomes arbitrary.
void LowerCalls::forget(llvm::IRBuilder<> &builder, llvm::Value *address, llvm::Type *type) {
  bool isStruct = type->isStructTy();
  if (!isStruct && !type->isArrayTy()) {
    builder.CreateStore(arbitrary(builder, type), address);
    return;
  }
  uint64_t count = isStruct ? type->getStructNumElements() : type->getArrayNumElements();
  if (count > 64)
    throw logic::Unsupported("a large local object is handed to a function without body",
                             range(*builder.GetInsertPoint()));
  for (uint64_t i = 0; i < count; ++i) {
    auto *element = isStruct ? type->getStructElementType(static_cast<unsigned>(i))
                             : type->getArrayElementType();
    forget(builder,
           builder.CreateInBoundsGEP(
               type, address, {builder.getInt32(0), builder.getInt32(static_cast<uint32_t>(i))}),
           element);
  }
}

} // namespace understudy::passes
