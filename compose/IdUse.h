// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/Program.h"
#include "logic/Value.h"

#include <cstdint>
#include <set>
#include <vector>

namespace understudy::compose {

/// How a program uses thread ids.
///
/// Ids given by `fork` without an id can be any numbers that are not alive: infinitely many. If
/// the program only copies ids, compares them with each other or with constants, and joins by them
/// (they are *opaque*), all ids that no id variable and no such constant holds behave alike, so one
/// of them stands for all. If it orders them, computes with them or mixes them with counters, no
/// finite choice is enough, and a search that tried some cannot answer `safe`.
struct IdUse {
  bool givesFresh = false; ///< some fork has no id of its own
  bool opaque = true;
  /// Some join asks for an id, or some fork stores one: ids belong to the state.
  bool matters = false;
  std::set<Variable> variables; ///< hold ids (arrays: their elements do)
  std::set<int64_t> constants;  ///< compared with ids or assigned to id variables
};

IdUse analyseIds(const Program &program);

/// The numbers in a value: itself, or the elements of an array.
void addNumbers(const logic::Value &value, std::set<int64_t> &out);

/// The ids to try for a fresh one: the least number from 1 that is neither held nor alive, then
/// those held and not alive, in order.
std::vector<int64_t> representativeIds(const std::set<int64_t> &held,
                                       const std::set<int64_t> &alive);

} // namespace understudy::compose
