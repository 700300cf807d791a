// SPDX-License-Identifier: Apache-2.0
//
// From a C function to step form.
//
// The problem: conformance speaks of steps, one access to a named variable each, and of nothing
// else. The idea: inline all callees, promote locals, and then rewrite each instruction by itself:
// an access to a named variable is put between the begin and the end of a step; an access to other
// shared memory becomes an input or disappears; calls become what they mean. What cannot be
// rewritten exactly is refused by name. Nothing is moved, merged or removed that touches a named
// variable.
#include "passes/Lower.h"

#include "logic/Error.h"
#include "passes/AtomicSections.h"
#include "passes/Inline.h"
#include "passes/LowerCalls.h"
#include "passes/Module.h"
#include "passes/Rewriter.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace understudy::passes {

namespace {

logic::SourceRange endOf(const llvm::Function &function, SourceMap &sources) {
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    if (llvm::isa<llvm::ReturnInst>(instruction) && instruction.getDebugLoc())
      return sources.range(instruction);
  return sources.range(function.getSubprogram());
}

/// A local that is read before it is written has any value.
void replaceUndefined(llvm::Function &function) {
  llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (llvm::isa<llvm::InsertValueInst, llvm::CallBase>(instruction))
      continue;
    for (llvm::Use &operand : instruction.operands())
      if (llvm::isa<llvm::UndefValue>(operand.get()) && operand->getType()->isIntegerTy())
        operand.set(arbitrary(builder, operand->getType()));
  }
}

} // namespace

Lowered lower(llvm::Function &thread, const std::string &name, const Memory &memory,
              SourceMap &sources, const LowerOptions &options) {
  Lowered result;
  result.end = endOf(thread, sources);
  llvm::Function &function = inlineThread(thread, name, sources);
  result.function = &function;
  try {
    promoteLocals(function);
    AtomicSections sections(function, sources);
    Rewriter rewriter(result, memory, sections, sources, options);
    LowerCalls calls(rewriter);
    std::vector<llvm::WeakVH> work; // where the run ends, what follows disappears
    for (llvm::Instruction &instruction : llvm::instructions(function))
      work.emplace_back(&instruction);
    for (const llvm::WeakVH &entry : work) {
      llvm::Value *value = entry;
      if (auto *call = llvm::dyn_cast_or_null<llvm::CallBase>(value))
        calls.rewrite(*call);
      else if (value != nullptr)
        rewriter.rewrite(llvm::cast<llvm::Instruction>(*value));
    }
    calls.finish();
    llvm::EliminateUnreachableBlocks(function);
    promoteLocals(function);
    replaceUndefined(function);
  } catch (...) {
    function.eraseFromParent();
    throw;
  }
  return result;
}

} // namespace understudy::passes
