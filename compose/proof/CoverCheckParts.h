// SPDX-License-Identifier: Apache-2.0
//
// What the checks of proofs work with. Nothing of the search for proofs is used here.
#pragma once

#include "compose/cover/TransferNet.h"

#include <functional>
#include <string>
#include <vector>

namespace understudy::compose::cover::check {

uint32_t countIn(const Threads &threads, LocalState local);
Threads plus(const Threads &a, const Threads &b);
/// As many as are left; not below zero.
Threads minus(const Threads &a, const Threads &b);
bool contains(const Threads &large, const Threads &small);

/// Is the configuration covered by one of the start configurations?
bool mayStart(const StartSet &start, const Configuration &configuration);

/// "(3 | 1, 2, 2)".
std::string text(const Configuration &configuration);

/// A set of configurations with all that is larger.
class Closure {
public:
  explicit Closure(uint32_t sharedStates) : at_(sharedStates) {}

  void add(const Configuration &element) {
    at_[element.shared].push_back({signature(element.threads), element.threads});
  }
  bool has(SharedState shared, const Threads &threads) const;

private:
  struct Entry {
    uint64_t signature; ///< a bit for each local state, some sharing one
    Threads threads;
  };
  std::vector<std::vector<Entry>> at_;

  static uint64_t signature(const Threads &threads);
};

/// Goes through the configurations that reach a given one, or a larger one, by a transition.
class Before {
public:
  /// Is the branch not worth going on with? Called with more and more threads.
  using Ends = std::function<bool(const Threads &threads)>;
  /// False stops everything.
  using Found = std::function<bool(const Threads &threads)>;

  /// The transition must outlive it.
  Before(const Transition &transition, const Threads &wanted)
      : transition_(transition), missing_(minus(wanted, transition.produces)) {}

  /// Each (from | M) that reaches one that covers the wanted threads contains a found one, or one
  /// at which a branch ended; and each found one reaches one that does. False: stopped.
  bool search(const Ends &ends, const Found &found) const;

private:
  const Transition &transition_;
  Threads missing_; ///< of the wanted threads, those that passive threads must be

  bool signalled(const Ends &ends, const Found &found) const;
  std::vector<LocalState> origins(LocalState local) const;
  bool spread(size_t at, const Threads &sofar, const Ends &ends, const Found &found) const;
  bool divide(size_t at, std::vector<LocalState> from, uint32_t count, const Threads &sofar,
              const Ends &ends, const Found &found) const;
};

} // namespace understudy::compose::cover::check
