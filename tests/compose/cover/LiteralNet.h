// SPDX-License-Identifier: Apache-2.0
//
// The definitions of TransferNet.h and of coverability, written down without any cleverness, to
// compare the engine with; and random nets to compare them on.
#pragma once

#include "compose/cover/net/Predecessors.h"
#include "compose/cover/net/TransferNet.h"

#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <vector>

namespace understudy::tests::literal {

using compose::cover::net::Configuration;
using compose::cover::net::CoverProblem;
using compose::cover::net::TransferNet;
using compose::cover::net::Transition;

/// All configurations that firing can lead to.
std::set<Configuration> successors(const Transition &transition, const Configuration &before);

bool covers(const Configuration &larger, const Configuration &smaller);
bool isStart(const TransferNet &net, const Configuration &configuration);
bool isBelowStart(const TransferNet &net, const Configuration &configuration);

/// Minimal configurations with a successor that covers `target`, found by trying all that have at
/// most `most` threads.
std::vector<Configuration> predecessors(const TransferNet &net, const Configuration &target,
                                        uint32_t most);

/// C-Pre of section 3.1 without what is >= target: the minimal ones of what the engine finds.
std::vector<compose::cover::net::Predecessor>
coverPredecessors(const compose::cover::net::NetIndex &index, const Configuration &target);

/// Algorithm 1 with these predecessors; none if a configuration has more than `most` threads.
std::optional<bool> isCoverable(const CoverProblem &problem, uint32_t most);

/// Is a target covered by a run in which there are never more than `most` threads?
bool isReached(const CoverProblem &problem, uint32_t most);

/// A small net with all kinds of transitions.
CoverProblem randomProblem(std::mt19937_64 &random);

} // namespace understudy::tests::literal
