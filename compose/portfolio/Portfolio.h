// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/portfolio/Engine.h"
#include "compose/portfolio/Turns.h"

namespace understudy::compose::portfolio {

/// The answer of the engine asked for; without one (`auto`), of the first that decides, which is
/// the same whatever the machine. Throws `logic::Error` for a question that an engine cannot
/// answer.
Outcome decide(const Program &program, const Question &question, const EngineLimits &limits,
               std::optional<EngineName> engine, const TurnOptions &turns = {});

} // namespace understudy::compose::portfolio
