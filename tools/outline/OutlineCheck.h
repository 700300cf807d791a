// SPDX-License-Identifier: Apache-2.0
//
// Is what a proof outline says true? The obligations are those of certificates
// (`compose/proof/OwickiGriesCheck`); one that fails is shown at the lines of the outline, with
// values that break it.
#pragma once

#include "compose/proof/Obligations.h"
#include "logic/Error.h"
#include "tools/outline/OutlineReader.h"

#include <string>
#include <vector>

namespace understudy::tools::outline {

struct OutlineFinding {
  compose::proof::Discharge::Outcome outcome = compose::proof::Discharge::Outcome::Holds;
  std::string reason;                   ///< one line; empty if it holds
  std::string kind;                     ///< of the obligation that fails: "interference"
  std::vector<logic::Diagnostic> where; ///< the step and the assertion
  std::vector<std::string> values;      ///< "x = 1", "x: 1 → 2"
  size_t obligations = 0;
};

/// Throws `compose::proof::InvalidEvidence`.
OutlineFinding checkOutline(const compose::Program &program, const Outline &outline,
                            const compose::proof::DischargeOptions &options);

} // namespace understudy::tools::outline
