// SPDX-License-Identifier: Apache-2.0
//
// Multisets of threads and their order.
#pragma once

#include "compose/cover/TransferNet.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace understudy::compose::cover {

/// As a count: any number. Larger than every other, so that the order needs no special case.
constexpr uint32_t omega = std::numeric_limits<uint32_t>::max();

/// How many are in `local`.
uint32_t countOf(const Threads &threads, LocalState local);
/// All of them; counts of `omega` are left out.
uint64_t finiteCount(const Threads &threads);

/// lower <= upper.
bool isBelow(const Threads &lower, const Threads &upper);
bool isBelow(const Configuration &lower, const Configuration &upper);

/// Arithmetic per local state; `omega` stays `omega`, and `less` never falls below 0. Throws
/// `logic::Overflow` for a count that does not fit.
Threads plus(const Threads &left, const Threads &right);
Threads less(const Threads &left, const Threads &right);
Threads maximum(const Threads &left, const Threads &right);
void addTo(Threads &threads, LocalState local, uint32_t count);
void takeFrom(Threads &threads, LocalState local, uint32_t count);

/// Some move starts from the local state. Precondition: the moves are sorted.
bool isSource(const std::vector<Move> &moves, LocalState local);

/// A bit for each local state (modulo 64) that occurs: lower <= upper implies that the bits of
/// lower are among those of upper.
uint64_t signatureOf(const Threads &threads);

struct ConfigurationHash {
  size_t operator()(const Configuration &configuration) const;
};

/// "(3 | 1, 2, 2)", with "2^w" for any number of threads; long ones as "2 x 40".
std::string text(const Configuration &configuration);

} // namespace understudy::compose::cover
