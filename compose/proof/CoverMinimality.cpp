// SPDX-License-Identifier: Apache-2.0
//
// Condition 4 of Definition 2 of the widening paper: everything smaller than an element of a proof
// can be covered. It is enough to look at the elements with one thread less. Each is searched
// backward; what the proof excludes is left out, because it leads to no start.
#include "compose/proof/CoverCheck.h"
#include "compose/proof/CoverCheckParts.h"

#include <algorithm>
#include <map>
#include <set>

namespace understudy::compose::proof {

namespace {

/// Condition 4, by a backward search that leaves out what the proof excludes.
class MinimalityCheck {
public:
  MinimalityCheck(const cover::net::CoverProblem &problem, const cover::net::CoverProof &proof,
                  uint64_t most)
      : problem_(problem), proof_(proof), left_(most), closure_(problem.net.sharedStates),
        into_(problem.net.sharedStates) {
    for (const cover::net::Configuration &element : proof.uncoverable)
      closure_.add(element);
    for (const cover::net::Transition &transition : problem.net.transitions)
      into_[transition.to].push_back(&transition);
  }

  Minimality run() {
    std::set<cover::net::Configuration> candidates;
    for (const cover::net::Configuration &element : proof_.uncoverable)
      for (const cover::net::Group &group : element.threads)
        candidates.insert({element.shared, minus(element.threads, {{group.local, 1}})});
    bool open = false;
    for (const cover::net::Configuration &candidate : candidates) {
      std::optional<bool> coverable = isCoverable(candidate);
      if (coverable == false)
        return Minimality::NotMinimal;
      open = open || !coverable;
    }
    return open ? Minimality::NotKnown : Minimality::Minimal;
  }

private:
  const cover::net::CoverProblem &problem_;
  const cover::net::CoverProof &proof_;
  uint64_t left_;
  Closure closure_;
  std::vector<std::vector<const cover::net::Transition *>> into_;
  std::set<cover::net::Configuration> coverable_; ///< known to be

  bool isKnown(const cover::net::Configuration &configuration) const {
    if (coverable_.contains(configuration))
      return true;
    const auto &starts = problem_.net.starts;
    return std::any_of(starts.begin(), starts.end(), [&](const cover::net::StartSet &start) {
      return mayStart(start, configuration);
    });
  }

  /// None: the limit was reached.
  std::optional<bool> isCoverable(const cover::net::Configuration &candidate) {
    std::map<cover::net::Configuration, cover::net::Configuration> next; ///< towards the candidate
    std::vector<cover::net::Configuration> queue{candidate};
    next.emplace(candidate, candidate);
    Closure seen(problem_.net.sharedStates);
    seen.add(candidate);
    for (size_t at = 0; at < queue.size(); ++at) {
      const cover::net::Configuration current = queue[at];
      if (isKnown(current)) {
        remember(current, candidate, next);
        return true;
      }
      if (left_ == 0)
        return std::nullopt;
      --left_;
      for (const cover::net::Transition *transition : into_[current.shared])
        Before(*transition, current.threads)
            .search(
                [&](const cover::net::Threads &threads) {
                  return closure_.has(transition->from, threads) ||
                         seen.has(transition->from, threads);
                },
                [&](const cover::net::Threads &threads) {
                  cover::net::Configuration before{transition->from, threads};
                  seen.add(before);
                  next.emplace(before, current);
                  queue.push_back(std::move(before));
                  return true;
                });
    }
    return false;
  }

  void remember(cover::net::Configuration from, const cover::net::Configuration &candidate,
                const std::map<cover::net::Configuration, cover::net::Configuration> &next) {
    while (coverable_.insert(from).second && from != candidate)
      from = next.at(from);
    coverable_.insert(candidate);
  }
};

} // namespace

Minimality minimalityOf(const cover::net::CoverProblem &problem,
                        const cover::net::CoverProof &proof, uint64_t maxConfigurations) {
  return MinimalityCheck(problem, proof, maxConfigurations).run();
}

} // namespace understudy::compose::proof
