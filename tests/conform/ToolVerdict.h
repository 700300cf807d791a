// SPDX-License-Identifier: Apache-2.0
//
// What the tool says about finite systems: printed, compiled by clang, read again.
#pragma once

#include "ContractTree.h"
#include "passes/Conform.h"

#include <filesystem>

namespace understudy::tests {

/// What the tool is given.
enum class Input : uint8_t {
  C,
  O0, ///< LLVM IR that clang made, with this optimisation; shared variables are volatile, so that
  O1, ///< every access of the source is there
  O2,
};

/// Some systems in one C file. The file lives as long as this.
class Batch {
public:
  explicit Batch(const std::vector<FiniteSystem> &systems, Input input = Input::C);
  ~Batch();
  Batch(const Batch &) = delete;
  Batch &operator=(const Batch &) = delete;

  const passes::read::Code &code() const { return *code_; }

private:
  std::filesystem::path folder_;
  std::optional<passes::read::Code> code_;
};

specs::Compiled compiledContract(const FiniteSystem &system);

struct ToolAnswer {
  std::vector<passes::ConformAnswer> threads;
  std::string why; ///< reasons and stories, for readers
};

/// Precondition: the system is in the batch. Never throws for bad input: that is unknown, with the
/// message.
ToolAnswer toolVerdict(const Batch &batch, const FiniteSystem &system);

} // namespace understudy::tests
