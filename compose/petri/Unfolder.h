// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/petri/Prefix.h"

#include <functional>
#include <memory>

namespace understudy::compose::petri {

struct UnfoldingLimits {
  uint64_t maxEvents = 1'000'000;                ///< cut-offs included
  uint64_t maxCoEntries = 500'000'000;           ///< of the co-relation
  std::function<bool()> isStopped = {};          ///< asked now and then; true ends the unfolding
  std::function<void(uint64_t units)> work = {}; ///< gets what was done; may throw
};

struct UnfoldingStatistics {
  uint64_t events = 0; ///< cut-offs included
  uint64_t cutOffs = 0;
  uint64_t conditions = 0;
  uint64_t coEntries = 0;
};

/// The complete finite prefix of a net and of observers beside it, each of which is one more
/// sequential component: a transition it does not ignore moves it, and one that would lead it into
/// its sink does not exist. The observers must outlive the unfolder.
class Unfolder {
public:
  enum class Result : uint8_t {
    Found,    ///< an event marks a place that was looked for
    Complete, ///< there is no further event
    Limit,    ///< a limit was met: what is there is a part of the prefix
  };

  Unfolder(const Net &net, std::vector<Observer *> observers, UnfoldingLimits limits = {});
  ~Unfolder();
  Unfolder(const Unfolder &) = delete;
  Unfolder &operator=(const Unfolder &) = delete;

  /// Goes on until an event marks a bad place. Called again, it looks for another event.
  /// Throws std::logic_error if the net is not 1-safe.
  Result find(const std::function<bool(PlaceId)> &bad);
  /// Goes on until the prefix is complete.
  Result complete();

  /// After Found: a run of the net that ends with the event, thread by thread. No observer is in
  /// its sink after it.
  Run run() const;

  UnfoldingStatistics statistics() const;

  /// Its places are those of the net, and from `Net::places` on states of observers.
  const Prefix &prefix() const;
  struct Observed {
    size_t observer = 0;
    Observer::State state = 0;
    auto operator<=>(const Observed &) const = default;
  };
  /// What a place of the prefix that the net does not have stands for.
  Observed observed(PlaceId place) const;

private:
  class Search;
  std::unique_ptr<Search> search_;
};

} // namespace understudy::compose::petri
