// SPDX-License-Identifier: Apache-2.0
#include "passes/encode/EncodeScope.h"

#include "passes/lower/StepForm.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace understudy::passes::encode {

using llvm::BasicBlock;
using llvm::CallBase;
using llvm::dyn_cast;
using llvm::Function;
using llvm::Instruction;
using llvm::isa;
using llvm::Value;

namespace {

/// What the instrumentation says to those who measure; it has no effect.
constexpr const char *edgeTaken = "understudy_edge";

constexpr std::array<std::pair<const char *, CallKind>, 9> knownCalls{{
    {lower::names::note, CallKind::Note},
    {lower::names::stepBegin, CallKind::StepBegin},
    {lower::names::stepEnd, CallKind::StepEnd},
    {lower::names::reachError, CallKind::ReachError},
    {lower::names::assertFail, CallKind::AssertFail},
    {lower::names::violation, CallKind::Violation},
    {lower::names::assume, CallKind::Assume},
    {lower::names::at, CallKind::Ignored},
    {edgeTaken, CallKind::Ignored},
}};

CallKind intrinsicKind(const llvm::IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::assume:
    return CallKind::Assume;
  case llvm::Intrinsic::lifetime_start:
    return CallKind::LifetimeStart;
  case llvm::Intrinsic::lifetime_end:
  case llvm::Intrinsic::donothing:
  case llvm::Intrinsic::experimental_noalias_scope_decl:
  case llvm::Intrinsic::trap: // what follows is unreachable
    return CallKind::Ignored;
  default:
    break;
  }
  if (call.isAssumeLikeIntrinsic() || isa<llvm::DbgInfoIntrinsic>(call))
    return CallKind::Ignored;
  return call.doesNotAccessMemory() ? CallKind::Pure : CallKind::Unknown;
}

} // namespace

CallKind callKind(const CallBase &call) {
  if (const auto *intrinsic = dyn_cast<llvm::IntrinsicInst>(&call))
    return intrinsicKind(*intrinsic);
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return CallKind::Unknown;
  for (const auto &[name, kind] : knownCalls)
    if (callee->getName() == name)
      return kind;
  if (callee->getName().starts_with(lower::names::nondet))
    return CallKind::Input;
  bool hasOneBlock = callee->size() == 1 && !callee->isVarArg() &&
                     callee->getFunctionType() == call.getFunctionType();
  return hasOneBlock ? CallKind::Inline : CallKind::Unknown;
}

std::string calleeName(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee ? callee->getName().str() : "a function pointer";
}

std::string quoted(llvm::StringRef name) {
  std::string result = name.str();
  result.insert(result.begin(), '\'');
  result.push_back('\'');
  return result;
}

uint32_t idOf(const CallBase &call) {
  const auto *id = call.arg_empty() ? nullptr : dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
  if (!id)
    throw std::logic_error(quoted(calleeName(call)) + " without a constant id");
  return static_cast<uint32_t>(id->getZExtValue());
}

const Value *baseOf(const Value *pointer) {
  while (const auto *element = dyn_cast<llvm::GEPOperator>(pointer))
    pointer = element->getPointerOperand();
  return pointer;
}

bool isAddress(const Value *value) { return isa<llvm::GEPOperator, llvm::AllocaInst>(value); }

bool isZero(const Value *value) {
  const auto *constant = dyn_cast<llvm::ConstantInt>(value);
  return constant && constant->isZero();
}

EncodeScope::EncodeScope(const Function &function) {
  functions_.push_back(&function);
  collectFunctions();
  markNeeded();
}

void EncodeScope::collectFunctions() {
  for (size_t next = 0; next < functions_.size(); ++next) {
    const Function *current = functions_[next];
    auto &blocks = blocks_[current];
    std::unordered_set<const BasicBlock *> reached;
    for (const BasicBlock *block : llvm::depth_first(&current->getEntryBlock()))
      reached.insert(block);
    for (const BasicBlock &block : *current)
      if (reached.contains(&block))
        blocks.push_back(&block);
    for (const BasicBlock *block : blocks)
      for (const Instruction &instruction : *block)
        if (const auto *call = dyn_cast<CallBase>(&instruction);
            call && callKind(*call) == CallKind::Inline &&
            std::find(functions_.begin(), functions_.end(), call->getCalledFunction()) ==
                functions_.end())
          functions_.push_back(call->getCalledFunction());
  }
}

namespace {

bool hasEffect(const Instruction &instruction) {
  if (const auto *call = dyn_cast<CallBase>(&instruction)) {
    CallKind kind = callKind(*call);
    return kind != CallKind::Ignored && kind != CallKind::Pure;
  }
  return instruction.isTerminator() || instruction.mayWriteToMemory();
}

void addOperand(const Value *value, std::vector<const Value *> &out) {
  if (const auto *element = dyn_cast<llvm::GEPOperator>(value)) {
    for (const Value *operand : element->operands())
      addOperand(operand, out);
    return;
  }
  if (!isa<llvm::AllocaInst>(value) && isa<Instruction, llvm::Argument>(value))
    out.push_back(value);
}

bool usesArguments(const CallBase &call) {
  switch (callKind(call)) {
  case CallKind::Assume:
  case CallKind::Inline:
  case CallKind::Pure:
    return true;
  default:
    return false;
  }
}

} // namespace

std::vector<const Value *> EncodeScope::operandsOf(const Instruction &instruction) {
  std::vector<const Value *> result;
  if (const auto *call = dyn_cast<CallBase>(&instruction)) {
    if (usesArguments(*call))
      for (const Value *argument : call->args())
        addOperand(argument, result);
    return result;
  }
  for (const Value *operand : instruction.operands())
    addOperand(operand, result);
  return result;
}

void EncodeScope::markNeeded() {
  std::vector<const Instruction *> work;
  auto add = [&](const Instruction *instruction) {
    if (needed_.insert(instruction).second)
      work.push_back(instruction);
  };
  for (const Function *function : functions_)
    for (const BasicBlock *block : blocks_.at(function))
      for (const Instruction &instruction : *block)
        if (hasEffect(instruction))
          add(&instruction);
  while (!work.empty()) {
    const Instruction *next = work.back();
    work.pop_back();
    // What the function of a thread returns is of no interest to anybody.
    if (isa<llvm::ReturnInst>(next) && next->getFunction() == functions_.front())
      continue;
    for (const Value *operand : operandsOf(*next))
      if (const auto *instruction = dyn_cast<Instruction>(operand))
        add(instruction);
  }
  for (const Function *function : functions_)
    for (const BasicBlock *block : blocks_.at(function))
      for (const Instruction &instruction : *block)
        if (needed_.contains(&instruction))
          executed_.push_back(&instruction);
}

} // namespace understudy::passes::encode
