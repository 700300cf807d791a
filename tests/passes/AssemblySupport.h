// SPDX-License-Identifier: Apache-2.0
//
// LLVM assembly in, module out, and what it looks like afterwards.
#pragma once

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace understudy::tests {

class Assembly {
public:
  explicit Assembly(const std::string &text) {
    llvm::SMDiagnostic problem;
    module_ = llvm::parseAssemblyString(text, problem, *context_);
    if (!module_)
      throw std::runtime_error("bad assembly: " + problem.getMessage().str() + " in\n" + text);
    requireValid();
  }

  llvm::Module &module() { return *module_; }
  llvm::Function &function(const std::string &name) { return *module_->getFunction(name); }

  /// How many functions have one.
  size_t bodies() const {
    return static_cast<size_t>(
        std::count_if(module_->begin(), module_->end(),
                      [](const llvm::Function &function) { return !function.isDeclaration(); }));
  }

  void requireValid() const {
    std::string broken;
    llvm::raw_string_ostream out(broken);
    if (llvm::verifyModule(*module_, &out))
      throw std::runtime_error("bad module: " + broken);
  }

private:
  std::unique_ptr<llvm::LLVMContext> context_ = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module_;
};

/// "store", "load", "call f": the instructions of a function that touch memory or call, in order.
inline std::vector<std::string> shapeOf(const llvm::Function &function) {
  std::vector<std::string> result;
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      result.push_back("call " + call->getCalledOperand()->getName().str());
    else if (instruction.mayReadOrWriteMemory())
      result.push_back(instruction.getOpcodeName());
  }
  return result;
}

} // namespace understudy::tests
