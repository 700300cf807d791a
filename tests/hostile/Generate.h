// SPDX-License-Identifier: Apache-2.0
//
// Random hostile programs: C that moves what it knows about a few shared variables through
// pointers, structs, callbacks, external functions and memory that others can reach. They have no
// undefined behaviour, whatever the others do.
#pragma once

#include "Program.h"
#include "Support.h"

namespace understudy::tests::hostile {

Program randomProgram(uint64_t seed);

} // namespace understudy::tests::hostile
