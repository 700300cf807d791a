// SPDX-License-Identifier: Apache-2.0
//
// The problem: do the elements, with all that is larger, form an uncoverability proof (Definition 2
// of the widening paper)? Targets and starts are compared directly. The idea for condition 2: for
// an element u and a transition, look for a refutation, a configuration outside of the closure that
// reaches one of u's. It is made up from the threads that u asks for: those that the transition
// produces are there already, and for each of the rest we go through the places where it may have
// been before the step. As soon as what we have covers an element, no larger configuration is a
// refutation, and the branch ends; a branch that lives to its end is one.
//
// For a signal, either nobody was there to take it (then no thread that u asks for may be in the
// source of a move, and all have stayed), or somebody was, who may or may not be one of those that
// u asks for.
//
// Invariant: a configuration (from | M) reaches some (to | M') >= u by the transition if and only
// if M contains what one of the branches ends with, consumed threads included. So the check is
// exact: it accepts each proof and nothing else.
#include "compose/proof/CoverCheck.h"

#include "compose/proof/CoverCheckParts.h"

#include <algorithm>
#include <map>

namespace understudy::compose::proof {

namespace {

constexpr uint32_t mostThreads = 1u << 20; ///< in one local state: sums of two stay numbers

class Check {
public:
  Check(const cover::net::CoverProblem &problem, const cover::net::CoverProof &proof)
      : problem_(problem), proof_(proof), closure_(problem.net.sharedStates) {}

  std::optional<std::string> fault() {
    if (auto wrong = form())
      return wrong;
    for (const cover::net::Configuration &element : proof_.uncoverable)
      closure_.add(element);
    if (auto wrong = targets())
      return wrong;
    if (auto wrong = starts())
      return wrong;
    return steps();
  }

private:
  const cover::net::CoverProblem &problem_;
  const cover::net::CoverProof &proof_;
  Closure closure_;

  std::optional<std::string> form() const {
    const auto &elements = proof_.uncoverable;
    for (size_t i = 0; i < elements.size(); ++i) {
      if (!isConfiguration(elements[i]))
        return "element " + std::to_string(i + 1) + " is not a configuration of the model";
      if (i > 0 && !(elements[i - 1] < elements[i]))
        return "element " + std::to_string(i + 1) + ", " + text(elements[i]) +
               ", is out of order: elements must be sorted and distinct";
    }
    Closure smaller(problem_.net.sharedStates);
    auto order = elements;
    auto size = [](const cover::net::Configuration &c) {
      uint64_t sum = 0;
      for (const cover::net::Group &group : c.threads)
        sum += group.count;
      return sum;
    };
    std::sort(order.begin(), order.end(), [&](const auto &a, const auto &b) {
      return std::pair(size(a), a) < std::pair(size(b), b);
    });
    for (const cover::net::Configuration &element : order) {
      if (smaller.has(element.shared, element.threads))
        return text(element) + " covers another element";
      smaller.add(element);
    }
    return std::nullopt;
  }

  bool isConfiguration(const cover::net::Configuration &element) const {
    if (element.shared >= problem_.net.sharedStates)
      return false;
    for (size_t i = 0; i < element.threads.size(); ++i) {
      const cover::net::Group &group = element.threads[i];
      if (group.local >= problem_.net.localStates || group.count == 0 ||
          group.count > mostThreads || (i > 0 && element.threads[i - 1].local >= group.local))
        return false;
    }
    return true;
  }

  std::optional<std::string> targets() const {
    for (const cover::net::Configuration &target : problem_.targets)
      if (!closure_.has(target.shared, target.threads))
        return "condition 1: the target " + text(target) + " covers no element";
    return std::nullopt;
  }

  std::optional<std::string> starts() const {
    for (const cover::net::Configuration &element : proof_.uncoverable)
      for (const cover::net::StartSet &start : problem_.net.starts)
        if (mayStart(start, element))
          return "condition 3: " + text(element) + " is covered by a start configuration";
    return std::nullopt;
  }

  std::optional<std::string> steps() const {
    std::map<cover::net::SharedState, std::vector<const cover::net::Configuration *>> elements;
    for (const cover::net::Configuration &element : proof_.uncoverable)
      elements[element.shared].push_back(&element);
    for (size_t i = 0; i < problem_.net.transitions.size(); ++i) {
      const cover::net::Transition &transition = problem_.net.transitions[i];
      auto here = elements.find(transition.to);
      if (here == elements.end())
        continue;
      for (const cover::net::Configuration *element : here->second)
        if (auto outside = refutation(transition, *element))
          return "condition 2: " + text({transition.from, *outside}) +
                 " covers no element and reaches " + text(*element) +
                 ", or a larger one, by transition " + std::to_string(i + 1);
    }
    return std::nullopt;
  }

  std::optional<cover::net::Threads> refutation(const cover::net::Transition &transition,
                                                const cover::net::Configuration &element) const {
    std::optional<cover::net::Threads> outside;
    Before(transition, element.threads)
        .search(
            [&](const cover::net::Threads &threads) {
              bool itself = transition.from == element.shared && contains(threads, element.threads);
              return itself || closure_.has(transition.from, threads);
            },
            [&](const cover::net::Threads &threads) {
              outside = threads;
              return false;
            });
    return outside;
  }
};

} // namespace

std::optional<std::string> faultOf(const cover::net::CoverProblem &problem,
                                   const cover::net::CoverProof &proof) {
  return Check(problem, proof).fault();
}

} // namespace understudy::compose::proof
