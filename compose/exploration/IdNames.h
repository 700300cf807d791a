// SPDX-License-Identifier: Apache-2.0
//
// States that differ only in the names of thread ids are one state.
//
// A program that only copies ids, compares them and joins by them (`IdUse::opaque`) cannot tell a
// state from its image under a permutation of the ids that keeps the constants it compares them
// with: the image has the same steps and the same failures, renamed. So the ids of every state are
// renamed to the least numbers in an order that the state alone decides (`CanonicalLabelling`): the
// globals are one fact about the ids they hold, and so is each thread. Sections 4 and 5 of the
// paper on dynamic process creation, for the one relation that programs have on ids, equality.
// Dead variables are cleared first: a stale id that nobody reads should not keep states apart.
#pragma once

#include "compose/CanonicalLabelling.h"
#include "compose/IdUse.h"
#include "compose/Reached.h"
#include "compose/exploration/ExplicitModel.h"
#include "compose/exploration/ExplicitState.h"

#include <deque>
#include <map>
#include <set>
#include <vector>

namespace understudy::compose::exploration {

class IdNames {
public:
  /// `dead` are the variables to clear. Model and ids must outlive the names.
  IdNames(ExplicitModel &model, const IdUse &ids, std::vector<DeadLocal> dead);

  /// Precondition: the program uses ids opaquely.
  void makeCanonical(ExplicitState &state);
  /// What the last call did.
  const Renaming &renaming() const { return renaming_; }

  const std::vector<DeadLocal> &dead() const { return dead_; }

private:
  struct Slot {
    uint32_t at = 0;
    bool isArray = false;
  };
  /// The numbers of a tuple that are names, and the number of what is left of it.
  struct Split {
    uint64_t shape = 0;
    std::vector<int64_t> ids;
  };
  static constexpr LocalId unknown = ~LocalId{0};

  ExplicitModel &model_;
  std::set<int64_t> constants_; ///< that keep their names
  std::vector<DeadLocal> dead_;
  std::vector<Slot> globalSlots_;
  std::vector<std::vector<Slot>> localSlots_;                 ///< by template
  std::vector<std::vector<std::vector<uint32_t>>> deadSlots_; ///< by template and location
  std::map<std::vector<int64_t>, uint64_t> shapes_;           ///< their numbers
  std::deque<Split> globals_;                                 ///< by GlobalId
  std::deque<Split> locals_;                                  ///< by LocalId
  std::vector<LocalId> cleared_;                              ///< by LocalId
  CanonicalLabelling labelling_;
  std::vector<int64_t> names_;   ///< the least numbers that are no constants
  std::vector<int64_t> atoms_;   ///< of the state: their names now
  std::vector<int64_t> renamed_; ///< their names then
  std::vector<uint32_t> members_;
  Renaming renaming_;

  LocalId cleared(LocalId local);
  const Split &splitGlobal(GlobalId global);
  const Split &splitLocal(LocalId local);
  Split split(std::span<const int64_t> tuple, const std::vector<Slot> &slots, size_t header);
  void addFact(const Split &split, uint64_t count);
  uint32_t atomOf(int64_t id);
  int64_t newName(int64_t id) const;
  void rename(std::vector<int64_t> &tuple, const std::vector<Slot> &slots);
};

} // namespace understudy::compose::exploration
