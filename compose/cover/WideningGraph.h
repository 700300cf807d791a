// SPDX-License-Identifier: Apache-2.0
//
// The forest of a widening search: vertices, the cover-predecessor edges between them, and the
// partition into trees, one for each root (target or candidate).
#pragma once

#include "compose/cover/ClosedSets.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

namespace understudy::compose::cover {

class WideningGraph {
public:
  static constexpr uint32_t none = ~uint32_t{0};

  enum class State : uint8_t {
    Minimal, ///< in U and below every comparable vertex
    Waiting, ///< a minimal or waiting vertex, its dominator, is below it
    Gone
  };
  struct Edge {
    uint32_t vertex = 0;
    uint32_t transition = 0;
  };
  struct Vertex {
    net::Configuration configuration;
    State state = State::Waiting;
    bool isExpanded = false;
    bool isTarget = false;
    uint32_t root = 0; ///< zeta of the paper
    uint32_t depth = 0;
    std::vector<Edge> successors;       ///< this is a cover predecessor of them
    std::vector<uint32_t> predecessors; ///< the other ends, perhaps gone
    std::vector<uint32_t> waiting;      ///< whose dominator this is, perhaps gone
  };

  const Vertex &operator[](uint32_t vertex) const { return vertices_[vertex]; }
  uint32_t size() const { return static_cast<uint32_t>(vertices_.size()); }
  size_t alive() const { return byConfiguration_.size(); }
  const UpwardSet &minimal() const { return minimal_; }
  bool isGone(uint32_t vertex) const { return vertices_[vertex].state == State::Gone; }
  std::optional<uint32_t> find(const net::Configuration &configuration) const;

  /// A new vertex, waiting for nothing yet. Its root is itself, or the root of `successor`.
  uint32_t add(net::Configuration configuration);
  uint32_t add(net::Configuration configuration, Edge successor);
  void link(uint32_t predecessor, Edge successor);
  void markTarget(uint32_t vertex) { vertices_[vertex].isTarget = true; }
  void markExpanded(uint32_t vertex) { vertices_[vertex].isExpanded = true; }

  /// `vertex` becomes minimal; those above it wait for it from now on.
  void makeMinimal(uint32_t vertex);
  void wait(uint32_t vertex, uint32_t dominator);
  /// Lambda of the paper: the vertex becomes the root of its subtree.
  void makeRoot(uint32_t vertex);

  /// Removes the trees of these roots, except for what other trees need (Backtrack, Algorithm 2),
  /// and `doomed` in any case. Returns those that waited for a removed vertex, by age.
  std::vector<uint32_t> prune(const std::vector<uint32_t> &roots,
                              const std::vector<uint32_t> &doomed);
  /// A root that no vertex of another tree waits for or leads to is of no use.
  bool isNeeded(uint32_t root) const;

private:
  std::deque<Vertex> vertices_;
  std::unordered_map<net::Configuration, uint32_t, ConfigurationHash> byConfiguration_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> members_; ///< by root; perhaps moved or gone
  UpwardSet minimal_;
  enum class Fate : uint8_t { Stays, Undecided, Doomed };
  std::vector<Fate> fate_; ///< while pruning; all `Stays` otherwise

  std::vector<uint32_t> membersOf(const std::vector<uint32_t> &roots);
  void rescue(const std::vector<uint32_t> &members);
  void remove(uint32_t vertex, std::vector<uint32_t> &revived);
  void moveTo(uint32_t vertex, uint32_t root);
};

} // namespace understudy::compose::cover
