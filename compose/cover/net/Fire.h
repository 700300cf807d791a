// SPDX-License-Identifier: Apache-2.0
//
// Firing forwards, and the replay of a trace.
#pragma once

#include "compose/cover/net/TransferNet.h"

#include <optional>
#include <string>

namespace understudy::compose::cover::net {

/// Fires with choices for the passive threads such that the result is >= goal; none if the
/// transition is not enabled or no choice is good enough. The choices are always the same.
std::optional<Configuration> fireTowards(const Transition &transition,
                                         const Configuration &configuration,
                                         const Configuration &goal);

/// Can firing lead from one to the other exactly?
bool isStep(const Transition &transition, const Configuration &before, const Configuration &after);

/// Is it one of the start configurations?
bool isStart(const TransferNet &net, const Configuration &configuration);

/// A smallest start configuration that is >= configuration.
std::optional<Configuration> startAbove(const TransferNet &net, const Configuration &configuration);

/// What is wrong with the trace, if anything.
std::optional<std::string> replay(const CoverProblem &problem, const CoverTrace &trace);

} // namespace understudy::compose::cover::net
