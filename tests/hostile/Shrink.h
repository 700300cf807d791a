// SPDX-License-Identifier: Apache-2.0
//
// A smaller program that fails as well.
#pragma once

#include "Program.h"

#include <functional>

namespace understudy::tests::hostile {

/// Leaves statements out, and takes blocks apart, as long as the program still fails, with at most
/// so many attempts. `fails` may throw what a program that does not compile throws.
Program shrunk(Program program, const std::function<bool(const Program &)> &fails, size_t attempts);

/// Statements of all functions.
size_t sizeOf(const Program &program);

} // namespace understudy::tests::hostile
