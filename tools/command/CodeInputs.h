// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/Conform.h"
#include "tools/options/Options.h"

#include <memory>

namespace understudy::tools::command {

/// A contract and the code that it is about.
struct System {
  specs::Compiled contract;
  passes::read::Code code;
  std::shared_ptr<passes::System> bound = nullptr; ///< since conformance was asked for
};

/// Reads the contract, shows its warnings, then reads the code. Throws `logic::Error`, saying what
/// would be right, when the files are not a contract followed by C files.
System readSystem(const options::Options &options);

} // namespace understudy::tools::command
