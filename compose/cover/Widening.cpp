// SPDX-License-Identifier: Apache-2.0
//
// CAT, coverability analysis by target-set widening (Algorithm 3 of the widening paper), and its
// lean variant (section 3.5).
//
// The problem: a backward search from the target meets configurations with more and more threads.
// The idea: before a configuration is expanded, try one that is smaller (a candidate). If the
// candidate is uncoverable, so is the configuration, and it has fewer and smaller predecessors. If
// it turns out coverable, retreat: remove the candidate and what was found because of it, and go on
// with what waited for it. An oracle reports coverable configurations early.
//
// Invariant: what is in D (`coverable_`) is coverable, no minimal vertex is in D, and the closure
// property of WideningGraph.cpp holds. When no minimal vertex is left to expand, the minimal
// vertices are an uncoverability proof; when a target gets into D, it is coverable.
//
// Deviations. The paper's U with non-minimal elements is kept by dominators: a vertex that is not
// minimal waits for a smaller one and is looked at again when that is removed, which is the list L
// of section 3.5 without a search in it; the full variant also widens vertices that are not
// minimal. All predecessors of a vertex are compared with D before one is added. A candidate that
// nothing waits for any more is dropped. For Definition 5 see WideningGraph.cpp.
#include "compose/cover/Search.h"
#include "compose/cover/WideningGraph.h"
#include "compose/cover/net/Predecessors.h"

#include <algorithm>
#include <unordered_set>

namespace understudy::compose::cover {

namespace {

class Widening final : public Search {
public:
  Widening(const SearchInput &input, Variant variant, uint32_t widenThreads)
      : Search(input), variant_(variant), widenThreads_(widenThreads) {
    for (const net::Configuration &target : input.problem->targets)
      if (status_ == Status::Running && isPossible(target))
        addTarget(target);
  }

  void learn(const net::Configuration &configuration, uint32_t node) override {
    if (status_ != Status::Running)
      return;
    uint32_t fact = coverable_.addNode(configuration, node);
    for (uint32_t vertex : graph_.minimal().allBelow(configuration))
      found_.push_back({vertex, fact});
    retreat();
  }

  std::vector<net::Configuration> uncoverable() const override {
    std::vector<net::Configuration> result;
    for (uint32_t vertex = 0; vertex < graph_.size(); ++vertex)
      if (graph_[vertex].state == WideningGraph::State::Minimal)
        result.push_back(graph_[vertex].configuration);
    return result;
  }

private:
  struct Found {
    uint32_t vertex;
    uint32_t fact; ///< shows that it is coverable
  };
  Variant variant_;
  uint32_t widenThreads_;
  WideningGraph graph_;
  std::vector<Found> found_; ///< coverable, not yet dealt with

  void visit(uint32_t vertex) override {
    ++statistics_.predecessors;
    if (isPending(vertex))
      dropIfUseless(vertex);
    if (isPending(vertex)) // another tree may have needed it
      expand(vertex);
  }

  void addTarget(const net::Configuration &target) {
    if (auto fact = coverable_.factAbove(target))
      return cover(*fact, target);
    auto known = graph_.find(target);
    uint32_t vertex = known ? *known : graph_.add(target);
    graph_.markTarget(vertex);
    if (!known) {
      count(vertex);
      place(vertex);
    }
  }

  bool isPending(uint32_t vertex) const {
    return graph_[vertex].state == WideningGraph::State::Minimal && !graph_[vertex].isExpanded;
  }

  void expand(uint32_t vertex) {
    ++statistics_.iterations;
    const net::Configuration &configuration = graph_[vertex].configuration;
    std::vector<net::Predecessor> all = net::predecessors(*input_.index, configuration);
    statistics_.predecessors += all.size();
    std::erase_if(all, [&](const net::Predecessor &p) {
      return isBelow(configuration, p.configuration) || !isPossible(p.configuration);
    });
    for (const net::Predecessor &p : all)
      if (auto fact = coverable_.factAbove(p.configuration)) {
        uint32_t step = coverable_.addStep(configuration, p.configuration, *fact, p.transition);
        found_.push_back({vertex, step});
        return retreat();
      }
    graph_.markExpanded(vertex);
    for (net::Predecessor &p : all)
      meet(std::move(p), vertex);
  }

  void meet(net::Predecessor p, uint32_t successor) {
    if (auto known = graph_.find(p.configuration))
      return graph_.link(*known, {successor, p.transition});
    uint32_t vertex = graph_.add(std::move(p.configuration), {successor, p.transition});
    count(vertex);
    place(vertex);
  }

  /// For a vertex that is neither minimal nor waiting, and not in D.
  void place(uint32_t vertex) {
    auto below = graph_.minimal().anyBelow(graph_[vertex].configuration);
    if (below && variant_ == Variant::Lean)
      return graph_.wait(vertex, *below);
    if (auto smaller = candidate(graph_[vertex].configuration)) {
      uint32_t root = widenTo(std::move(*smaller));
      return graph_.wait(vertex, root);
    }
    if (below)
      return graph_.wait(vertex, *below);
    becomeMinimal(vertex);
  }

  /// A candidate is minimal among what is not in D, so it is minimal in the graph, too.
  uint32_t widenTo(net::Configuration smaller) {
    if (auto known = graph_.find(smaller)) {
      graph_.makeRoot(*known);
      return *known;
    }
    ++statistics_.candidates;
    uint32_t root = graph_.add(std::move(smaller));
    count(root);
    becomeMinimal(root);
    return root;
  }

  void becomeMinimal(uint32_t vertex) {
    graph_.makeMinimal(vertex);
    if (!graph_[vertex].isExpanded)
      wait(vertex, graph_[vertex].configuration);
  }

  /// The smallest configuration strictly below that is not in D and has few enough threads.
  std::optional<net::Configuration> candidate(const net::Configuration &configuration) const {
    uint64_t threads = finiteCount(configuration.threads);
    for (uint64_t size = 0; size <= widenThreads_ && size < threads; ++size) {
      net::Configuration partial{configuration.shared, {}};
      if (auto found = candidateOfSize(configuration.threads, 0, size, partial))
        return found;
    }
    return std::nullopt;
  }

  std::optional<net::Configuration> candidateOfSize(const net::Threads &from, size_t next,
                                                    uint64_t size,
                                                    net::Configuration &partial) const {
    if (size == 0)
      return coverable_.contains(partial) ? std::nullopt : std::optional(partial);
    if (next == from.size())
      return std::nullopt;
    uint64_t most = std::min<uint64_t>(from[next].count, size);
    for (uint64_t here = most + 1; here-- > 0;) {
      if (here > 0)
        partial.threads.push_back({from[next].local, static_cast<uint32_t>(here)});
      auto found = candidateOfSize(from, next + 1, size - here, partial);
      if (here > 0)
        partial.threads.pop_back();
      if (found)
        return found;
    }
    return std::nullopt;
  }

  /// Closes `found_` under successors and downwards, prunes, and places what waited.
  void retreat() {
    while (!found_.empty() && status_ == Status::Running) {
      auto coverable = closure();
      if (status_ != Status::Running)
        return;
      std::vector<uint32_t> roots;
      for (uint32_t vertex : coverable)
        roots.push_back(graph_[vertex].root);
      std::sort(roots.begin(), roots.end());
      roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
      statistics_.retreats += roots.size();
      revive(graph_.prune(roots, coverable));
    }
  }

  void revive(const std::vector<uint32_t> &vertices) {
    for (uint32_t vertex : vertices)
      if (auto fact = coverable_.factAbove(graph_[vertex].configuration))
        found_.push_back({vertex, *fact});
      else
        place(vertex);
  }

  /// All vertices now known to be coverable.
  std::vector<uint32_t> closure() {
    std::vector<uint32_t> result;
    std::unordered_set<uint32_t> seen;
    while (!found_.empty()) {
      auto [vertex, fact] = found_.back();
      found_.pop_back();
      if (graph_.isGone(vertex) || !seen.insert(vertex).second)
        continue;
      result.push_back(vertex);
      const net::Configuration &configuration = graph_[vertex].configuration;
      if (graph_[vertex].isTarget) {
        cover(fact, configuration);
        return {};
      }
      for (const auto &edge : graph_[vertex].successors)
        if (!graph_.isGone(edge.vertex) && !seen.contains(edge.vertex))
          found_.push_back({edge.vertex, coverable_.addStep(graph_[edge.vertex].configuration,
                                                            configuration, fact, edge.transition)});
      for (uint32_t smaller : graph_.minimal().allBelow(configuration))
        if (!seen.contains(smaller))
          found_.push_back({smaller, fact});
    }
    std::sort(result.begin(), result.end());
    return result;
  }

  void dropIfUseless(uint32_t vertex) {
    uint32_t root = graph_[vertex].root;
    if (graph_.isNeeded(root))
      return;
    revive(graph_.prune({root}, {}));
    retreat();
  }

  void count(uint32_t vertex) {
    constexpr uint64_t perVertex = 350, perGroup = 40;
    ++statistics_.vertices;
    statistics_.memoryBytes += perVertex + perGroup * graph_[vertex].configuration.threads.size();
    statistics_.mostVertices = std::max<uint64_t>(statistics_.mostVertices, graph_.alive());
    statistics_.longestPath = std::max<uint64_t>(statistics_.longestPath, graph_[vertex].depth);
  }
};

} // namespace

std::unique_ptr<Search> wideningSearch(const SearchInput &input, Variant variant,
                                       uint32_t widenThreads) {
  return std::make_unique<Widening>(input, variant, widenThreads);
}

} // namespace understudy::compose::cover
