// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace understudy::tests {

/// A small random CONC program, the same for the same seed, one statement per line (so that the
/// shrinker can work on lines). Nearly all pass the checker; a part of them goes wrong.
std::string randomConc(uint64_t seed);

/// Only what the literal semantics of `Literal.h` knows: scalars, no goto.
std::string randomScalarConc(uint64_t seed);

/// One thread, longer, with more loops and labels to jump to; no mutexes, conditions or invariants.
std::string randomOneThreadConc(uint64_t seed);

} // namespace understudy::tests
