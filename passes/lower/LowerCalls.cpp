// SPDX-License-Identifier: Apache-2.0
#include "passes/lower/LowerCalls.h"

#include "logic/Error.h"
#include "passes/lower/Callbacks.h"
#include "passes/lower/KnownFunctions.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <set>

namespace understudy::passes::lower {

logic::SourceRange LowerCalls::range(const llvm::Instruction &instruction) {
  return rewriter_.sources().range(instruction);
}

void LowerCalls::rewrite(llvm::CallBase &call) {
  if (call.isInlineAsm()) {
    assembly(call);
    return;
  }
  const llvm::Function *callee = calleeOf(call);
  if (callee == nullptr)
    throw logic::Unsupported("a call through a function pointer is not supported", range(call));
  if (callee->getName().starts_with(names::action)) {
    action(call, callee->getName().substr(llvm::StringRef(names::action).size()).str());
    call.eraseFromParent();
    return;
  }
  if (callee->getName().starts_with(names::ownCopy)) {
    ownCopy(call);
    return;
  }
  if (const KnownFunction *row = findKnown(*callee))
    known(call, *row, memory::sourceName(*callee));
  else if (callee->isIntrinsic())
    intrinsic(call);
  else if (!callee->isDeclaration())
    throw logic::Unsupported("the call to " + memory::sourceName(*callee) + " cannot be followed",
                             range(call));
  else
    outside(call, memory::sourceName(*callee));
}

namespace {

/// Only barriers, hints and reads of processor registers: instructions that write no memory and go
/// on with the next one.
bool isHarmless(llvm::StringRef text) {
  static const std::set<llvm::StringRef> harmless = {
      "cli", "cpsid", "cpsie", "cpuid",  "dmb", "dsb", "fence",  "hlt", "isb", "lfence", "mfence",
      "nop", "pause", "rdtsc", "rdtscp", "rep", "sev", "sfence", "sti", "wfe", "wfi",    "yield"};
  while (!text.empty()) {
    const size_t end = text.find_first_of(";\n");
    llvm::StringRef instruction = text.substr(0, end).trim(" \t");
    if (!instruction.empty() &&
        !harmless.contains(instruction.take_until([](char c) { return c == ' ' || c == '\t'; })))
      return false;
    text = end == llvm::StringRef::npos ? "" : text.substr(end + 1);
  }
  return true;
}

} // namespace

/// An empty one is a barrier for the compiler; what it hands back was handed in.
void LowerCalls::assembly(llvm::CallBase &call) {
  const auto *text = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  if (!isHarmless(text->getAsmString()) || call.isTerminator())
    throw logic::Unsupported("inline assembly is not supported", range(call));
  for (llvm::Value *argument : call.args())
    if (argument->getType()->isPointerTy())
      if (const memory::BoundVariable *variable = rewriter_.memory().mayReach(argument))
        throw logic::Unsupported("inline assembly with '" + variable->variable().name() +
                                     "' is not supported",
                                 range(call));
  llvm::IRBuilder<> builder(&call);
  auto replace = [&](llvm::Instruction &value) {
    uint32_t id = rewriter_.addGuess(call, "what inline assembly computes");
    value.replaceAllUsesWith(guess(builder, value.getType(), id));
  };
  for (llvm::User *user : llvm::make_early_inc_range(call.users())) // several results
    if (auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(user)) {
      replace(*part);
      part->eraseFromParent();
    }
  if (!call.use_empty())
    replace(call);
  call.eraseFromParent();
}

namespace {

/// A body that does nothing, as that of the marker in understudy.h: nothing is lost without it.
bool isEmpty(const llvm::Function &function) {
  auto isSilent = [](const llvm::Instruction &instruction) {
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    return llvm::isa<llvm::AllocaInst, llvm::DbgInfoIntrinsic, llvm::ReturnInst>(instruction) ||
           (store != nullptr && llvm::isa<llvm::AllocaInst>(store->getPointerOperand()));
  };
  return function.getReturnType()->isVoidTy() && function.size() == 1 &&
         llvm::all_of(function.getEntryBlock(), isSilent);
}

} // namespace

void LowerCalls::known(llvm::CallBase &call, const KnownFunction &row, const std::string &name) {
  if (!fits(row, call))
    throw logic::Unsupported(
        "this call to " + name + " does not fit its signature, " + signatureText(row), range(call));
  if (row.body == Body::Replaced && !calleeOf(call)->isDeclaration() && !isEmpty(*calleeOf(call)))
    rewriter_.result().assumptions.insert(
        name + " has its predefined meaning; the body in the code is ignored");
  switch (row.meaning) {
  case Known::Nondet:
    replaceByInput(call);
    return;
  case Known::NondetMemory:
    copies_.nondetMemory(call);
    return;
  case Known::Assume:
    assumption(call);
    return;
  case Known::Assert:
    claim(call);
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
    section(call, row.meaning);
    return;
  case Known::Marker:
    marker(call);
    return;
  case Known::Computes:
    computation(call, name);
    return;
  case Known::MayBeConstant:
    constantQuestion(call, name);
    return;
  case Known::Lock:
  case Known::TryLock:
    locks_.rewrite(call, name);
    return;
  case Known::AtomicFunction:
    throw logic::Unsupported("the body of " + name + " is not available", range(call));
  case Known::Refused:
    throw logic::Unsupported("call to " + name + ": " + std::string(row.why), range(call));
  case Known::None:
    return;
  }
}

/// Whether the compiler makes a call of a copy is not known, and what would follow is not followed:
/// nothing conforms here, and a violation elsewhere is one.
void LowerCalls::ownCopy(llvm::CallBase &call) {
  std::string deed =
      deedOfOwnCopy(rewriter_.result(), call, rewriter_.memory(), rewriter_.options());
  if (!deed.empty()) {
    uint32_t id = rewriter_.addGuess(call, deed);
    rewriter_.result().places[id].how = "made by the compiler";
    llvm::IRBuilder<> builder(&call);
    llvm::Value *isCalled = arbitrary(builder, builder.getInt1Ty());
    llvm::IRBuilder<> failing(llvm::SplitBlockAndInsertIfThen(isCalled, &call, true));
    assume(failing, guess(failing, failing.getInt1Ty(), id));
    callWithId(failing, names::violation, id)->setDebugLoc(call.getDebugLoc());
  }
  call.eraseFromParent();
}

void LowerCalls::replaceByInput(llvm::CallBase &call) {
  bool isUnsigned = call.getCalledOperand()->getName().contains("_u") ||
                    call.getCalledOperand()->getName().contains("size_t");
  llvm::IRBuilder<> builder(&call);
  call.replaceAllUsesWith(
      arbitrary(builder, call.getType(), isUnsigned ? Sign::Unsigned : Sign::Signed));
  call.eraseFromParent();
}

/// What it computes follows from memory that is not modelled, so it is not just any value.
void LowerCalls::computation(llvm::CallBase &call, const std::string &name) {
  for (llvm::Value *argument : call.args())
    if (argument->getType()->isPointerTy())
      if (const memory::BoundVariable *variable = rewriter_.memory().mayReach(argument))
        throw logic::Unsupported(name + " reads memory that may hold '" +
                                     variable->variable().name() + "'",
                                 range(call));
  notModelled(call, name);
}

void LowerCalls::notModelled(llvm::CallBase &call, const std::string &name) {
  if (!call.use_empty()) {
    llvm::IRBuilder<> builder(&call);
    call.replaceAllUsesWith(
        guess(builder, call.getType(), rewriter_.addGuess(call, "what " + name + " returns")));
  }
  call.eraseFromParent();
}

/// No is an answer that some compiler gives; whether any says yes is not known.
void LowerCalls::constantQuestion(llvm::CallBase &call, const std::string &name) {
  llvm::IRBuilder<> builder(&call);
  llvm::Value *answer = arbitrary(builder, call.getType());
  const uint32_t id = rewriter_.addGuess(call, "what " + name + " returns");
  llvm::IRBuilder<> yes(llvm::SplitBlockAndInsertIfThen(answer, &call, false));
  assume(yes, guess(yes, yes.getInt1Ty(), id));
  call.replaceAllUsesWith(answer);
  call.eraseFromParent();
}

/// `__VERIFIER_assert(e)` is `if (!e) reach_error()`.
void LowerCalls::claim(llvm::CallBase &call) {
  llvm::IRBuilder<> builder(&call);
  llvm::Value *argument = call.getArgOperand(0);
  llvm::Value *fails =
      builder.CreateICmpEQ(argument, llvm::Constant::getNullValue(argument->getType()));
  llvm::Instruction *end = llvm::SplitBlockAndInsertIfThen(fails, &call, true);
  uint32_t id = addAssertion(call);
  llvm::IRBuilder<> failing(end);
  callWithId(failing, names::assertFail, id)->setDebugLoc(call.getDebugLoc());
  call.eraseFromParent();
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
        throw logic::Unsupported("an atomic section cannot wait after it has written", range(call));
    }
    if (begun)
      continue;
    for (const llvm::BasicBlock *before : llvm::predecessors(block))
      if (seen.insert(before).second)
        work.push_back(before->getTerminator());
  }
}

void LowerCalls::assertion(llvm::CallBase &call) {
  uint32_t id = addAssertion(call);
  llvm::IRBuilder<> builder(&call);
  callWithId(builder, names::assertFail, id)->setDebugLoc(call.getDebugLoc());
  Rewriter::endRun(call);
}

uint32_t LowerCalls::addAssertion(const llvm::CallBase &call) {
  bool atomic = rewriter_.sections().inside(call);
  ++rewriter_.result().assertions;
  return rewriter_.addPlace(atomic ? PlaceKind::AtomicAssertion : PlaceKind::Assertion, call);
}

void LowerCalls::section(llvm::CallBase &call, Known border) {
  if (const llvm::Instruction *begin = rewriter_.sections().beginOf(call)) {
    Lowered &result = rewriter_.result();
    auto [entry, isNew] = sectionIds_.emplace(begin, 0);
    if (isNew) {
      ++result.steps;
      entry->second = rewriter_.addPlace(PlaceKind::Step, *begin);
      result.places[entry->second].text = "atomic section";
    }
    bool begins = border == Known::AtomicBegin;
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
    throw logic::Unsupported("UNDERSTUDY_AT is not supported inside an atomic section",
                             range(call));
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
  case llvm::Intrinsic::memcpy:
  case llvm::Intrinsic::memmove:
  case llvm::Intrinsic::memset:
  case llvm::Intrinsic::memcpy_inline:
  case llvm::Intrinsic::memset_inline:
    copies_.copy(llvm::cast<llvm::MemIntrinsic>(call));
    return;
  case llvm::Intrinsic::stacksave:
  case llvm::Intrinsic::stackrestore:
    if (!call.use_empty())
      call.replaceAllUsesWith(llvm::PoisonValue::get(call.getType()));
    call.eraseFromParent();
    return;
  case llvm::Intrinsic::assume:
  case llvm::Intrinsic::lifetime_start:
  case llvm::Intrinsic::lifetime_end:
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

void LowerCalls::action(llvm::CallBase &call, const std::string &name) {
  if (rewriter_.sections().inside(call))
    throw logic::Unsupported(
        "a call that is an action of the contract is not supported inside an atomic section",
        range(call));
  Lowered &result = rewriter_.result();
  ++result.steps;
  uint32_t id = rewriter_.addPlace(PlaceKind::Step, call);
  result.places[id].action = "call " + name;
  llvm::IRBuilder<> builder(&call);
  callWithId(builder, names::stepBegin, id)->setDebugLoc(call.getDebugLoc());
  callWithId(builder, names::stepEnd, id)->setDebugLoc(call.getDebugLoc());
}

void LowerCalls::requireNoLock(const llvm::Instruction &instruction) {
  if (const llvm::Value *pointer = memory::writtenBy(instruction))
    requireNoLock(pointer, instruction, "is written to");
}

/// Only operations of the thread library may use a lock of the contract.
void LowerCalls::requireNoLock(const llvm::Value *pointer, const llvm::Instruction &at,
                               const std::string &what) {
  if (!pointer->getType()->isPointerTy())
    return;
  if (const memory::BoundLock *lock = rewriter_.memory().mayReachLock(pointer))
    throw logic::Unsupported("memory that may hold '" + lock->lock->name +
                                 "', a lock of the contract, " + what,
                             range(at));
}

/// A function without body. What its arguments lead to has escaped: it reads as any value.
void LowerCalls::outside(llvm::CallBase &call, const std::string &name) {
  for (llvm::Value *argument : call.args())
    if (argument->getType()->isPointerTy())
      if (const memory::BoundVariable *variable = rewriter_.memory().mayLeadTo(argument))
        throw logic::Unsupported("'" + variable->variable().name() +
                                     "' can be reached through an argument of " + name +
                                     ", whose body is not available",
                                 range(call));
  for (llvm::Value *argument : call.args())
    requireNoLock(argument, call, "is passed to " + name + ", whose body is not available");
  Lowered &result = rewriter_.result();
  result.assumptions.insert(assumedOf(name, callbacks_[name]));
  if (rewriter_.options().actions.contains(name))
    action(call, name);
  if (call.doesNotReturn()) {
    result.assumptions.insert(
        "a call to " + name +
        " ends the run and is not a failed assertion (if it is: --assert-hook " + name + ")");
    Rewriter::endRun(call);
    return;
  }
  llvm::IRBuilder<> builder(&call);
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(arbitrary(builder, call.getType()));
  call.eraseFromParent();
}

} // namespace understudy::passes::lower
