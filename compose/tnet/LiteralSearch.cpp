// SPDX-License-Identifier: Apache-2.0
#include "compose/tnet/LiteralSearch.h"

#include "logic/Error.h"

#include <algorithm>
#include <map>
#include <set>

namespace understudy::compose::tnet {

namespace {

class LiteralExploration {
public:
  LiteralExploration(const Net &net, const ExploreOptions &options)
      : net_(net), options_(options), budget_(options), answers_(net.questions.size()) {}

  ExploreResult run() {
    withinLimits(budget_, result_, [this] { search(); });
    result_.states = markings_.size();
    for (const auto &answer : answers_) {
      result_.found.emplace_back();
      if (answer)
        result_.found.back() = runTo(*answer);
    }
    result_.seconds = budget_.seconds();
    return std::move(result_);
  }

private:
  struct Reached {
    const Marking *marking = nullptr;
    uint32_t parent = 0;
    Firing by; ///< without the marking
  };
  const Net &net_;
  const ExploreOptions &options_;
  Budget budget_;
  std::map<Marking, uint32_t> numbers_;
  std::vector<Reached> markings_;
  std::vector<std::optional<uint32_t>> answers_;
  ExploreResult result_;

  uint32_t insert(const Marking &marking, uint32_t parent, Firing by) {
    auto [entry, isNew] = numbers_.try_emplace(marking, static_cast<uint32_t>(markings_.size()));
    if (isNew) {
      by.after = {};
      markings_.push_back({&entry->first, parent, std::move(by)});
    }
    return entry->second;
  }

  void search() {
    insert(startMarking(net_), 0, {});
    size_t levelBegin = 0, levelEnd = 1;
    for (uint32_t current = 0; current < markings_.size(); ++current) {
      if (current == levelEnd) {
        ++result_.depth;
        levelBegin = levelEnd;
        levelEnd = markings_.size();
      }
      if (options_.maxDepth == result_.depth && current == levelBegin && goesDeeper(current))
        result_.limit = "depth " + std::to_string(*options_.maxDepth);
      else if (!result_.limit && markings_.size() > options_.maxStates)
        result_.limit = "more than " + std::to_string(options_.maxStates) + " states";
      if (result_.limit && options_.maxDepth != result_.depth)
        return;
      const Marking marking = *markings_[current].marking;
      for (size_t i = 0; i < answers_.size(); ++i)
        if (!answers_[i] && !matches(net_, net_.questions[i].pattern, marking, &budget_).empty())
          answers_[i] = current;
      if (!result_.limit)
        expand(current, marking);
    }
  }

  /// Does a marking from here on have a successor that is not known?
  bool goesDeeper(uint32_t current) {
    for (; current < markings_.size(); ++current)
      for (const Firing &firing : firings(net_, *markings_[current].marking, &budget_))
        if (!numbers_.contains(firing.after))
          return true;
    return false;
  }

  void expand(uint32_t current, const Marking &marking) {
    std::set<std::pair<uint32_t, uint32_t>> successors;
    std::vector<Firing> all = firings(net_, marking, &budget_);
    for (const Firing &firing : all)
      successors.emplace(firing.transition, insert(firing.after, current, firing));
    result_.firings += all.size();
    result_.edges += successors.size();
    if (!all.empty())
      return;
    ++result_.dead;
    if (std::all_of(marking.tokens.begin(), marking.tokens.end(), [&](const auto &held) {
          return !net_.places[held.first].isControl || net_.places[held.first].isFinal;
        }))
      ++result_.finished;
  }

  Run runTo(uint32_t number) const {
    std::vector<uint32_t> path{number};
    while (path.back() != 0)
      path.push_back(markings_[path.back()].parent);
    std::reverse(path.begin(), path.end());
    Run run;
    for (uint32_t at : path) {
      run.markings.push_back(*markings_[at].marking);
      if (at == 0)
        continue;
      run.fired.push_back(markings_[at].by);
      run.fired.back().after = *markings_[at].marking;
    }
    return run;
  }
};

} // namespace

ExploreResult exploreLiterally(const Net &net, const ExploreOptions &options) {
  return LiteralExploration(net, options).run();
}

} // namespace understudy::compose::tnet
