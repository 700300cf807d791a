// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/System.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace understudy::passes::plugin {

/// Prints the result as a compiler would: errors for violations and for what is not decided, with
/// notes along the way; a remark for every thread that conforms, and what else a reader must know:
/// threads of other files, assumptions, and that the composition is still to be proved. Gives the
/// message with which the build fails, empty if it does not.
std::string reportToBuild(System &system, const ConformResult &result, const std::string &contract,
                          llvm::raw_ostream &out);

} // namespace understudy::passes::plugin
