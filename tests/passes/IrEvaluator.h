// SPDX-License-Identifier: Apache-2.0
//
// Runs a function as LLVM's language reference says, on bits: the other opinion about what an
// encoding has to mean. Undefined behaviour ends the run.
#pragma once

#include <llvm/ADT/APInt.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <deque>
#include <map>
#include <vector>

namespace understudy::tests {

enum class Outcome : uint8_t { Returned, Blocked, Failed };

class IrEvaluator {
public:
  using Memory = std::map<const llvm::Value *, std::vector<llvm::APInt>>;

  /// Globals start as their initialisers say.
  explicit IrEvaluator(const llvm::Module &module);

  /// Runs @f; inputs are taken from the front.
  Outcome run(std::deque<llvm::APInt> inputs);

  Memory memory;

private:
  using Bits = std::vector<llvm::APInt>; ///< one, or two for a result with overflow bit
  using Values = std::map<const llvm::Value *, Bits>;
  struct Stop {
    Outcome outcome;
  };

  const llvm::Module &module_;
  std::deque<llvm::APInt> inputs_;

  llvm::APInt get(const Values &values, const llvm::Value *value) const;
  Bits evaluate(Values &values, const llvm::Instruction &instruction);
  llvm::APInt binary(const llvm::BinaryOperator &operation, const llvm::APInt &a,
                     const llvm::APInt &b) const;
  llvm::APInt cast(const llvm::CastInst &conversion, const llvm::APInt &a) const;
  Bits call(Values &values, const llvm::CallInst &call);
  Bits intrinsic(Values &values, const llvm::CallInst &call) const;
  llvm::APInt &cell(const Values &values, const llvm::Value *pointer);
  const llvm::BasicBlock *jump(const Values &values, const llvm::Instruction &terminator) const;
  Bits runFunction(const llvm::Function &function, Values values);
  static void require(bool defined) {
    if (!defined)
      throw Stop{Outcome::Blocked};
  }
};

} // namespace understudy::tests
