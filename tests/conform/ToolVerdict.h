// SPDX-License-Identifier: Apache-2.0
//
// What the tool says about finite systems: printed, compiled by clang, read again.
#pragma once

#include "ContractTree.h"
#include "passes/Conform.h"

#include <filesystem>

namespace understudy::tests {

/// Some systems in one C file. The file lives as long as this.
class Batch {
public:
  explicit Batch(const std::vector<FiniteSystem> &systems);
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
