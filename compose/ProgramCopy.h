// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Interpreter.h"
#include "compose/Program.h"
#include "logic/Transfer.h"

namespace understudy::compose {

/// The same program in a pool of its own: what is done with the copy has no effect on the order of
/// terms in the pool of the original. Its variables are in the order of the original. May run while
/// another thread works with the original.
Program copyOf(const Program &program);

/// The copy in which variables, enums, enumerators, threads, locations, mutexes and conditions have
/// other names.
Program renamed(const Program &program, const logic::NewNames &names);

/// The program in which as many threads start as the counts say, instead of any number.
Program withNumbers(const Program &program, const ThreadCounts &counts);

} // namespace understudy::compose
