// SPDX-License-Identifier: Apache-2.0
//
// Why a configuration is coverable: from any configuration >= begin, fire the first transition
// such that its goal is covered, then the next. Monotonicity makes each step possible.
#pragma once

#include "compose/cover/net/TransferNet.h"

#include <cstdint>
#include <vector>

namespace understudy::compose::cover {

struct ChainLink {
  uint32_t transition = 0;
  net::Configuration goal;
};

struct Chain {
  net::Configuration begin;
  std::vector<ChainLink> links;
};

/// The firing sequence of a chain that begins below a start configuration, without detours: if a
/// later configuration is below an earlier one, what lies between is left out. Throws
/// `std::logic_error` if the chain cannot be fired: a defect of its maker.
net::CoverTrace traceOf(const net::TransferNet &net, const Chain &chain);

} // namespace understudy::compose::cover
