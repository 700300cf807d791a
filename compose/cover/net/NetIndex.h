// SPDX-License-Identifier: Apache-2.0
//
// The transitions of a net by what a search asks for: those that may lead into a configuration and
// those that a configuration may enable. Nets can have many more pairs of states than transitions,
// so there is no table over the pairs.
#pragma once

#include "compose/cover/net/TransferNet.h"

#include <cstdint>
#include <span>
#include <vector>

namespace understudy::compose::cover::net {

class NetIndex {
public:
  /// `useful[t]`: only these transitions are filed; empty means all. The net must outlive the
  /// index.
  explicit NetIndex(const TransferNet &net, const std::vector<bool> &useful = {});

  const TransferNet &net() const { return *net_; }
  const Transition &transition(uint32_t number) const { return net_->transitions[number]; }

  /// Into another shared state, or moving passive threads: any configuration with shared state
  /// `to` may have a new predecessor by them.
  std::span<const uint32_t> alwaysInto(SharedState to) const;
  /// Within shared state `to`, without passive moves: relevant only for configurations with a
  /// thread in `local`, which they produce.
  std::span<const uint32_t> producing(SharedState to, LocalState local) const;
  /// From shared state `from`, filed under one local state that they consume.
  std::span<const uint32_t> consuming(SharedState from, LocalState local) const;
  /// From shared state `from`, consuming nothing.
  std::span<const uint32_t> unconditional(SharedState from) const;

private:
  /// Numbers sorted by (shared, local), and where each shared state begins.
  struct Files {
    struct Item {
      SharedState shared;
      LocalState local;
      uint32_t transition;
      auto operator<=>(const Item &) const = default;
    };
    std::vector<uint32_t> begins; ///< by shared state
    std::vector<LocalState> locals;
    std::vector<uint32_t> transitions;

    void build(std::vector<Item> items, uint32_t sharedStates);
    std::span<const uint32_t> all(SharedState shared) const;
    std::span<const uint32_t> at(SharedState shared, LocalState local) const;
  };
  const TransferNet *net_;
  Files always_, producing_, consuming_, unconditional_;
};

} // namespace understudy::compose::cover::net
