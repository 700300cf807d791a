// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace understudy::tests {

/// A small random CONC program about threads: forks in loops and by forked threads, ids that
/// repeat, joins of ids that nobody has, threads that are never joined, fresh ids. One statement
/// per line. Loops that fork are bounded, so that there are finitely many states.
std::string randomForks(uint64_t seed);

} // namespace understudy::tests
