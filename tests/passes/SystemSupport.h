// SPDX-License-Identifier: Apache-2.0
//
// A contract as text and code as LLVM assembly: a system.
#pragma once

#include "passes/System.h"
#include "specs/syntax/Parse.h"
#include "tests/passes/AssemblySupport.h"

namespace understudy::tests {

class SystemOf {
public:
  SystemOf(const std::string &contract, const std::string &code,
           passes::OverflowMode overflow = passes::OverflowMode::Assume)
      : contract_(specs::compile(
            specs::syntax::parseContract(
                std::make_shared<logic::SourceFile>("test.contract", "system s {" + contract + "}"))
                .tree,
            {})),
        code_(code), system_(code_.module(), contract_, overflow, passes::Extent::Whole, {}) {}

  passes::System &operator*() { return system_; }
  passes::System *operator->() { return &system_; }
  const specs::Compiled &contract() const { return contract_; }

private:
  specs::Compiled contract_;
  Assembly code_;
  passes::System system_;
};

} // namespace understudy::tests
