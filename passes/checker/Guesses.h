// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/checker/ConformStory.h"

#include <optional>

namespace understudy::passes::checker {

/// The guess (`PlaceKind::Guess`) that the violation depends on, if it depends on one. None: the
/// trace is one of the code whatever the values are that were guessed.
std::optional<uint32_t> guessBehind(const CheckerModel &model, const compose::Trace &trace);

} // namespace understudy::passes::checker
