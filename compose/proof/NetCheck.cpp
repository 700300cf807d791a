// SPDX-License-Identifier: Apache-2.0
#include "compose/proof/NetCheck.h"

#include "compose/Solutions.h"

#include <algorithm>
#include <map>
#include <set>

namespace understudy::compose::proof {

using tnet::Marking;
using tnet::Pid;
using tnet::Relation;
using tnet::Token;

namespace {

class MarkingsCheck {
public:
  MarkingsCheck(const tnet::Net &net, const tnet::NetProof &proof) : net_(net), proof_(proof) {}

  std::optional<std::string> run() const {
    for (size_t i = 0; i < proof_.states.size(); ++i)
      if (!isConsistent(proof_.states[i].marking))
        return "marking " + std::to_string(i + 1) + " does not fit the net";
    if (proof_.states.empty() || proof_.states.front().marking != tnet::startMarking(net_))
      return "the first marking is not the start";
    for (const tnet::NetProof::Listed &listed : proof_.states)
      if (auto fault = faultOf(listed))
        return fault;
    return std::nullopt;
  }

private:
  const tnet::Net &net_;
  const tnet::NetProof &proof_;

  /// Definitions 3 and 4, and the types of the places.
  bool isConsistent(const Marking &marking) const {
    std::map<Pid, uint32_t> counters, controls;
    for (const auto &[pid, count] : marking.generators)
      if (pid.empty() || !counters.emplace(pid, count).second)
        return false;
    for (const auto &[place, held] : marking.tokens)
      for (const Token &token : held) {
        if (!fits(place, token))
          return false;
        if (net_.places[place].isControl && ++controls[token.front().pid] > 1)
          return false;
      }
    if (controls.size() != counters.size() ||
        !std::equal(controls.begin(), controls.end(), counters.begin(),
                    [](const auto &a, const auto &b) { return a.first == b.first; }))
      return false;
    for (const Pid &pid : marking.pids())
      for (const auto &[active, count] : counters)
        if (tnet::related(Relation::Ancestor, active, pid) && pid[active.size()] > count)
          return false;
    return true;
  }

  bool fits(tnet::PlaceId place, const Token &token) const {
    if (place >= net_.places.size() || token.size() != net_.places[place].columns.size())
      return false;
    for (size_t i = 0; i < token.size(); ++i) {
      const tnet::Column &column = net_.places[place].columns[i];
      if (column.isPid == token[i].pid.empty() ||
          (!column.isPid && !inSort(token[i].value, column.sort)))
        return false;
    }
    return true;
  }

  std::optional<std::string> faultOf(const tnet::NetProof::Listed &listed) const {
    for (const tnet::Question &question : net_.questions)
      if (question.kind == tnet::Question::Kind::Never &&
          !matches(net_, question.pattern, listed.marking).empty())
        return "'never " + question.name + "' is violated in " + text(net_, listed.marking);
    std::vector<tnet::Firing> all = firings(net_, listed.marking);
    if (all.size() != listed.moves.size())
      return std::to_string(all.size()) + (all.size() == 1 ? " firing is" : " firings are") +
             " possible, but " + std::to_string(listed.moves.size()) + " are listed in " +
             text(net_, listed.marking);
    for (size_t i = 0; i < all.size(); ++i) {
      const std::string words =
          "'" + net_.transitions[all[i].transition].name + "' in " + text(net_, listed.marking);
      if (listed.moves[i].target >= proof_.states.size())
        return words + " leads to a marking that is not listed";
      if (!areEquivalent(all[i].after, proof_.states[listed.moves[i].target].marking,
                         listed.moves[i].names))
        return words + " leads to another marking than the one listed, or with other names";
    }
    return std::nullopt;
  }

  /// Definitions 6 and 7, for the relations that the net keeps.
  bool areEquivalent(const Marking &from, const Marking &to,
                     const std::vector<std::pair<Pid, Pid>> &given) const {
    std::map<Pid, Pid> names(given.begin(), given.end());
    std::set<Pid> images;
    for (const auto &[pid, image] : names)
      images.insert(image);
    std::set<Pid> sources;
    for (const auto &[pid, image] : names)
      sources.insert(pid);
    if (names.size() != given.size() || images.size() != names.size() || sources != from.pids() ||
        images != to.pids())
      return false;
    return sameTokens(from, to, names) && sameThreads(from, to, names) &&
           sameRelations(from, to, names);
  }

  static bool sameTokens(const Marking &from, const Marking &to, const std::map<Pid, Pid> &names) {
    std::map<tnet::PlaceId, std::multiset<Token>> renamed;
    for (const auto &[place, held] : from.tokens)
      for (Token token : held) {
        for (tnet::Field &field : token)
          if (!field.pid.empty())
            field.pid = names.at(field.pid);
        renamed[place].insert(std::move(token));
      }
    return renamed == to.tokens;
  }

  static bool sameThreads(const Marking &from, const Marking &to, const std::map<Pid, Pid> &names) {
    std::set<Pid> active, images;
    for (const auto &[pid, count] : to.generators)
      active.insert(pid);
    for (const auto &[pid, count] : from.generators)
      images.insert(names.at(pid));
    return active == images;
  }

  static Pid nextOf(const Marking &marking, const Pid &pid) {
    for (const auto &[active, count] : marking.generators)
      if (active == pid) {
        Pid next = pid;
        next.push_back(count + 1);
        return next;
      }
    return {};
  }

  bool sameRelations(const Marking &from, const Marking &to,
                     const std::map<Pid, Pid> &names) const {
    std::vector<std::pair<Pid, Pid>> present(names.begin(), names.end());
    std::vector<std::pair<Pid, Pid>> all = present; // with next pids
    for (const auto &[pid, count] : from.generators)
      all.emplace_back(nextOf(from, pid), nextOf(to, names.at(pid)));
    auto same = [](Relation relation, const std::vector<std::pair<Pid, Pid>> &pids) {
      for (const auto &[a, imageA] : pids)
        for (const auto &[b, imageB] : pids)
          if (tnet::related(relation, a, b) != tnet::related(relation, imageA, imageB))
            return false;
      return true;
    };
    for (Relation relation : tnet::allRelations) {
      const bool ofSiblings = relation == Relation::Next || relation == Relation::Elder;
      if (net_.relations.has(relation) && !same(relation, ofSiblings ? all : present))
        return false;
    }
    return true;
  }
};

} // namespace

std::optional<std::string> faultOfMarkings(const tnet::Net &net, const tnet::NetProof &proof) {
  return MarkingsCheck(net, proof).run();
}

} // namespace understudy::compose::proof
