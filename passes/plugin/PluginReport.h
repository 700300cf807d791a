// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/Conform.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace understudy::passes::plugin {

/// Prints the result as a compiler would: errors for violations, warnings for what is not decided,
/// notes along the way. Gives the message with which the build fails, empty if it does not.
std::string reportToBuild(const ConformResult &result, llvm::raw_ostream &out);

} // namespace understudy::passes::plugin
