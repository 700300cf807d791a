// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/cover/net/TransferNet.h"

#include <cstdint>
#include <string>

namespace understudy::tests {

/// A small random system with transitions of all kinds, the same for the same seed.
compose::cover::net::CoverProblem randomCoverProblem(uint64_t seed);

/// For failures: everything on a few lines.
std::string describe(const compose::cover::net::CoverProblem &problem);

} // namespace understudy::tests
