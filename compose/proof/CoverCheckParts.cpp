// SPDX-License-Identifier: Apache-2.0
#include "compose/proof/CoverCheckParts.h"

#include "logic/Words.h"

#include <algorithm>

namespace understudy::compose::proof {

uint32_t countIn(const cover::net::Threads &threads, cover::net::LocalState local) {
  for (const cover::net::Group &group : threads)
    if (group.local == local)
      return group.count;
  return 0;
}

cover::net::Threads plus(const cover::net::Threads &a, const cover::net::Threads &b) {
  cover::net::Threads result;
  result.reserve(a.size() + b.size());
  auto left = a.begin();
  for (const cover::net::Group &right : b) {
    while (left != a.end() && left->local < right.local)
      result.push_back(*left++);
    result.push_back(right);
    if (left != a.end() && left->local == right.local)
      result.back().count += (left++)->count;
  }
  result.insert(result.end(), left, a.end());
  return result;
}

cover::net::Threads minus(const cover::net::Threads &a, const cover::net::Threads &b) {
  cover::net::Threads result;
  for (const cover::net::Group &group : a)
    if (uint32_t taken = countIn(b, group.local); taken < group.count)
      result.push_back({group.local, group.count - taken});
  return result;
}

bool contains(const cover::net::Threads &large, const cover::net::Threads &small) {
  auto at = large.begin();
  for (const cover::net::Group &group : small) {
    while (at != large.end() && at->local < group.local)
      ++at;
    if (at == large.end() || at->local != group.local || at->count < group.count)
      return false;
  }
  return true;
}

bool mayStart(const cover::net::StartSet &start, const cover::net::Configuration &configuration) {
  if (start.shared != configuration.shared)
    return false;
  return std::all_of(configuration.threads.begin(), configuration.threads.end(),
                     [&](const cover::net::Group &group) {
                       return std::find(start.anyNumber.begin(), start.anyNumber.end(),
                                        group.local) != start.anyNumber.end() ||
                              group.count <= countIn(start.threads, group.local);
                     });
}

std::string text(const cover::net::Configuration &configuration) {
  constexpr uint32_t fewEnough = 20;
  std::vector<std::string> parts;
  for (const cover::net::Group &group : configuration.threads) {
    std::string one = std::to_string(group.local);
    if (group.count > fewEnough)
      parts.push_back(one + " (" + std::to_string(group.count) + " times)");
    else
      parts.insert(parts.end(), group.count, one);
  }
  return "(" + std::to_string(configuration.shared) + " |" + (parts.empty() ? "" : " ") +
         logic::joined(parts) + ")";
}

bool Closure::has(cover::net::SharedState shared, const cover::net::Threads &threads) const {
  uint64_t there = signature(threads);
  return std::any_of(at_[shared].begin(), at_[shared].end(), [&](const Entry &entry) {
    return (entry.signature & ~there) == 0 && contains(threads, entry.threads);
  });
}

uint64_t Closure::signature(const cover::net::Threads &threads) {
  uint64_t result = 0;
  for (const cover::net::Group &group : threads)
    result |= uint64_t{1} << (group.local % 64);
  return result;
}

namespace {

bool offer(const cover::net::Threads &threads, const Before::Ends &ends,
           const Before::Found &found) {
  return ends(threads) || found(threads);
}

bool isSource(const std::vector<cover::net::Move> &moves, cover::net::LocalState local) {
  return std::any_of(moves.begin(), moves.end(),
                     [&](const cover::net::Move &move) { return move.from == local; });
}

} // namespace

bool Before::search(const Ends &ends, const Found &found) const {
  if (ends(transition_.consumes))
    return true;
  if (!transition_.transfers.empty())
    return spread(0, transition_.consumes, ends, found);
  if (!transition_.signals.empty())
    return signalled(ends, found);
  return offer(plus(transition_.consumes, missing_), ends, found);
}

bool Before::signalled(const Ends &ends, const Found &found) const {
  bool mayFindNobody =
      std::none_of(missing_.begin(), missing_.end(), [&](const cover::net::Group &group) {
        return isSource(transition_.signals, group.local);
      });
  if (mayFindNobody && !offer(plus(transition_.consumes, missing_), ends, found))
    return false;
  for (const cover::net::Move &move : transition_.signals) {
    cover::net::Threads others = minus(missing_, {{move.to, 1}});
    cover::net::Threads all = plus(plus(transition_.consumes, others), {{move.from, 1}});
    if (!offer(all, ends, found))
      return false;
  }
  return true;
}

/// The places from which a thread may have come to `local`.
std::vector<cover::net::LocalState> Before::origins(cover::net::LocalState local) const {
  std::vector<cover::net::LocalState> result;
  if (!isSource(transition_.transfers, local))
    result.push_back(local);
  for (const cover::net::Move &move : transition_.transfers)
    if (move.to == local)
      result.push_back(move.from);
  return result;
}

/// Finds origins of the missing threads from group `at` on.
bool Before::spread(size_t at, const cover::net::Threads &sofar, const Ends &ends,
                    const Found &found) const {
  if (at == missing_.size())
    return offer(sofar, ends, found);
  return divide(at, origins(missing_[at].local), missing_[at].count, sofar, ends, found);
}

/// `count` threads of group `at` come from the last of `from`, or from those before.
bool Before::divide(size_t at, std::vector<cover::net::LocalState> from, uint32_t count,
                    const cover::net::Threads &sofar, const Ends &ends, const Found &found) const {
  if (count == 0)
    return ends(sofar) || spread(at + 1, sofar, ends, found);
  if (from.empty())
    return true; // nobody can have come there
  cover::net::LocalState last = from.back();
  from.pop_back();
  for (uint32_t here = 0; here <= count; ++here) {
    cover::net::Threads more = here == 0 ? sofar : plus(sofar, {{last, here}});
    if (!divide(at, from, count - here, more, ends, found))
      return false;
  }
  return true;
}

} // namespace understudy::compose::proof
