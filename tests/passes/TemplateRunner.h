// SPDX-License-Identifier: Apache-2.0
//
// Runs the template of an encoded function on numbers of 128 bits: relations of 64-bit code leave
// 64 bits on the way, where the reference interpreter gives up.
#pragma once

#include "IrEvaluator.h"

#include "compose/Program.h"
#include "logic/Linear.h"
#include "passes/encode/Encode.h"

#include <map>

namespace understudy::tests {

class TemplateRunner {
public:
  using State = std::map<logic::Variable, logic::Wide>;

  TemplateRunner(const compose::Program &program, const passes::encode::Encoded &encoded)
      : program_(program), encoded_(encoded) {}

  /// `state` has the globals; locals start as the template says, open ones as 0. Inputs are given
  /// in the order of the calls, as the sort of the input reads them. Throws std::runtime_error when
  /// two edges can be taken, or when an edge leaves a variable open.
  Outcome run(std::vector<llvm::APInt> inputs);

  State state;

private:
  const compose::Program &program_;
  const passes::encode::Encoded &encoded_;

  bool take(const compose::Edge &edge, const std::vector<passes::encode::Input> &inputs,
            const std::vector<llvm::APInt> &values, size_t consumed, State &after) const;
};

} // namespace understudy::tests
