// SPDX-License-Identifier: Apache-2.0
//
// The theorem (Abstract Threads, theorem 1): when every thread conforms to its contract and the
// contracts together are safe, the code is safe.
#pragma once

#include "ConcreteThread.h"

#include <functional>

namespace understudy::tests {

/// One to three threads with contracts. Attempts at which there is something to see (the threads
/// conform, the contracts are safe, and a thread could go wrong if it were not for the others) are
/// taken at once, of the others only a part.
FiniteSystem theoremSystem(uint64_t seed);
/// The same for other systems, and with the rules about locks read in another way: then they
/// conform by that reading, and their code may fail.
FiniteSystem theoremSystem(uint64_t seed, const std::function<FiniteSystem(uint64_t)> &random,
                           Reading reading = Reading::AsWorded);

/// Do all threads conform, by the definition, with the rules read in this way?
bool allConform(const FiniteSystem &system, Reading reading = Reading::AsWorded);

/// Are the contracts, composed, safe?
bool composesSafely(const FiniteSystem &system);

struct TheoremTally {
  size_t systems = 0;
  size_t codeFails = 0;
  size_t proved = 0;  ///< all threads conform, the contracts are safe
  size_t telling = 0; ///< of these: a thread could go wrong alone
  std::string text() const;
};

/// Counts the system, given whether all its threads conform. False if the theorem does not hold of
/// it: proved safe, but the code goes wrong.
bool theoremHolds(const FiniteSystem &system, bool allConform, TheoremTally &tally);

} // namespace understudy::tests
