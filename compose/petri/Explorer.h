// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/petri/Net.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace understudy::compose::petri {

struct ExplorerOptions {
  uint64_t maxStates = 2'000'000;
  std::function<bool()> stop; ///< asked now and then; true: give up
};

struct ExplorerResult {
  std::optional<Run> run; ///< a shortest run that marks a bad place and that no observer rejects
  std::string reason;     ///< why the search was given up; empty: it was not
  uint64_t states = 0;
};

/// Breadth-first over (marking, state of every observer). Neither a run nor a reason: there is no
/// such run. Precondition: the net is 1-safe (checked on the way), `bad` is sorted.
ExplorerResult explore(const Net &net, std::span<const PlaceId> bad,
                       std::span<Observer *const> observers, const ExplorerOptions &options);

} // namespace understudy::compose::petri
