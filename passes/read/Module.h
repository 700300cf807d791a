// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/read/Code.h"
#include "passes/read/SourceMap.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace understudy::passes::read {

struct Code::Implementation {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::vector<std::string> files;
  std::vector<std::string> assertHooks; ///< functions whose calls are failed assertions
};

/// An attribute of functions that clang has compiled for us: nothing in them was optimised.
inline constexpr const char *asWritten = "understudy-as-written";

/// Promotes locals of every function to registers; merges, removes and reorders no other access.
void promoteLocals(llvm::Module &module);
void promoteLocals(llvm::Function &function);

/// The memory from which large locals get any value where they are declared.
bool isAnything(const llvm::Value &object);

} // namespace understudy::passes::read
