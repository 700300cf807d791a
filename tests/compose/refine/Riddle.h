// SPDX-License-Identifier: Apache-2.0
//
// Programs with a run that the solver does not decide.
#pragma once

#include "compose/refine/Refine.h"
#include "tests/specs/CompileSupport.h"

#include <string>

namespace understudy::tests {

/// Integers that satisfy `riddle` are not found, nor shown to be absent, with few resources.
inline const std::string unknowns =
    "  local int a; local int b; local int c; local int d; local int e; local int f;\n";
inline const std::string riddle =
    "a >= 0 && b >= 0 && c >= 0 && d >= 0 && e >= 0 && f >= 0 && 12228 * a + 36679 * b + 36682 * c "
    "+ 48908 * d + 61139 * e + 73365 * f == 89716837";
inline constexpr uint64_t fewResources = 20'000;

inline const std::string undecided = "the solver cannot decide whether a run is possible: ";

inline const std::string riddleAlone =
    "thread main {\n" + unknowns + "  assume " + riddle + ";\n  assert false;\n}\n";

inline compose::refine::RefineOptions few() {
  compose::refine::RefineOptions options;
  options.resources = fewResources;
  return options;
}

inline compose::refine::RefineResult verifyAlone(const std::string &text,
                                                 const compose::refine::RefineOptions &options) {
  return compose::refine::verifyRefine(compileConc(text).program, options);
}

} // namespace understudy::tests
