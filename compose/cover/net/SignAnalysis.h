// SPDX-License-Identifier: Apache-2.0
//
// Which local states can have a thread at all, and which can matter for the targets: for each
// shared state one bit per local state, no counting.
#pragma once

#include "compose/cover/net/TransferNet.h"

#include <cstdint>
#include <vector>

namespace understudy::compose::cover::net {

/// A set of pairs (shared, local) and of shared states. Only states that occur in the net have a
/// bit; pairs of others are not in the set.
class PairSet {
public:
  PairSet() = default;
  PairSet(const std::vector<uint32_t> *sharedNumber, const std::vector<uint32_t> *localNumber,
          size_t sharedStates, size_t localStates);

  bool has(SharedState shared) const;
  bool has(SharedState shared, LocalState local) const;

private:
  friend class SignFlow;
  const std::vector<uint32_t> *sharedNumber_ = nullptr, *localNumber_ = nullptr;
  size_t words_ = 0;
  std::vector<uint8_t> shared_;
  std::vector<uint64_t> bits_;
};

class SignAnalysis {
public:
  explicit SignAnalysis(const CoverProblem &problem);
  SignAnalysis(const SignAnalysis &) = delete;
  SignAnalysis &operator=(const SignAnalysis &) = delete;

  /// False: no reachable configuration has this shared state, or a thread there in this state.
  /// The complement is closed under predecessors and disjoint from the start: an uncoverability
  /// proof in the sense of Definition 2.
  bool isPossible(SharedState shared) const { return !sized_ || possible_.has(shared); }
  bool isPossible(SharedState shared, LocalState local) const {
    return !sized_ || possible_.has(shared, local);
  }
  bool isPossible(const Configuration &configuration) const;
  /// Without the threads that no cover predecessor of a target, of a predecessor and so on has.
  void dropIrrelevant(Configuration &configuration) const;
  /// Transitions that can fire and can matter.
  const std::vector<bool> &useful() const { return useful_; }

  /// Too many pairs for a table: everything counts as possible and relevant.
  bool isSkipped() const { return !sized_; }

private:
  std::vector<uint32_t> sharedNumber_, localNumber_;
  PairSet possible_, relevant_;
  std::vector<bool> useful_;
  bool sized_ = false;
};

} // namespace understudy::compose::cover::net
