// SPDX-License-Identifier: Apache-2.0
//
// Coverability by the letter, for small systems: firing tries everything, predecessors are found by
// firing every configuration that is small enough. Uses nothing of the engine and its checks.
#pragma once

#include "compose/cover/net/TransferNet.h"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace understudy::tests::brute {

using compose::cover::net::Configuration;
using compose::cover::net::CoverProblem;
using compose::cover::net::CoverTrace;
using compose::cover::net::TransferNet;
using compose::cover::net::Transition;

/// v <= w.
bool covers(const Configuration &w, const Configuration &v);
size_t sizeOf(const Configuration &configuration);

/// All that firing the transition can lead to.
std::set<Configuration> fire(const Transition &transition, const Configuration &before);

/// Is it one of the start configurations?
bool isStart(const TransferNet &net, const Configuration &configuration);
/// Is it covered by a start configuration?
bool startCovers(const TransferNet &net, const Configuration &configuration);

/// Is a target covered with no more than so many threads at any time? None: more than
/// `maxConfigurations` were met.
std::optional<bool> forward(const CoverProblem &problem, uint32_t maxThreads,
                            size_t maxConfigurations);

/// The minimal configurations from which the transition leads to one that covers `wanted`.
std::set<Configuration> predecessors(const TransferNet &net, const Transition &transition,
                                     const Configuration &wanted);

struct Backward {
  bool coverable = false;
  std::vector<Configuration> basis; ///< if not coverable: minimal elements, sorted
};

/// Algorithm 1 of the widening paper. None: an element became too large.
std::optional<Backward> backward(const CoverProblem &problem, size_t maxElements);

/// Conditions 1 to 3 of Definition 2.
bool isProof(const CoverProblem &problem, const std::vector<Configuration> &elements);

/// Does the trace begin at a start, do its steps fire, and does it end at a target?
bool isTrace(const CoverProblem &problem, const CoverTrace &trace);

} // namespace understudy::tests::brute
