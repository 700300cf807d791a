// SPDX-License-Identifier: Apache-2.0
//
// All callees of a thread, inlined.
//
// The problem: a callback is called through a pointer that lies in a struct of the caller, so which
// function it is turns out only when its caller is inlined and the struct has become registers. The
// idea: inline what is known, promote locals, read constant tables, and begin again with the calls
// that are known now. Invariant: `calls_` holds every call of the result that may still have to be
// entered, with the functions that it lies in; a call of one of those is recursion.
#include "passes/lower/Inline.h"

#include "logic/Error.h"
#include "passes/lower/Arbitrary.h"
#include "passes/lower/CallChoices.h"
#include "passes/lower/KnownFunctions.h"
#include "passes/lower/Poison.h"
#include "passes/lower/StepForm.h"
#include "passes/lower/StoredSums.h"
#include "passes/memory/Binding.h"
#include "passes/read/Module.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/CallPromotionUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

namespace understudy::passes::lower {

namespace {

constexpr size_t maxInstructions = 400'000;
/// A recursion whose arguments are constants ends by itself: inlining drops what cannot be reached.
constexpr size_t maxRounds = 8;

/// The function with a body that a call enters, unless the table gives it another meaning.
llvm::Function *inlinable(const llvm::CallBase &call) {
  llvm::Function *callee = calleeOf(call);
  if (callee == nullptr || callee->isDeclaration() || callee->isIntrinsic())
    return nullptr;
  const KnownFunction *known = findKnown(*callee);
  return known == nullptr || known->body == Body::Needed ? callee : nullptr;
}

/// The functions that a call lies in, the innermost first.
struct Stack {
  const llvm::Function *function;
  std::shared_ptr<const Stack> caller;
};
using StackPtr = std::shared_ptr<const Stack>;

struct OpenCall {
  llvm::WeakVH call; ///< null if it was removed
  StackPtr stack;
};

constexpr const char *note = "understudy.note";

class Inliner {
public:
  Inliner(llvm::Function &thread, const std::string &name, read::SourceMap &sources,
          const InlineOptions &options)
      : thread_(thread), module_(*thread.getParent()), sources_(sources), options_(options) {
    auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(module_.getContext()), false);
    result_.function = llvm::Function::Create(type, llvm::Function::InternalLinkage, name, module_);
    result_.function->setDSOLocal(true);
  }

  Inlined run() {
    try {
      callThread();
      do {
        read::promoteLocals(*result_.function);
        readStoredPointers(*result_.function);
        readConstantPointers();
        takeApartAggregates();
      } while (enterCalls() || chooseTargets(*result_.function));
      endCopies(*result_.function);
      llvm::EliminateUnreachableBlocks(*result_.function);
      findDropped();
    } catch (...) {
      result_.function->eraseFromParent();
      eraseNotes();
      throw;
    }
    eraseNotes();
    return std::move(result_);
  }

private:
  llvm::Function &thread_;
  llvm::Module &module_;
  read::SourceMap &sources_;
  const InlineOptions &options_;
  Inlined result_;
  size_t instructions_ = 0; ///< of all functions entered, before anything was removed
  std::vector<OpenCall> calls_;
  std::set<const llvm::Function *> viable_; ///< functions that were found fit for inlining
  std::set<const llvm::Function *> noted_;
  std::vector<llvm::CallInst *> notes_; ///< in the functions that are inlined

  void callThread() {
    llvm::IRBuilder<> builder(
        llvm::BasicBlock::Create(module_.getContext(), "entry", result_.function));
    describe(builder);
    std::vector<llvm::Value *> arguments;
    for (const llvm::Argument &argument : thread_.args())
      arguments.push_back(arbitrary(builder, argument.getType()));
    llvm::CallInst *call = builder.CreateCall(&thread_, arguments);
    builder.CreateRetVoid();
    enter(*call, thread_, nullptr);
  }

  /// Debug information of its own for the result: without, inlining drops what is known of locals.
  void describe(llvm::IRBuilder<> &builder) {
    llvm::DISubprogram *described = thread_.getSubprogram();
    if (described == nullptr)
      return;
    auto *own = llvm::MDNode::replaceWithDistinct(described->clone());
    result_.function->setSubprogram(own);
    builder.SetCurrentDebugLocation(
        llvm::DILocation::get(module_.getContext(), own->getLine(), 0, own));
  }

  /// False: there was none to enter.
  bool enterCalls() {
    bool entered = false;
    for (size_t i = 0; i < calls_.size(); ++i) { // grows on the way
      auto *call = llvm::cast_or_null<llvm::CallBase>(static_cast<llvm::Value *>(calls_[i].call));
      StackPtr stack = calls_[i].stack;
      if (call != nullptr && calleeOf(*call) == nullptr && !call->isInlineAsm())
        for (llvm::CallBase *choice : chooseCallee(*call)) {
          calls_.push_back({llvm::WeakVH(choice), stack});
          entered = true;
        }
      call = llvm::cast_or_null<llvm::CallBase>(static_cast<llvm::Value *>(calls_[i].call));
      llvm::Function *callee = call != nullptr ? inlinable(*call) : nullptr;
      if (callee == nullptr)
        continue;
      entered = true;
      calls_[i].call = nullptr;
      enter(*call, *callee, stack);
    }
    std::erase_if(calls_, [](const OpenCall &open) { return !open.call; });
    return entered;
  }

  void enter(llvm::CallBase &call, llvm::Function &callee, const StackPtr &stack) {
    logic::SourceRange range = sources_.range(call);
    rejectRecursion(callee, stack, range);
    rejectConstructs(callee);
    noteWeakness(call, callee);
    result_.asWritten = result_.asWritten && isAsWritten(callee);
    llvm::CallBase &entered = withTypeOf(callee, call, range);
    if (options_.actions.contains(memory::sourceName(callee)))
      announce(entered, memory::sourceName(callee));
    if (meaningOf(callee) == Known::AtomicFunction)
      encloseAtomic(entered);
    noteClaims(callee);
    llvm::InlineFunctionInfo info;
    llvm::InlineResult done = llvm::InlineFunction(entered, info);
    if (!done.isSuccess())
      throw logic::Unsupported("the call to " + memory::sourceName(callee) +
                                   " cannot be followed: " + done.getFailureReason(),
                               range);
    auto inner = std::make_shared<const Stack>(Stack{&callee, stack});
    for (llvm::CallBase *site : info.InlinedCallSites)
      calls_.push_back({llvm::WeakVH(site), inner});
    instructions_ += callee.getInstructionCount();
    if (instructions_ > maxInstructions)
      throw logic::Unsupported("the function, with everything that it calls, is too large", range);
  }

  /// Notes where steps are done, and where assertions are evaluated: the failing branch of an
  /// assertion may go, and it may still hold.
  void noteClaims(llvm::Function &callee) {
    if (!noted_.insert(&callee).second)
      return;
    std::vector<std::pair<llvm::Instruction *, llvm::Instruction *>> places; // of the note, of what
    for (llvm::Instruction &instruction : llvm::instructions(callee)) {
      if (!instruction.getDebugLoc())
        continue;
      const llvm::Value *pointer = accessedBy(instruction);
      if (pointer != nullptr && options_.isStep && options_.isStep(pointer))
        places.emplace_back(&instruction, &instruction);
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function *claimed = call != nullptr ? calleeOf(*call) : nullptr;
      const Known meaning = claimed != nullptr ? meaningOf(*claimed) : Known::None;
      if (meaning != Known::AssertFail && meaning != Known::Assert && meaning != Known::Marker)
        continue;
      places.emplace_back(call, call);
      if (meaning == Known::AssertFail)
        for (llvm::BasicBlock *before : llvm::predecessors(call->getParent()))
          places.emplace_back(before->getTerminator(), call);
      result_.isSilent = false;
    }
    auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(module_.getContext()), false);
    for (auto [at, noted] : places) {
      llvm::IRBuilder<> builder(at);
      builder.SetCurrentDebugLocation(noted->getDebugLoc());
      notes_.push_back(builder.CreateCall(ownFunction(module_, note, type)));
    }
  }

  static const llvm::Value *accessedBy(const llvm::Instruction &instruction) {
    if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      return exchange->getPointerOperand();
    if (const auto *modify = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      return modify->getPointerOperand();
    return llvm::getLoadStorePointerOperand(&instruction);
  }

  using Spot = std::tuple<unsigned, unsigned, const llvm::Metadata *>;
  static Spot spotOf(const llvm::Instruction &instruction) {
    const llvm::DebugLoc &location = instruction.getDebugLoc();
    return {location.getLine(), location.getCol(), location.getScope()};
  }

  void findDropped() {
    std::set<Spot> kept;
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(*result_.function))) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::Function *callee = call != nullptr ? call->getCalledFunction() : nullptr;
      if (callee == nullptr || callee->getName() != note)
        continue;
      kept.insert(spotOf(*call));
      call->eraseFromParent();
    }
    for (const llvm::CallInst *call : notes_)
      if (kept.insert(spotOf(*call)).second)
        result_.dropped.push_back(sources_.range(*call));
  }

  void eraseNotes() {
    for (llvm::CallInst *call : notes_)
      call->eraseFromParent();
  }

  static void rejectRecursion(const llvm::Function &callee, const StackPtr &stack,
                              const logic::SourceRange &range) {
    std::string cycle = memory::sourceName(callee);
    size_t rounds = 0;
    for (const Stack *at = stack.get(); at != nullptr; at = at->caller.get()) {
      if (rounds == 0)
        cycle.insert(0, memory::sourceName(*at->function) + " calls ");
      if (at->function == &callee && ++rounds > maxRounds)
        throw logic::Unsupported("recursion: " + cycle, range);
    }
  }

  /// What LLVM would inline wrongly, or not at all.
  void rejectConstructs(const llvm::Function &callee) {
    if (!viable_.insert(&callee).second)
      return;
    for (const llvm::Instruction &instruction : llvm::instructions(callee)) {
      auto refuse = [&](const char *what) {
        throw logic::Unsupported(std::string(what) + " is not supported", placeOf(instruction));
      };
      if (llvm::isa<llvm::IndirectBrInst>(instruction))
        refuse("a computed goto");
      if (llvm::isa<llvm::CallBrInst>(instruction))
        refuse("inline assembly that jumps (asm goto)");
      if (llvm::isa<llvm::VAStartInst, llvm::VACopyInst, llvm::VAArgInst>(instruction))
        refuse("a variable argument list that is not a local");
      if (instruction.isEHPad() || llvm::isa<llvm::InvokeInst>(instruction))
        refuse("an exception");
    }
  }

  /// All computed gotos of a function share one jump, which has no line of its own.
  logic::SourceRange placeOf(const llvm::Instruction &instruction) {
    logic::SourceRange range = sources_.range(instruction);
    for (const llvm::BasicBlock *before : llvm::predecessors(instruction.getParent()))
      if (!range.known())
        range = sources_.range(*before->getTerminator());
    return range;
  }

  void noteWeakness(const llvm::CallBase &call, const llvm::Function &callee) {
    const auto *called =
        llvm::dyn_cast<llvm::GlobalValue>(call.getCalledOperand()->stripPointerCasts());
    if (called == nullptr || (!called->isInterposable() && !callee.isInterposable()))
      return;
    logic::SourceRange where = sources_.range(callee.getSubprogram());
    std::string place =
        where.known() ? where.file->name() + ":" + std::to_string(where.begin.line) : "no line";
    result_.assumptions.insert("the weak function " + memory::sourceName(callee) + " (" + place +
                               ") is not overridden at link time");
  }

  /// A function that was declared without parameters is called with a type of the caller's making.
  llvm::CallBase &withTypeOf(llvm::Function &callee, llvm::CallBase &call,
                             const logic::SourceRange &range) {
    if (call.getCalledFunction() == &callee)
      return call;
    const char *why = nullptr;
    if (!llvm::isLegalToPromote(call, &callee, &why))
      throw logic::Unsupported("the call to " + memory::sourceName(callee) +
                                   " does not fit its definition: " + why,
                               range);
    return llvm::promoteCall(call, &callee);
  }

  void announce(llvm::CallBase &call, const std::string &name) {
    llvm::IRBuilder<> builder(&call);
    builder.CreateCall(ownFunction(module_, names::action + name,
                                   llvm::FunctionType::get(builder.getVoidTy(), false)));
  }

  void encloseAtomic(llvm::CallBase &call) {
    auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(module_.getContext()), false);
    llvm::IRBuilder<> before(&call);
    before.CreateCall(ownFunction(module_, "__VERIFIER_atomic_begin", type));
    llvm::IRBuilder<> after(call.getNextNode());
    after.SetCurrentDebugLocation(call.getDebugLoc());
    after.CreateCall(ownFunction(module_, "__VERIFIER_atomic_end", type));
  }

  /// A struct that is returned by value is put together and taken apart at once.
  void takeApartAggregates() {
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(*result_.function))) {
      auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction);
      llvm::Value *value =
          part != nullptr ? llvm::FindInsertedValue(part->getAggregateOperand(), part->getIndices())
                          : nullptr;
      if (value == nullptr)
        continue;
      part->replaceAllUsesWith(value);
      part->eraseFromParent();
    }
  }

  /// Tables of functions are constants; what is volatile is not.
  void readConstantPointers() {
    const llvm::DataLayout &layout = module_.getDataLayout();
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(*result_.function))) {
      auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (load == nullptr || load->isVolatile() || !load->getType()->isPointerTy())
        continue;
      auto *pointer = llvm::dyn_cast<llvm::Constant>(load->getPointerOperand());
      llvm::Constant *value =
          pointer != nullptr ? llvm::ConstantFoldLoadFromConstPtr(pointer, load->getType(), layout)
                             : nullptr;
      if (value == nullptr)
        continue;
      load->replaceAllUsesWith(value);
      load->eraseFromParent();
    }
  }
};

} // namespace

Inlined inlineThread(llvm::Function &thread, const std::string &name, read::SourceMap &sources,
                     const InlineOptions &options) {
  return Inliner(thread, name, sources, options).run();
}

} // namespace understudy::passes::lower
