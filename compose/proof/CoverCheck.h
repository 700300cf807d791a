// SPDX-License-Identifier: Apache-2.0
//
// The check of uncoverability proofs. Shares only the data with the search that finds them.
#pragma once

#include "compose/cover/net/TransferNet.h"

#include <optional>
#include <string>

namespace understudy::compose::proof {

/// Why the elements do not prove that no target can be covered, in words; nothing if they do.
/// - canonical: elements are configurations of the net, sorted, and none covers another;
/// - condition 1 of Definition 2: each target covers an element;
/// - condition 3: no start configuration covers an element;
/// - condition 2: what reaches a configuration that covers an element covers an element itself.
std::optional<std::string> faultOf(const cover::net::CoverProblem &problem,
                                   const cover::net::CoverProof &proof);

enum class Minimality : uint8_t {
  Minimal,    ///< condition 4: everything smaller than an element can be covered
  NotMinimal, ///< something smaller than an element cannot be covered
  NotKnown    ///< more configurations than allowed would have to be looked at
};

/// Precondition: `faultOf` finds nothing. Looks at no more than `maxConfigurations`.
Minimality minimalityOf(const cover::net::CoverProblem &problem,
                        const cover::net::CoverProof &proof, uint64_t maxConfigurations);

} // namespace understudy::compose::proof
