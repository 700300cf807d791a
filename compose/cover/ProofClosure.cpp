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
#include "compose/cover/Fire.h"
#include "compose/cover/NetIndex.h"
#include "compose/cover/Predecessors.h"

#include <algorithm>
#include <deque>
#include <stdexcept>

namespace understudy::compose::cover {

namespace {

class Closure {
public:
  Closure(const CoverProblem &problem, const SignAnalysis *signs)
      : index_(problem.net), signs_(signs) {}

  void add(Configuration configuration) {
    if (minimal_.anyBelow(configuration))
      return;
    auto number = static_cast<uint32_t>(elements_.size());
    elements_.push_back(std::move(configuration));
    for (uint32_t larger : minimal_.allAbove(elements_.back()))
      minimal_.erase(larger);
    minimal_.insert(number, elements_.back());
  }

  /// Adds the part of it that is impossible; it must have one.
  void addImpossible(const Configuration &configuration) {
    if (minimal_.anyBelow(configuration))
      return;
    SharedState shared = configuration.shared;
    if (signs_ && !signs_->isPossible(shared))
      return add({shared, {}});
    for (const Group &group : configuration.threads)
      if (signs_ && !signs_->isPossible(shared, group.local))
        return add({shared, {{group.local, 1}}});
    throw std::logic_error("the uncoverability proof is not closed: " + text(configuration));
  }

  void close() {
    for (uint32_t next = 0; next < elements_.size(); ++next) { // grows meanwhile
      if (!minimal_.contains(next))
        continue;
      for (const Predecessor &p : predecessors(index_, elements_[next]))
        addImpossible(p.configuration);
    }
  }

  CoverProof proof() const {
    CoverProof result;
    for (uint32_t number = 0; number < elements_.size(); ++number)
      if (minimal_.contains(number))
        result.uncoverable.push_back(elements_[number]);
    std::sort(result.uncoverable.begin(), result.uncoverable.end());
    return result;
  }

private:
  NetIndex index_;
  const SignAnalysis *signs_;
  std::deque<Configuration> elements_;
  UpwardSet minimal_;
};

/// Takes out what can be taken out; coverable configurations are closed downwards, so each count
/// has a least value, found by halving.
void makeMinimal(Configuration &configuration, const KarpMiller &oracle) {
  for (size_t i = 0; i < configuration.threads.size();) {
    uint32_t low = 0, high = configuration.threads[i].count;
    while (low < high) {
      uint32_t middle = low + (high - low) / 2;
      Configuration smaller = configuration;
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

std::vector<Configuration> uncoverableByOracle(const CoverProblem &problem, const NetIndex &index,
                                               const KarpMiller &oracle,
                                               const SignAnalysis *signs) {
  std::deque<Configuration> elements;
  UpwardSet known;
  auto meet = [&](Configuration configuration) {
    if ((signs && !signs->isPossible(configuration)) || known.anyBelow(configuration))
      return;
    makeMinimal(configuration, oracle);
    elements.push_back(std::move(configuration));
    known.insert(static_cast<uint32_t>(elements.size() - 1), elements.back());
  };
  for (const Configuration &target : problem.targets)
    meet(target);
  for (size_t next = 0; next < elements.size(); ++next)
    for (Predecessor &p : predecessors(index, elements[next]))
      meet(std::move(p.configuration));
  return {elements.begin(), elements.end()};
}

CoverProof closeProof(const CoverProblem &problem, std::vector<Configuration> uncoverable,
                      const SignAnalysis *signs) {
  Closure closure(problem, signs);
  for (Configuration &configuration : uncoverable)
    closure.add(std::move(configuration));
  for (const Configuration &target : problem.targets)
    closure.addImpossible(target);
  closure.close();
  CoverProof proof = closure.proof();
  for (const Configuration &configuration : proof.uncoverable)
    if (startAbove(problem.net, configuration))
      throw std::logic_error("the uncoverability proof contains a start: " + text(configuration));
  return proof;
}

} // namespace understudy::compose::cover
