// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Definition.h"

namespace understudy::tests {

/// The variables that no edge of the system changes.
std::set<int> neverWritten(const FiniteSystem &system);

/// Why part `index` of the system does not conform, by brute force; none if it does.
std::optional<Disproof>
bruteForce(const FiniteSystem &system, size_t index = 0,
           ConcreteThread::Elsewhere elsewhere = ConcreteThread::Elsewhere::Local,
           Reading reading = Reading::AsWorded);

} // namespace understudy::tests
