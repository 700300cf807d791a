// SPDX-License-Identifier: Apache-2.0
//
// A search does not follow configurations that the sign analysis excludes, and not transitions that
// cannot fire. For the proof they count: such a predecessor has an impossible shared state or an
// impossible pair, and this alone, (s |) or (s | l), is uncoverable and closed under predecessors
// together with its like.
//
// An oracle that has come to an end knows all that is coverable. Then widening cannot go wrong:
// each configuration is made as small as it can be without becoming coverable.
#include "compose/cover/ProofClosure.h"

#include "compose/cover/ClosedSets.h"
#include "compose/cover/net/Fire.h"
#include "compose/cover/net/NetIndex.h"
#include "compose/cover/net/Predecessors.h"

#include <algorithm>
#include <deque>
#include <stdexcept>

namespace understudy::compose::cover {

namespace {

class Closure {
public:
  Closure(const net::CoverProblem &problem, const net::SignAnalysis *signs)
      : index_(problem.net), signs_(signs) {}

  void add(net::Configuration configuration) {
    if (minimal_.anyBelow(configuration))
      return;
    auto number = static_cast<uint32_t>(elements_.size());
    elements_.push_back(std::move(configuration));
    for (uint32_t larger : minimal_.allAbove(elements_.back()))
      minimal_.erase(larger);
    minimal_.insert(number, elements_.back());
  }

  /// Adds the part of it that is impossible; it must have one.
  void addImpossible(const net::Configuration &configuration) {
    if (minimal_.anyBelow(configuration))
      return;
    net::SharedState shared = configuration.shared;
    if (signs_ && !signs_->isPossible(shared))
      return add({shared, {}});
    for (const net::Group &group : configuration.threads)
      if (signs_ && !signs_->isPossible(shared, group.local))
        return add({shared, {{group.local, 1}}});
    throw std::logic_error("the uncoverability proof is not closed: " + text(configuration));
  }

  void close() {
    for (uint32_t next = 0; next < elements_.size(); ++next) { // grows meanwhile
      if (!minimal_.contains(next))
        continue;
      for (const net::Predecessor &p : net::predecessors(index_, elements_[next]))
        addImpossible(p.configuration);
    }
  }

  net::CoverProof proof() const {
    net::CoverProof result;
    for (uint32_t number = 0; number < elements_.size(); ++number)
      if (minimal_.contains(number))
        result.uncoverable.push_back(elements_[number]);
    std::sort(result.uncoverable.begin(), result.uncoverable.end());
    return result;
  }

private:
  net::NetIndex index_;
  const net::SignAnalysis *signs_;
  std::deque<net::Configuration> elements_;
  UpwardSet minimal_;
};

/// Takes out what can be taken out; coverable configurations are closed downwards, so each count
/// has a least value, found by halving.
void makeMinimal(net::Configuration &configuration, const KarpMiller &oracle) {
  for (size_t i = 0; i < configuration.threads.size();) {
    uint32_t low = 0, high = configuration.threads[i].count;
    while (low < high) {
      uint32_t middle = low + (high - low) / 2;
      net::Configuration smaller = configuration;
      smaller.threads[i].count = middle;
      if (middle == 0)
        smaller.threads.erase(smaller.threads.begin() + static_cast<ptrdiff_t>(i));
      if (oracle.nodeAbove(smaller))
        low = middle + 1;
      else
        high = middle;
    }
    configuration.threads[i].count = high;
    if (high == 0)
      configuration.threads.erase(configuration.threads.begin() + static_cast<ptrdiff_t>(i));
    else
      ++i;
  }
}

} // namespace

std::vector<net::Configuration> uncoverableByOracle(const net::CoverProblem &problem,
                                                    const net::NetIndex &index,
                                                    const KarpMiller &oracle,
                                                    const net::SignAnalysis *signs) {
  std::deque<net::Configuration> elements;
  UpwardSet known;
  auto meet = [&](net::Configuration configuration) {
    if ((signs && !signs->isPossible(configuration)) || known.anyBelow(configuration))
      return;
    makeMinimal(configuration, oracle);
    elements.push_back(std::move(configuration));
    known.insert(static_cast<uint32_t>(elements.size() - 1), elements.back());
  };
  for (const net::Configuration &target : problem.targets)
    meet(target);
  for (size_t next = 0; next < elements.size(); ++next)
    for (net::Predecessor &p : net::predecessors(index, elements[next]))
      meet(std::move(p.configuration));
  return {elements.begin(), elements.end()};
}

net::CoverProof closeProof(const net::CoverProblem &problem,
                           std::vector<net::Configuration> uncoverable,
                           const net::SignAnalysis *signs) {
  Closure closure(problem, signs);
  for (net::Configuration &configuration : uncoverable)
    closure.add(std::move(configuration));
  for (const net::Configuration &target : problem.targets)
    closure.addImpossible(target);
  closure.close();
  net::CoverProof proof = closure.proof();
  for (const net::Configuration &configuration : proof.uncoverable)
    if (net::startAbove(problem.net, configuration))
      throw std::logic_error("the uncoverability proof contains a start: " + text(configuration));
  return proof;
}

} // namespace understudy::compose::cover
