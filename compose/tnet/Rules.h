// SPDX-License-Identifier: Apache-2.0
//
// The transitions of a net, made ready to fire in states without concrete ids.
#pragma once

#include "compose/tnet/Matcher.h"

#include <optional>
#include <utility>
#include <vector>

namespace understudy::compose::tnet {

class Rules {
public:
  explicit Rules(const Net &net);

  uint32_t size() const { return static_cast<uint32_t>(rules_.size()); }
  Matcher &matcher(uint32_t transition) { return rules_[transition].matcher; }
  /// What the state becomes; none if a token does not fit its place, or a number into 64 bits.
  std::optional<State> after(const State &state, uint32_t transition, Matcher::Slots &slots,
                             const std::vector<uint32_t> &taken);
  /// The numbers that the atoms of the state, then the new ones, have after the last firing, or
  /// noAtom.
  const std::vector<Atom> &names() const { return names_; }
  /// How often a number beyond 64 bits cut something off.
  uint64_t leftOut() const;

private:
  struct Produced {
    PlaceId place = 0;
    std::vector<exploration::Code> fields;
  };
  struct Rule {
    Matcher matcher;
    std::vector<std::pair<uint32_t, uint32_t>> spawns; ///< slots of child and parent
    std::vector<uint32_t> ends;
    std::vector<Produced> gives;

    explicit Rule(const Transition &transition);
  };
  const Net &net_;
  std::vector<Rule> rules_;
  exploration::ArrayTable arrays_;
  std::vector<Atom> names_;
  uint64_t leftOut_ = 0; ///< successors

  std::optional<State> fitting(const State &state, const Rule &rule, Matcher::Slots &slots,
                               std::vector<uint32_t> taken);
};

} // namespace understudy::compose::tnet
