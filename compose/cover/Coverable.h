// SPDX-License-Identifier: Apache-2.0
//
// The set D of the widening paper: what is known to be coverable, and why.
#pragma once

#include "compose/cover/Chain.h"
#include "compose/cover/ClosedSets.h"
#include "compose/cover/KarpMiller.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace understudy::compose::cover {

class Coverable {
public:
  /// The start configurations are coverable.
  explicit Coverable(const net::TransferNet &net);

  /// A fact that shows that the configuration is coverable.
  std::optional<uint32_t> factAbove(const net::Configuration &configuration) const {
    return set_.tagAbove(configuration);
  }
  bool contains(const net::Configuration &configuration) const {
    return set_.contains(configuration);
  }

  /// A node of the oracle.
  uint32_t addNode(const net::Configuration &configuration, uint32_t node);
  /// `via`, which `fact` shows to be coverable, is a cover predecessor by `transition`.
  uint32_t addStep(const net::Configuration &configuration, net::Configuration via, uint32_t fact,
                   uint32_t transition);

  /// How to cover `demand`, which `fact` shows to be coverable.
  Chain chainTo(uint32_t fact, net::Configuration demand, const KarpMiller *oracle) const;

private:
  enum class Kind : uint8_t { Start, Node, Step };
  struct Fact {
    Kind kind = Kind::Start;
    uint32_t reference = 0;  ///< node, or the fact about `via`
    uint32_t transition = 0; ///< of a step
    net::Configuration via, configuration;
  };
  DownwardSet set_; ///< tags are facts
  std::vector<Fact> facts_;

  uint32_t add(const net::Configuration &configuration, Fact fact);
};

} // namespace understudy::compose::cover
