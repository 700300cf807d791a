// SPDX-License-Identifier: Apache-2.0
//
// What the checks of proofs work with. Nothing of the search for proofs is used here.
#pragma once

#include "compose/cover/net/TransferNet.h"

#include <functional>
#include <string>
#include <vector>

namespace understudy::compose::proof {

uint32_t countIn(const cover::net::Threads &threads, cover::net::LocalState local);
cover::net::Threads plus(const cover::net::Threads &a, const cover::net::Threads &b);
/// As many as are left; not below zero.
cover::net::Threads minus(const cover::net::Threads &a, const cover::net::Threads &b);
bool contains(const cover::net::Threads &large, const cover::net::Threads &small);

/// Is the configuration covered by one of the start configurations?
bool mayStart(const cover::net::StartSet &start, const cover::net::Configuration &configuration);

/// "(3 | 1, 2, 2)".
std::string text(const cover::net::Configuration &configuration);

/// A set of configurations with all that is larger.
class Closure {
public:
  explicit Closure(uint32_t sharedStates) : at_(sharedStates) {}

  void add(const cover::net::Configuration &element) {
    at_[element.shared].push_back({signature(element.threads), element.threads});
  }
  bool has(cover::net::SharedState shared, const cover::net::Threads &threads) const;

private:
  struct Entry {
    uint64_t signature; ///< a bit for each local state, some sharing one
    cover::net::Threads threads;
  };
  std::vector<std::vector<Entry>> at_;

  static uint64_t signature(const cover::net::Threads &threads);
};

/// Goes through the configurations that reach a given one, or a larger one, by a transition.
class Before {
public:
  /// Is the branch not worth going on with? Called with more and more threads.
  using Ends = std::function<bool(const cover::net::Threads &threads)>;
  /// False stops everything.
  using Found = std::function<bool(const cover::net::Threads &threads)>;

  /// The transition must outlive it.
  Before(const cover::net::Transition &transition, const cover::net::Threads &wanted)
      : transition_(transition), missing_(minus(wanted, transition.produces)) {}

  /// Each (from | M) that reaches one that covers the wanted threads contains a found one, or one
  /// at which a branch ended; and each found one reaches one that does. False: stopped.
  bool search(const Ends &ends, const Found &found) const;

private:
  const cover::net::Transition &transition_;
  cover::net::Threads missing_; ///< of the wanted threads, those that passive threads must be

  bool signalled(const Ends &ends, const Found &found) const;
  std::vector<cover::net::LocalState> origins(cover::net::LocalState local) const;
  bool spread(size_t at, const cover::net::Threads &sofar, const Ends &ends,
              const Found &found) const;
  bool divide(size_t at, std::vector<cover::net::LocalState> from, uint32_t count,
              const cover::net::Threads &sofar, const Ends &ends, const Found &found) const;
};

} // namespace understudy::compose::proof
