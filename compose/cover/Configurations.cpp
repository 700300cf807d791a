// SPDX-License-Identifier: Apache-2.0
#include "compose/cover/Configurations.h"

#include "logic/Error.h"
#include "logic/Words.h"

#include <algorithm>

namespace understudy::compose::cover {

namespace {

uint32_t sum(uint32_t left, uint32_t right) {
  if (left == omega || right == omega)
    return omega;
  uint64_t result = uint64_t{left} + right;
  if (result >= omega)
    throw logic::Overflow();
  return static_cast<uint32_t>(result);
}

uint32_t difference(uint32_t left, uint32_t right) {
  if (left == omega)
    return omega;
  return left > right ? left - right : 0;
}

/// Merges two sorted multisets; what `combine` makes 0 is left out.
template <typename Combine>
net::Threads merged(const net::Threads &left, const net::Threads &right, Combine combine) {
  net::Threads result;
  result.reserve(left.size() + right.size());
  auto a = left.begin();
  auto b = right.begin();
  while (a != left.end() || b != right.end()) {
    bool takeA = b == right.end() || (a != left.end() && a->local <= b->local);
    bool takeB = a == left.end() || (b != right.end() && b->local <= a->local);
    net::LocalState local = takeA ? a->local : b->local;
    uint32_t count = combine(takeA ? a->count : 0, takeB ? b->count : 0);
    if (count > 0)
      result.push_back({local, count});
    if (takeA)
      ++a;
    if (takeB)
      ++b;
  }
  return result;
}

net::Threads::iterator positionOf(net::Threads &threads, net::LocalState local) {
  return std::lower_bound(
      threads.begin(), threads.end(), local,
      [](const net::Group &group, net::LocalState key) { return group.local < key; });
}

} // namespace

uint32_t countOf(const net::Threads &threads, net::LocalState local) {
  for (const net::Group &group : threads)
    if (group.local >= local)
      return group.local == local ? group.count : 0;
  return 0;
}

uint64_t finiteCount(const net::Threads &threads) {
  uint64_t count = 0;
  for (const net::Group &group : threads)
    count += group.count == omega ? 0 : group.count;
  return count;
}

bool isBelow(const net::Threads &lower, const net::Threads &upper) {
  if (lower.size() > upper.size())
    return false;
  auto above = upper.begin();
  for (const net::Group &group : lower) {
    while (above != upper.end() && above->local < group.local)
      ++above;
    if (above == upper.end() || above->local != group.local || above->count < group.count)
      return false;
    ++above;
  }
  return true;
}

bool isBelow(const net::Configuration &lower, const net::Configuration &upper) {
  return lower.shared == upper.shared && isBelow(lower.threads, upper.threads);
}

net::Threads plus(const net::Threads &left, const net::Threads &right) {
  return merged(left, right, sum);
}

net::Threads less(const net::Threads &left, const net::Threads &right) {
  return merged(left, right, difference);
}

net::Threads maximum(const net::Threads &left, const net::Threads &right) {
  return merged(left, right, [](uint32_t a, uint32_t b) { return std::max(a, b); });
}

void addTo(net::Threads &threads, net::LocalState local, uint32_t count) {
  auto place = positionOf(threads, local);
  if (place != threads.end() && place->local == local)
    place->count = sum(place->count, count);
  else if (count > 0)
    threads.insert(place, {local, count});
}

void takeFrom(net::Threads &threads, net::LocalState local, uint32_t count) {
  auto place = positionOf(threads, local);
  if (place == threads.end() || place->local != local)
    return;
  place->count = difference(place->count, count);
  if (place->count == 0)
    threads.erase(place);
}

bool isSource(const std::vector<net::Move> &moves, net::LocalState local) {
  auto found =
      std::lower_bound(moves.begin(), moves.end(), local,
                       [](const net::Move &move, net::LocalState key) { return move.from < key; });
  return found != moves.end() && found->from == local;
}

uint64_t signatureOf(const net::Threads &threads) {
  uint64_t signature = 0;
  for (const net::Group &group : threads)
    signature |= uint64_t{1} << (group.local & 63u);
  return signature;
}

size_t ConfigurationHash::operator()(const net::Configuration &configuration) const {
  uint64_t hash = configuration.shared * 0x9e3779b97f4a7c15ull + 1;
  for (const net::Group &group : configuration.threads) {
    hash ^= (uint64_t{group.local} << 32 | group.count) + 0x9e3779b97f4a7c15ull + (hash << 6);
    hash *= 0xff51afd7ed558ccdull;
    hash ^= hash >> 32;
  }
  return hash;
}

std::string text(const net::Configuration &configuration) {
  constexpr uint32_t longest = 4; // more in one state are counted, not listed
  std::vector<std::string> parts;
  for (const net::Group &group : configuration.threads) {
    std::string local = std::to_string(group.local);
    if (group.count == omega)
      parts.push_back(local + "^w");
    else if (group.count > longest)
      parts.push_back(local + " x " + std::to_string(group.count));
    else
      for (uint32_t i = 0; i < group.count; ++i)
        parts.push_back(local);
  }
  return "(" + std::to_string(configuration.shared) + " |" + (parts.empty() ? "" : " ") +
         logic::joined(parts) + ")";
}

} // namespace understudy::compose::cover
