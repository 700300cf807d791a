// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Describe.h"

namespace understudy::tests {

/// Makes the contract say less, or the same in another way: states merged, copied or split by
/// silent edges, guards dropped, updates set free. A thread that conformed nearly always still
/// does.
void loosen(Random &random, const SharedSpace &space, ThreadContract &contract);

/// A change after which a thread that conformed often does not: an edge dropped or turned
/// elsewhere, a constant changed, a claim dropped or added, a final state less.
void distort(Random &random, const SharedSpace &space, ThreadContract &contract);

/// Removes states that no initial state leads to, as the language demands; false if no state is
/// initial.
bool tidy(ThreadContract &contract);

/// Does every state hold a fixed set of mutexes, final ones none, and is everything guarded changed
/// only where its mutex is held, as the language demands? Precondition: the contract is tidy.
bool keepsLockRules(const SharedSpace &space, const ThreadContract &contract);

} // namespace understudy::tests
