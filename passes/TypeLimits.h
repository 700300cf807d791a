// SPDX-License-Identifier: Apache-2.0
//
// Values of C types in the world of the contract.
//
// The problem: integers of a contract have no bounds, and those of C do. A thread with code cannot
// leave the types of its variables unseen: its stores are checked. An environment has no code, so
// its contract could give a variable a value that the variable cannot hold: the composition would
// explore it, and conformance, which knows the types, would not. The idea: such an edge is an
// error, and one that leaves the type in some states only fails there.
#pragma once

#include "passes/System.h"

namespace understudy::passes {

enum class When : uint8_t { Before, After };

/// The variable, all elements of an array, has a value of its C type before or after a step.
logic::Term inType(logic::TermPool &pool, const memory::BoundVariable &variable, When when);

/// Throws `logic::Error` for the edges of environments that can never be taken inside the types.
void requireTypes(System &system);

/// Adds to the environments of a composition that leaving the type of a variable is a failure.
/// With `OverflowMode::Assume`, exceeding the largest value becomes an assumption instead.
void failOutsideTypes(compose::Program &program, System &system, OverflowMode overflow);

} // namespace understudy::passes
