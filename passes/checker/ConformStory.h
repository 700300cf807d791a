// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Trace.h"
#include "passes/Conform.h"
#include "passes/checker/Instrument.h"
#include "passes/checker/Machine.h"
#include "passes/encode/Encode.h"
#include "passes/memory/Binding.h"

namespace understudy::passes::checker {

/// Everything that is known of a checker when its trace is read.
struct CheckerModel {
  const Machine &machine;
  const memory::Binding &binding;
  const lower::Lowered &lowered;
  const Checker &checker;
  const encode::Encoded &encoded;
  const compose::Program &program; ///< of the checker
};

/// The trace of a checker as a run of the C thread. Throws std::logic_error if the set of contract
/// states in the trace is not the one that the definition gives.
ConformStory tellConformance(const CheckerModel &model, const compose::Trace &trace);

/// The values from outside along the trace, in the order in which the checker asks for them.
std::vector<int64_t> inputsOf(const CheckerModel &model, const compose::Trace &trace);

} // namespace understudy::passes::checker
