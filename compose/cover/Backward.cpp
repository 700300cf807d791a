// SPDX-License-Identifier: Apache-2.0
//
// Algorithm 1 of the widening paper: the classical backward search. U holds the minimal
// configurations met so far, W those not yet expanded; every one of them can reach a target, so the
// first that is coverable decides.
//
// Deviations: W is ordered by the number of threads, then by age; an oracle may add to what is
// known to be coverable; configurations that the sign analysis excludes are not followed.
#include "compose/cover/Search.h"
#include "compose/cover/net/Predecessors.h"

#include <deque>

namespace understudy::compose::cover {

namespace {

class Backward final : public Search {
public:
  explicit Backward(const SearchInput &input) : Search(input) {
    for (const net::Configuration &target : input.problem->targets)
      if (status_ == Status::Running && isPossible(target))
        meet(target, none, 0);
  }

  void learn(const net::Configuration &configuration, uint32_t node) override {
    if (status_ != Status::Running)
      return;
    uint32_t fact = coverable_.addNode(configuration, node);
    auto covered = minimal_.allBelow(configuration);
    if (!covered.empty())
      conclude(fact, covered.front());
  }

  std::vector<net::Configuration> uncoverable() const override {
    std::vector<net::Configuration> result;
    for (uint32_t vertex = 0; vertex < vertices_.size(); ++vertex)
      if (minimal_.contains(vertex))
        result.push_back(vertices_[vertex].configuration);
    return result;
  }

private:
  static constexpr uint32_t none = ~uint32_t{0};
  struct Vertex {
    net::Configuration configuration;
    uint32_t successor = none;
    uint32_t transition = 0; ///< to the successor
    uint32_t depth = 0;
  };
  std::deque<Vertex> vertices_;
  UpwardSet minimal_;

  void visit(uint32_t vertex) override {
    if (minimal_.contains(vertex))
      expand(vertex);
  }

  void expand(uint32_t vertex) {
    ++statistics_.iterations;
    ++statistics_.predecessors;
    for (net::Predecessor &p : net::predecessors(*input_.index, vertices_[vertex].configuration)) {
      ++statistics_.predecessors;
      if (status_ == Status::Running && isPossible(p.configuration) &&
          !minimal_.anyBelow(p.configuration))
        meet(std::move(p.configuration), vertex, p.transition);
    }
  }

  void meet(net::Configuration configuration, uint32_t successor, uint32_t transition) {
    if (minimal_.anyBelow(configuration))
      return;
    auto vertex = static_cast<uint32_t>(vertices_.size());
    uint32_t depth = successor == none ? 0 : vertices_[successor].depth + 1;
    vertices_.push_back({std::move(configuration), successor, transition, depth});
    const net::Configuration &stored = vertices_.back().configuration;
    if (auto fact = coverable_.factAbove(stored))
      return conclude(*fact, vertex);
    for (uint32_t larger : minimal_.allAbove(stored))
      minimal_.erase(larger);
    minimal_.insert(vertex, stored);
    wait(vertex, stored);
    count(stored, depth);
  }

  void count(const net::Configuration &stored, uint32_t depth) {
    constexpr uint64_t perVertex = 150, perGroup = 30;
    ++statistics_.vertices;
    statistics_.memoryBytes += perVertex + perGroup * stored.threads.size();
    statistics_.mostVertices = std::max<uint64_t>(statistics_.mostVertices, minimal_.size());
    statistics_.longestPath = std::max<uint64_t>(statistics_.longestPath, depth);
  }

  void conclude(uint32_t fact, uint32_t vertex) {
    cover(fact, vertices_[vertex].configuration);
    while (vertices_[vertex].successor != none) {
      uint32_t transition = vertices_[vertex].transition;
      vertex = vertices_[vertex].successor;
      chain_.links.push_back({transition, vertices_[vertex].configuration});
    }
  }
};

} // namespace

std::unique_ptr<Search> backwardSearch(const SearchInput &input) {
  return std::make_unique<Backward>(input);
}

} // namespace understudy::compose::cover
