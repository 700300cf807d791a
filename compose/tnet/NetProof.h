// SPDX-License-Identifier: Apache-2.0
//
// Why a net has no other states: markings, and for everything that can happen in one of them, which
// of them it leads to, and how ids are renamed on the way. Data only.
#pragma once

#include "compose/Limits.h"
#include "compose/tnet/Literal.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace understudy::compose::tnet {

struct NetProof {
  struct Move {
    uint32_t target = 0;
    std::vector<std::pair<Pid, Pid>> names; ///< of the ids after the firing, those of the target
  };
  struct Listed {
    Marking marking;
    std::vector<Move> moves; ///< in the order of `firings`
  };
  std::vector<Listed> states; ///< the start first
};

struct NetProofOptions : Limits {
  uint64_t maxStates = 100'000; ///< every firing is written down with its names
};

/// None if there are more states. Throws `logic::Unsupported` when the time is over.
std::optional<NetProof> proveNet(const Net &net, const NetProofOptions &options);

} // namespace understudy::compose::tnet
