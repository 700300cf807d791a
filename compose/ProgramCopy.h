// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Interpreter.h"
#include "compose/Program.h"

namespace understudy::compose {

/// The same program in a pool of its own: what is done with the copy has no effect on the order of
/// terms in the pool of the original. Its variables are in the order of the original. May run while
/// another thread works with the original.
Program copyOf(const Program &program);

/// The program in which as many threads start as the counts say, instead of any number.
Program withNumbers(const Program &program, const ThreadCounts &counts);

} // namespace understudy::compose
