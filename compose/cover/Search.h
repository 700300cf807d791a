// SPDX-License-Identifier: Apache-2.0
//
// What the backward searches have in common. A search runs in slices, so that it can take turns
// with the oracle, and stops with a chain (covered) or a proof (uncoverable).
#pragma once

#include "compose/cover/Chain.h"
#include "compose/cover/Configurations.h"
#include "compose/cover/Coverable.h"
#include "compose/cover/KarpMiller.h"
#include "compose/cover/net/NetIndex.h"
#include "compose/cover/net/SignAnalysis.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <vector>

namespace understudy::compose::cover {

/// What a search works on; outlives it.
struct SearchInput {
  const net::CoverProblem *problem = nullptr;
  const net::NetIndex *index = nullptr;     ///< of the transitions that can matter
  const net::SignAnalysis *signs = nullptr; ///< null: nothing is known
  const KarpMiller *oracle = nullptr;       ///< null: there is none
};

struct SearchStatistics {
  uint64_t vertices = 0;     ///< created
  uint64_t mostVertices = 0; ///< at one time
  uint64_t iterations = 0;   ///< vertices expanded
  uint64_t predecessors = 0;
  uint64_t candidates = 0; ///< by widening
  uint64_t retreats = 0;   ///< candidates that were coverable
  uint64_t longestPath = 0;
  uint64_t memoryBytes = 0; ///< an estimate
};

class Search {
public:
  enum class Status : uint8_t { Running, Covered, Uncoverable };

  explicit Search(const SearchInput &input) : input_(input), coverable_(input.problem->net) {}
  virtual ~Search() = default;
  Search(const Search &) = delete;
  Search &operator=(const Search &) = delete;

  /// Computes about `work` predecessors; the smallest vertices first, then the oldest.
  Status run(uint64_t work) {
    const uint64_t end = statistics_.predecessors + work;
    while (status_ == Status::Running && statistics_.predecessors < end) {
      if (pending_.empty()) {
        status_ = Status::Uncoverable;
        break;
      }
      const uint32_t next = pending_.top().vertex;
      pending_.pop();
      visit(next);
    }
    return status_;
  }
  /// A node of the oracle is coverable.
  virtual void learn(const net::Configuration &configuration, uint32_t node) = 0;
  /// After Uncoverable: with the configurations that the sign analysis excludes, a proof.
  virtual std::vector<net::Configuration> uncoverable() const = 0;

  Status status() const { return status_; }
  /// After Covered.
  const Chain &chain() const { return chain_; }
  const SearchStatistics &statistics() const { return statistics_; }

protected:
  SearchInput input_;
  Coverable coverable_;
  Status status_ = Status::Running;
  Chain chain_;
  SearchStatistics statistics_;

  /// Expands the vertex, unless it is no longer worth it.
  virtual void visit(uint32_t vertex) = 0;
  void wait(uint32_t vertex, const net::Configuration &configuration) {
    pending_.push({finiteCount(configuration.threads), vertex});
  }
  bool isPossible(const net::Configuration &configuration) const {
    return !input_.signs || input_.signs->isPossible(configuration);
  }
  void cover(uint32_t fact, const net::Configuration &demand) {
    chain_ = coverable_.chainTo(fact, demand, input_.oracle);
    status_ = Status::Covered;
  }

private:
  struct Pending {
    uint64_t threads;
    uint32_t vertex;
    bool operator>(const Pending &other) const {
      return threads != other.threads ? threads > other.threads : vertex > other.vertex;
    }
  };
  std::priority_queue<Pending, std::vector<Pending>, std::greater<>> pending_;
};

/// Algorithm 1: the classical backward search.
std::unique_ptr<Search> backwardSearch(const SearchInput &input);

/// How much is kept of what is not minimal.
enum class Variant : uint8_t {
  Full, ///< Algorithm 3: every vertex is widened when it is met
  Lean  ///< section 3.5: vertices that are not minimal wait until they are
};

/// CAT. Candidates have at most `widenThreads` threads.
std::unique_ptr<Search> wideningSearch(const SearchInput &input, Variant variant,
                                       uint32_t widenThreads);

} // namespace understudy::compose::cover
