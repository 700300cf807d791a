// SPDX-License-Identifier: Apache-2.0
//
// From step form to the conformance checker: the bookkeeping of `CheckerState.h` is put around
// every step, as section 3.1 of Abstract Threads does for statements. The control structure is that
// of the thread: only branches to `reach_error` are added, no loop.
#include "passes/checker/Instrument.h"

#include "passes/checker/CheckerState.h"
#include "passes/lower/Arbitrary.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace understudy::passes::checker {

namespace {

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

  /// With goals: the run goes wrong before `at` if the last step reaches one.
  void seek(llvm::Function *reaches, llvm::Instruction &at, uint32_t place) {
    llvm::IRBuilder<> builder(&at);
    branch(builder.CreateNot(builder.CreateCall(reaches)), at, place);
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
  }

  static uint32_t idOf(const llvm::CallInst &call) {
    return static_cast<uint32_t>(
        llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue());
  }

  void stepBegin(llvm::CallInst &call) {
    llvm::IRBuilder<>(&call).CreateCall(state_.before());
    call.eraseFromParent();
  }

  void stepEnd(llvm::CallInst &call) {
    uint32_t id = idOf(call);
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

  /// What is asserted is tested where control flow turns to the failure.
  void seekClaims(llvm::CallInst &call, uint32_t place) {
    std::vector<llvm::BasicBlock *> tests(llvm::pred_begin(call.getParent()),
                                          llvm::pred_end(call.getParent()));
    for (llvm::BasicBlock *test : tests)
      seek(state_.claimsGoal(), *test->getTerminator(), place);
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
