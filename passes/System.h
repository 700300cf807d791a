// SPDX-License-Identifier: Apache-2.0
//
// A contract and the code it speaks of, bound to one another: what conformance and composition both
// start from.
#pragma once

#include "passes/Conform.h"
#include "passes/lower/Lower.h"
#include "passes/memory/Binding.h"
#include "passes/memory/Memory.h"
#include "passes/read/Module.h"

#include <memory>

namespace understudy::passes {

/// Whether the module is all the code, or one file of several: then threads and variables that are
/// not in it are somebody else's.
enum class Extent { Whole, Part };

class System {
public:
  /// Works on a copy of the code's module.
  System(const read::Code &code, const specs::Compiled &contract, OverflowMode overflow);
  /// Works in the module itself: promotes locals, adds functions.
  System(llvm::Module &module, const specs::Compiled &contract, OverflowMode overflow,
         Extent extent, const std::vector<std::string> &assertHooks);

  const specs::Compiled &contract() const { return contract_; }
  OverflowMode overflow() const { return overflow_; }
  llvm::Module &module() { return *module_; }
  const memory::Binding &binding() const { return binding_; }
  read::SourceMap &sources() { return sources_; }
  /// The function of every thread that has code, in contract order.
  const std::vector<std::pair<const specs::ThreadBinding *, llvm::Function *>> &threads() const {
    return threads_;
  }
  /// The threads whose function is not in the module, in contract order; none in a whole.
  const std::vector<const specs::ThreadBinding *> &absent() const { return absent_; }

  /// To be compared with its contract. Throws `logic::Unsupported`, naming the construct.
  lower::Lowered lower(const specs::ThreadBinding &thread);
  /// To stand for itself among others.
  lower::Lowered lowerItself(const specs::ThreadBinding &thread);

  /// What the system as a whole rests on: start values from elsewhere, code outside of threads.
  std::vector<std::string> assumptions();
  /// "init (uart.c:12) may write head and …": code outside of threads.
  std::vector<std::string> writersBesideThreads();

private:
  const specs::Compiled &contract_;
  OverflowMode overflow_;
  std::unique_ptr<llvm::Module> copy_;
  llvm::Module *module_ = nullptr;
  Extent extent_ = Extent::Whole;
  read::SourceMap sources_;
  memory::Binding binding_;
  std::vector<std::pair<const specs::ThreadBinding *, llvm::Function *>> threads_;
  std::vector<const specs::ThreadBinding *> absent_;
  std::unique_ptr<memory::Memory> memory_;

  lower::Lowered lowered(const specs::ThreadBinding &thread, const std::string &locks);
  void bind();
  void bindVariables();
  void requireOneObject() const;
  void resolveAliases();
  void findThreads();
  void findNeverWritten();
  std::vector<std::string> aboutVariables() const;
  std::vector<std::string> absentUsers(const logic::Variable &variable) const;
  std::vector<std::string> lostAssertions();
  std::vector<const llvm::Function *> functionsOfThreads() const;
};

} // namespace understudy::passes
