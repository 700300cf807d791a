// SPDX-License-Identifier: Apache-2.0
//
// From step form to the conformance checker: the bookkeeping of `CheckerState.h` is put around
// every step, as section 3.1 of Abstract Threads does for statements. The control structure is that
// of the thread: only branches to `reach_error` are added, no loop.
#include "passes/checker/Instrument.h"

#include "passes/checker/CheckerState.h"
#include "passes/lower/Arbitrary.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <set>

namespace understudy::passes::checker {

namespace {

/// Where the condition of an assertion is decided. `a || b` has two tests, of which only the second
/// one leads to the failure. One that fails whenever control gets there has that of its branch:
/// `default: assert(0)` is not meant to be reached.
class Tests {
public:
  explicit Tests(llvm::CallInst &call) : call_(call), fail_(call.getParent()) {
    addBefore(*fail_);
    for (llvm::BasicBlock &block : *fail_->getParent())
      if (isOfSameMacro(*block.getTerminator()))
        inside_.insert(&block);
    while (grow())
      ;
  }

  std::vector<llvm::Instruction *> run() const {
    std::vector<llvm::Instruction *> result;
    for (llvm::BasicBlock *block : inside_)
      result.push_back(block->getTerminator());
    return result;
  }

  /// Steps on the way to the failure alone that write nothing: `panic("x is %d", x)`.
  std::set<const llvm::Instruction *> messages() const {
    std::set<const llvm::Instruction *> result;
    for (const llvm::BasicBlock *block : leading_) {
      bool writes = false;
      for (const llvm::Instruction &instruction : *block) {
        writes = writes || llvm::isa<llvm::StoreInst>(instruction);
        const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (call == nullptr || call->getCalledFunction() == nullptr)
          continue;
        llvm::StringRef name = call->getCalledFunction()->getName();
        if (name == lower::names::stepBegin)
          writes = false;
        else if (name == lower::names::stepEnd && !writes)
          result.insert(call);
      }
    }
    return result;
  }

private:
  llvm::CallInst &call_;
  llvm::BasicBlock *fail_;
  llvm::SetVector<llvm::BasicBlock *> inside_;
  std::set<const llvm::BasicBlock *> leading_; ///< to the failure, and nowhere else

  void addBefore(llvm::BasicBlock &block) {
    if (!leading_.insert(&block).second)
      return;
    for (llvm::BasicBlock *before : llvm::predecessors(&block))
      if (before->getTerminator()->getNumSuccessors() > 1)
        inside_.insert(before);
      else
        addBefore(*before);
  }

  /// All code of a macro has the place of its use.
  bool isOfSameMacro(const llvm::Instruction &branch) const {
    const llvm::DebugLoc &place = branch.getDebugLoc();
    const llvm::DebugLoc &failure = call_.getDebugLoc();
    return branch.getNumSuccessors() > 1 && place && failure && place->getColumn() != 0 &&
           place->getLine() == failure->getLine() && place->getColumn() == failure->getColumn() &&
           place->getInlinedAt() == failure->getInlinedAt();
  }

  /// Where control goes on when the condition is true.
  const llvm::BasicBlock *passed() const {
    for (const llvm::BasicBlock *block : inside_)
      for (const llvm::BasicBlock *next : llvm::successors(block))
        if (!leading_.contains(next) && !llvm::is_contained(inside_, next))
          return next;
    return nullptr;
  }

  /// One more test, that leads to the others or decides.
  bool grow() {
    const llvm::BasicBlock *out = passed();
    for (llvm::BasicBlock *block : inside_)
      for (llvm::BasicBlock *test : llvm::predecessors(block))
        if (!inside_.contains(test) && llvm::is_contained(llvm::successors(test), out) &&
            llvm::all_of(llvm::successors(test), [&](llvm::BasicBlock *next) {
              return leading_.contains(next) || next == out || inside_.contains(next);
            }))
          return inside_.insert(test);
    return false;
  }
};

class Instrumenter {
public:
  Instrumenter(lower::Lowered &lowered, const Machine &machine, const memory::Binding &binding,
               Coverage coverage)
      : lowered_(lowered), function_(*lowered.function), coverage_(coverage),
        state_(*lowered.function->getParent(), machine, binding, coverage) {}

  Checker run(const std::string &thread) {
    checker_.function = &function_;
    checker_.othersMoved = addPlace({.kind = lower::PlaceKind::OthersMoved,
                                     .range = {},
                                     .text = "others move",
                                     .detail = {},
                                     .variables = {},
                                     .plain = {},
                                     .action = {}});
    checker_.returns = addPlace({.kind = lower::PlaceKind::Return,
                                 .range = lowered_.end,
                                 .text = "return",
                                 .detail = {},
                                 .variables = {},
                                 .plain = {},
                                 .action = {}});
    std::vector<llvm::Instruction *> work;
    for (llvm::Instruction &instruction : llvm::instructions(function_))
      if (llvm::isa<llvm::CallInst, llvm::ReturnInst>(instruction))
        work.push_back(&instruction);
    if (seeksGoals())
      findTests(work);
    for (llvm::Instruction *instruction : work)
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(instruction))
        rewrite(*call);
      else
        end(*instruction);
    begin();
    function_.setName("understudy_check_" + thread);
    function_.setLinkage(llvm::GlobalValue::ExternalLinkage);
    checker_.nodes = state_.nodes();
    checker_.unseen = state_.unseen();
    checker_.goals = state_.goals();
    return std::move(checker_);
  }

private:
  lower::Lowered &lowered_;
  llvm::Function &function_;
  Coverage coverage_;
  CheckerState state_;
  Checker checker_;
  std::map<const llvm::CallInst *, std::vector<llvm::Instruction *>> tests_; ///< with goals

  std::set<const llvm::Instruction *> messages_; ///< with goals: steps that need not be reached

  void findTests(const std::vector<llvm::Instruction *> &work) {
    for (llvm::Instruction *instruction : work) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(instruction);
      if (call == nullptr || call->getCalledFunction() == nullptr ||
          call->getCalledFunction()->getName() != lower::names::assertFail)
        continue;
      Tests tests(*call);
      tests_[call] = tests.run();
      messages_.merge(tests.messages());
    }
  }

  uint32_t addPlace(lower::Place place) {
    lowered_.places.push_back(std::move(place));
    return static_cast<uint32_t>(lowered_.places.size() - 1);
  }

  void begin() {
    llvm::BasicBlock &entry = function_.getEntryBlock();
    llvm::IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    builder.CreateCall(state_.start());
    lower::callWithId(builder, lower::names::note, checker_.othersMoved);
  }

  bool seeksGoals() const { return coverage_ == Coverage::Goals; }

  /// With goals: the run goes wrong before `at` if the last step reaches one, or the place is one.
  void seek(llvm::Function *reaches, llvm::Instruction &at, uint32_t place) {
    llvm::IRBuilder<> builder(&at);
    llvm::Value *reached = builder.CreateCall(reaches);
    if (!messages_.contains(&at))
      reached = builder.CreateOr(reached, isWanted(builder, place));
    branch(builder.CreateNot(reached), at, place);
  }

  llvm::Value *isWanted(llvm::IRBuilder<> &builder, uint32_t place) {
    return builder.CreateLoad(builder.getInt1Ty(), state_.wantedPlace(place));
  }

  /// With goals: the run goes wrong where a wanted access is outside of its array.
  void seekOutside(llvm::CallInst &call, uint32_t place) {
    llvm::IRBuilder<> builder(&call);
    llvm::Value *outside = builder.CreateIsNull(call.getArgOperand(0));
    branch(builder.CreateNot(builder.CreateAnd(outside, isWanted(builder, place))), call, place);
  }

  /// The run goes wrong before `at` unless the condition holds; with goals, it just ends.
  void require(llvm::Value *condition, llvm::Instruction &at, uint32_t place) {
    if (!seeksGoals()) {
      branch(condition, at, place);
      return;
    }
    llvm::IRBuilder<> builder(&at);
    lower::assume(builder, condition);
  }

  void branch(llvm::Value *condition, llvm::Instruction &at, uint32_t place) {
    llvm::BasicBlock *before = at.getParent();
    llvm::BasicBlock *after = llvm::SplitBlock(before, &at);
    llvm::BasicBlock *bad =
        llvm::BasicBlock::Create(function_.getContext(), "violation", &function_);
    before->getTerminator()->eraseFromParent();
    llvm::IRBuilder<>(before).CreateCondBr(condition, after, bad);
    llvm::IRBuilder<> builder(bad);
    goWrong(builder, place, at.getDebugLoc());
  }

  void goWrong(llvm::IRBuilder<> &builder, uint32_t place, const llvm::DebugLoc &location) {
    lower::callWithId(builder, lower::names::note, place)->setDebugLoc(location);
    auto *type = llvm::FunctionType::get(builder.getVoidTy(), false);
    builder.CreateCall(function_.getParent()->getOrInsertFunction(lower::names::reachError, type))
        ->setDebugLoc(location);
    builder.CreateUnreachable();
  }

  void othersMove(llvm::IRBuilder<> &builder, uint32_t place, const llvm::DebugLoc &location) {
    lower::callWithId(builder, lower::names::note, place)->setDebugLoc(location);
    builder.CreateCall(state_.others());
    lower::callWithId(builder, lower::names::note, checker_.othersMoved)->setDebugLoc(location);
  }

  void rewrite(llvm::CallInst &call) {
    const llvm::Function *callee = call.getCalledFunction();
    if (callee == nullptr)
      return;
    llvm::StringRef name = callee->getName();
    if (name == lower::names::stepBegin)
      stepBegin(call);
    else if (name == lower::names::stepEnd)
      stepEnd(call);
    else if (name == lower::names::at)
      marker(call);
    else if (name == lower::names::assertFail)
      assertFail(call);
    else if (name == lower::names::violation)
      violation(call);
    else if (name == lower::names::needsLock)
      needsLock(call);
    else if (auto place = lower::insideOf(call); place && seeksGoals())
      seekOutside(call, *place);
  }

  static uint32_t idOf(const llvm::CallInst &call) {
    return static_cast<uint32_t>(
        llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue());
  }

  void stepBegin(llvm::CallInst &call) {
    llvm::IRBuilder<>(&call).CreateCall(state_.before());
    call.eraseFromParent();
  }

  void needsLock(llvm::CallInst &call) {
    uint32_t id = idOf(call);
    llvm::IRBuilder<> builder(&call);
    llvm::GlobalVariable *held = state_.held(lowered_.places[id].lock);
    require(builder.CreateLoad(builder.getInt1Ty(), held), call, id);
    call.eraseFromParent();
  }

  void useLock(llvm::CallInst &call, const lower::Place &place) {
    llvm::IRBuilder<> builder(&call);
    if (place.lockUse == lower::LockUse::Takes)
      builder.CreateCall(state_.take(place.lock));
    else if (place.lockUse == lower::LockUse::Releases)
      builder.CreateCall(state_.release(place.lock));
  }

  void stepEnd(llvm::CallInst &call) {
    uint32_t id = idOf(call);
    useLock(call, lowered_.places[id]);
    llvm::Value *possible =
        llvm::IRBuilder<>(&call).CreateCall(state_.after(lowered_.places[id].action));
    require(possible, call, id);
    if (seeksGoals())
      seek(state_.reachesGoal(), call, id);
    llvm::IRBuilder<> builder(&call);
    othersMove(builder, id, call.getDebugLoc());
    call.eraseFromParent();
  }

  void marker(llvm::CallInst &call) {
    uint32_t id = idOf(call);
    llvm::IRBuilder<> builder(&call);
    builder.CreateCall(state_.before());
    builder.CreateCall(state_.after(""));
    require(builder.CreateCall(state_.contains(lowered_.places[id].detail)), call, id);
    if (seeksGoals())
      seek(state_.reachesGoal(), call, id);
    llvm::IRBuilder<> rest(&call);
    othersMove(rest, id, call.getDebugLoc());
    call.eraseFromParent();
  }

  void assertFail(llvm::CallInst &call) {
    uint32_t id = idOf(call);
    if (seeksGoals()) {
      seekClaims(call, id);
      violation(call);
      return;
    }
    llvm::IRBuilder<> builder(&call);
    if (lowered_.places[id].kind == lower::PlaceKind::Assertion) {
      require(builder.CreateCall(state_.excused()), call, id);
      llvm::IRBuilder<> rest(&call);
      lower::assume(rest, rest.getFalse());
      call.eraseFromParent();
      return;
    }
    violation(call);
  }

  void violation(llvm::CallInst &call) {
    llvm::BasicBlock *block = call.getParent();
    uint32_t id = idOf(call);
    llvm::DebugLoc location = call.getDebugLoc();
    block->getTerminator()->eraseFromParent();
    call.eraseFromParent();
    llvm::IRBuilder<> builder(block);
    if (seeksGoals()) {
      lower::assume(builder, builder.getFalse());
      builder.CreateUnreachable();
      return;
    }
    goWrong(builder, id, location);
  }

  void seekClaims(const llvm::CallInst &call, uint32_t place) {
    for (llvm::Instruction *test : tests_.at(&call))
      seekClaim(*test, place);
  }

  void seekClaim(llvm::Instruction &at, uint32_t place) {
    seek(state_.claimsGoal(), at, place);
    if (lowered_.places[place].kind != lower::PlaceKind::Assertion)
      return; // in the middle of a step
    llvm::IRBuilder<> builder(&at);
    lower::callWithId(builder, lower::names::note, place)->setDebugLoc(at.getDebugLoc());
  }

  void end(llvm::Instruction &returns) {
    llvm::IRBuilder<> builder(&returns);
    require(builder.CreateCall(state_.mayEnd()), returns, checker_.returns);
  }
};

} // namespace

Checker instrument(lower::Lowered &lowered, const Machine &machine, const memory::Binding &binding,
                   Coverage coverage) {
  return Instrumenter(lowered, machine, binding, coverage).run(machine.binding->name);
}

} // namespace understudy::passes::checker
