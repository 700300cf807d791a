// SPDX-License-Identifier: Apache-2.0
//
// Multisets of threads and their order.
#pragma once

#include "compose/cover/net/TransferNet.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace understudy::compose::cover {

/// As a count: any number. Larger than every other, so that the order needs no special case.
constexpr uint32_t omega = std::numeric_limits<uint32_t>::max();

/// How many are in `local`.
uint32_t countOf(const net::Threads &threads, net::LocalState local);
/// All of them; counts of `omega` are left out.
uint64_t finiteCount(const net::Threads &threads);

/// lower <= upper.
bool isBelow(const net::Threads &lower, const net::Threads &upper);
bool isBelow(const net::Configuration &lower, const net::Configuration &upper);

/// Arithmetic per local state; `omega` stays `omega`, and `less` never falls below 0. Throws
/// `logic::Overflow` for a count that does not fit.
net::Threads plus(const net::Threads &left, const net::Threads &right);
net::Threads less(const net::Threads &left, const net::Threads &right);
net::Threads maximum(const net::Threads &left, const net::Threads &right);
void addTo(net::Threads &threads, net::LocalState local, uint32_t count);
void takeFrom(net::Threads &threads, net::LocalState local, uint32_t count);

/// Some move starts from the local state. Precondition: the moves are sorted.
bool isSource(const std::vector<net::Move> &moves, net::LocalState local);

/// A bit for each local state (modulo 64) that occurs: lower <= upper implies that the bits of
/// lower are among those of upper.
uint64_t signatureOf(const net::Threads &threads);

struct ConfigurationHash {
  size_t operator()(const net::Configuration &configuration) const;
};

/// "(3 | 1, 2, 2)", with "2^w" for any number of threads; long ones as "2 x 40".
std::string text(const net::Configuration &configuration);

} // namespace understudy::compose::cover
