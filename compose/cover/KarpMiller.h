// SPDX-License-Identifier: Apache-2.0
//
// The coverability oracle: which configurations can be covered, found forwards.
#pragma once

#include "compose/cover/Chain.h"
#include "compose/cover/ClosedSets.h"
#include "compose/cover/net/NetIndex.h"
#include "compose/cover/net/SignAnalysis.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <queue>
#include <vector>

namespace understudy::compose::cover {

class KarpMiller {
public:
  enum class Status : uint8_t {
    Running,
    Covered,  ///< a target is covered
    Complete, ///< the nodes are all there is: without threads that cannot matter, a configuration
              ///< is coverable iff it is below a node
    Ended     ///< nothing is left to do, but something was left out
  };
  /// Every configuration below it is coverable.
  struct Node {
    net::Configuration configuration; ///< with `omega`
    uint32_t parent = 0;
    uint32_t transition = 0;
    bool isExpanded = false;
    std::vector<uint32_t> pumps; ///< into pumps_, in the order in which they were applied
  };

  /// `signs`, if not null, says which threads cannot matter; they are left out.
  KarpMiller(const net::NetIndex &index, const net::SignAnalysis *signs,
             std::vector<net::Configuration> targets);

  /// Computes about `work` successors. `interrupt`, from any thread, ends this run and all others.
  Status run(uint64_t work);
  void interrupt() { interrupted_ = true; }
  Status status() const { return status_; }
  const std::deque<Node> &nodes() const { return nodes_; }
  /// Below one of the nodes?
  std::optional<uint32_t> nodeAbove(const net::Configuration &configuration) const {
    return reached_.tagAbove(configuration);
  }
  /// After Covered.
  Chain chainToTarget() const { return chainTo(coveringNode_, targets_[coveredTarget_]); }
  /// Why `demand`, which is below the node, is coverable.
  Chain chainTo(uint32_t node, net::Configuration demand) const;
  uint64_t successors() const { return successors_; }
  uint64_t memoryBytes() const { return memoryBytes_; }

private:
  static constexpr uint32_t noParent = ~uint32_t{0};
  /// Repeating the transitions from `ancestor` to the node makes some counts as large as one likes.
  struct Pump {
    uint32_t ancestor = 0;
    net::Threads before; ///< what the node was without this pump
  };
  struct Pending {
    uint64_t threads;
    uint32_t node;
    bool operator>(const Pending &other) const {
      return threads != other.threads ? threads > other.threads : node > other.node;
    }
  };

  const net::NetIndex *index_;
  const net::SignAnalysis *signs_;
  std::vector<net::Configuration> targets_;
  std::deque<Node> nodes_;
  std::vector<Pump> pumps_;
  DownwardSet reached_; ///< tags are nodes
  static constexpr uint32_t turns = 4;
  uint32_t turn_ = 0; ///< 0: the node with the fewest threads is next, otherwise the newest
  std::vector<uint32_t> newest_;
  std::priority_queue<Pending, std::vector<Pending>, std::greater<>> fewest_;
  Status status_ = Status::Running;
  bool leftOut_ = false;
  std::atomic<bool> interrupted_ = false;
  uint32_t coveringNode_ = 0, coveredTarget_ = 0;
  uint64_t successors_ = 0, memoryBytes_ = 0;

  void addStarts();
  std::optional<uint32_t> next();
  void expand(uint32_t node);
  void fire(uint32_t node, uint32_t transition);
  void reach(net::Configuration configuration, uint32_t parent, uint32_t transition);
  std::vector<uint32_t> accelerate(net::Configuration &configuration, uint32_t parent,
                                   uint32_t transition);
  void add(Node node);
  bool movesPassively(uint32_t transition) const;
  std::vector<uint32_t> path(uint32_t ancestor, uint32_t node) const;
};

} // namespace understudy::compose::cover
