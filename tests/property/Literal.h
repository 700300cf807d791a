// SPDX-License-Identifier: Apache-2.0
//
// A second semantics of CONC, for scalar programs without goto, straight from the text: the rules
// of Figure 3 of the petrification paper over remainder programs, with the rules of the language
// reference for locks and condition variables. It reads the syntax tree and knows neither
// `Program` nor locations, so it checks the compiler as well as the engines.
#pragma once

#include "compose/Verdict.h"
#include "specs/Compile.h"
#include "specs/syntax/Syntax.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace understudy::tests {

struct LiteralOptions {
  uint32_t starred = 2; ///< how many threads `T*` stands for
  specs::SpuriousWakeups spurious = specs::SpuriousWakeups::Off;
  size_t maxStates = 20000;
};

struct LiteralResult {
  compose::Answer answer = compose::Answer::Unknown;
  std::string reason;  ///< of unknown
  uint32_t width = 0;  ///< when safe
  std::string failure; ///< when unsafe
};

LiteralResult exploreLiterally(const specs::syntax::ConcFile &program,
                               const LiteralOptions &options);

} // namespace understudy::tests
