// SPDX-License-Identifier: Apache-2.0
#include "passes/Sha256.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

namespace understudy::passes {

std::string sha256(std::string_view bytes) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(bytes)), /*LowerCase=*/true);
}

} // namespace understudy::passes
