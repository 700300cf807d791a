// SPDX-License-Identifier: Apache-2.0
//
// From a C function to step form.
//
// The problem: conformance speaks of steps, one access to a named variable each, and of nothing
// else. The idea: inline all callees, promote locals, decide which locals are private, and then
// rewrite each instruction by itself: an access to a named variable is put between the begin and
// the end of a step; an access to memory that is not followed becomes an input or disappears; calls
// become what they mean. What may touch a named variable and cannot be rewritten exactly is refused
// by name. Nothing is moved, merged or removed that touches a named variable.
// Invariant: what a pointer may reach is decided by `Locals` and `Memory`, before the first
// instruction is rewritten; rewriting never makes an address escape or stop escaping. A local of
// numbers is private until its address escapes (`BeforeEscape.cpp`).
#include "passes/lower/Lower.h"

#include "logic/Error.h"
#include "logic/Words.h"
#include "passes/lower/AtomicSections.h"
#include "passes/lower/Callbacks.h"
#include "passes/lower/Inline.h"
#include "passes/lower/KnownFunctions.h"
#include "passes/lower/LowerCalls.h"
#include "passes/lower/Poison.h"
#include "passes/lower/Rewriter.h"
#include "passes/read/Module.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>

namespace understudy::passes::lower {

namespace {

logic::SourceRange endOf(const llvm::Function &function, read::SourceMap &sources) {
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    if (llvm::isa<llvm::ReturnInst>(instruction) && instruction.getDebugLoc())
      return sources.range(instruction);
  return sources.range(function.getSubprogram());
}

/// A local that is read before it is written has any value, another one each time.
void replaceUndefined(llvm::Function &function) {
  auto isUndefined = [](const llvm::Use &operand) {
    return llvm::isa<llvm::UndefValue>(operand.get()) && operand->getType()->isIntegerTy();
  };
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (llvm::isa<llvm::InsertValueInst, llvm::CallBase>(instruction))
      continue;
    auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
    for (llvm::Use &operand : instruction.operands()) {
      if (!isUndefined(operand))
        continue;
      llvm::BasicBlock *from = phi != nullptr ? phi->getIncomingBlock(operand) : nullptr;
      llvm::IRBuilder<> builder(from != nullptr ? from->getTerminator() : &instruction);
      llvm::Value *any = arbitrary(builder, operand->getType());
      if (phi != nullptr) // a block may be there several times
        phi->setIncomingValueForBlock(from, any);
      else
        operand.set(any);
    }
  }
}

/// What the encoder may not be able to compute exactly; empty for other instructions.
std::string hardOperation(const llvm::Instruction &instruction) {
  using llvm::Instruction;
  llvm::Type *type = instruction.getType();
  if (!type->isIntegerTy() || type->getIntegerBitWidth() > 64)
    return "";
  if (llvm::isa<llvm::FCmpInst, llvm::FPToSIInst, llvm::FPToUIInst>(instruction) ||
      (llvm::isa<llvm::BitCastInst>(instruction) &&
       instruction.getOperand(0)->getType()->isFloatingPointTy()))
    return "floating-point arithmetic";
  if (llvm::isa<llvm::ExtractElementInst>(instruction))
    return "vector arithmetic";
  if (llvm::isa<llvm::TruncInst, llvm::ICmpInst>(instruction) &&
      instruction.getOperand(0)->getType()->isIntegerTy() &&
      instruction.getOperand(0)->getType()->getIntegerBitWidth() > 64)
    return "arithmetic of more than 64 bits";
  if (llvm::isa<llvm::IntrinsicInst>(instruction))
    return "a builtin operation";
  if (!instruction.isBinaryOp() || llvm::isa<llvm::ConstantInt>(instruction.getOperand(1)))
    return "";
  switch (instruction.getOpcode()) {
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return "a bit operation on two variables";
  case Instruction::Mul:
    return "a product of two variables";
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return "a shift by a variable";
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return "a division by a variable";
  default:
    return "";
  }
}

void markHardOperations(llvm::Function &function, Rewriter &rewriter) {
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (std::string what = hardOperation(instruction); !what.empty()) {
      uint32_t id = rewriter.addGuess(instruction, what);
      rewriter.result().places[id].how = "computed";
      markGuess(instruction, id);
    }
}

/// "what f returns": where a pointer of unknown origin comes from; empty for others.
std::string originOf(const llvm::Value &object) {
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&object)) {
    const llvm::Function *callee = calleeOf(*call);
    if (callee == nullptr)
      return "";
    return meaningOf(*callee) == Known::Nondet ? "what a parameter of the thread points to"
                                               : "what " + memory::sourceName(*callee) + " returns";
  }
  return llvm::isa<llvm::LoadInst>(object) ? "what a pointer in unnamed memory points to" : "";
}

/// Stores through pointers from outside hit no variable that the pointer could know.
void assumeOutsidePointers(Lowered &result, const memory::Memory &memory) {
  std::vector<std::string> parts;
  for (std::string part : {memory.knownElsewhere(), memory.locksKnownElsewhere()})
    if (!part.empty())
      parts.push_back(std::move(part));
  if (parts.empty())
    return;
  const std::string names = logic::joined(parts);
  for (const llvm::Instruction &instruction : llvm::instructions(*result.function))
    if (const llvm::Value *pointer = memory::writtenBy(instruction))
      for (const llvm::Value *object : memory::objectsOf(pointer))
        if (std::string origin = originOf(*object); !origin.empty())
          result.assumptions.insert(origin + " is none of: " + names);
}

/// The machine may reorder weak accesses, and this proof does not.
void assumeStrongOrder(Lowered &result) {
  constexpr size_t most = 6;
  std::vector<std::string> places;
  for (const Place &place : result.places) {
    if (!place.weak)
      continue;
    std::string at = place.range.known()
                         ? place.range.file->name() + ":" + std::to_string(place.range.begin.line)
                         : "no line";
    if (std::find(places.begin(), places.end(), at) == places.end())
      places.push_back(at);
  }
  if (places.empty())
    return;
  if (places.size() > most) {
    std::string more = "and " + std::to_string(places.size() - most + 1) + " more";
    places.resize(most - 1);
    places.push_back(more);
  }
  result.assumptions.insert(
      "atomic accesses weaker than sequentially consistent behave as if they were: " +
      logic::joined(places));
}

} // namespace

Lowered lower(llvm::Function &thread, const std::string &name, const memory::Memory &memory,
              read::SourceMap &sources, const LowerOptions &options) {
  Lowered result;
  result.end = endOf(thread, sources);
  auto isStep = [&](const llvm::Value *pointer) {
    const llvm::SmallVector<const llvm::Value *, 4> objects = memory::objectsOf(pointer);
    return objects.size() == 1 && llvm::isa<llvm::GlobalVariable>(objects.front()) &&
           memory.mayReach(pointer) != nullptr;
  };
  Inlined inlined = inlineThread(thread, name, sources, {options.actions, isStep});
  llvm::Function &function = *inlined.function;
  result.function = &function;
  result.assumptions = inlined.assumptions;
  result.isSilent = inlined.isSilent;
  result.dropped = std::move(inlined.dropped);
  try {
    assumeOutsidePointers(result, memory);
    memory::separateBeforeEscape(function);
    AtomicSections sections(function, sources);
    memory::Locals locals(function);
    Rewriter rewriter(result, memory, locals, sections, sources, options);
    LowerCalls calls(rewriter, findCallbacks(result, memory, sources, options));
    std::vector<llvm::WeakVH> work; // where the run ends, what follows disappears
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      calls.requireNoLock(instruction);
      work.emplace_back(&instruction);
    }
    for (const llvm::WeakVH &entry : work) {
      llvm::Value *value = entry;
      if (auto *call = llvm::dyn_cast_or_null<llvm::CallBase>(value))
        calls.rewrite(*call);
      else if (value != nullptr)
        rewriter.rewrite(llvm::cast<llvm::Instruction>(*value));
    }
    calls.finish();
    assumeStrongOrder(result);
    llvm::EliminateUnreachableBlocks(function);
    read::promoteLocals(function);
    if (!inlined.asWritten)
      makePoisonExplicit(function);
    replaceUndefined(function);
    markHardOperations(function, rewriter);
  } catch (...) {
    function.eraseFromParent();
    throw;
  }
  return result;
}

} // namespace understudy::passes::lower
