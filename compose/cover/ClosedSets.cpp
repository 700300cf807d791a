// SPDX-License-Identifier: Apache-2.0
#include "compose/cover/ClosedSets.h"

#include <algorithm>

namespace understudy::compose::cover {

net::LocalState UpwardSet::chooseWatch(const net::Configuration &configuration) const {
  net::LocalState best = PairFiles::noLocal;
  size_t shortest = ~size_t{0};
  for (const net::Group &group : configuration.threads) {
    const auto *file = watched_.find(configuration.shared, group.local);
    size_t length = file ? file->size() : 0;
    if (length < shortest) {
      shortest = length;
      best = group.local;
    }
  }
  return best;
}

void UpwardSet::file(uint32_t entry) {
  const net::Configuration &configuration = *entries_[entry].configuration;
  watched_.at(configuration.shared, entries_[entry].watch).push_back(entry);
  occurs_.at(configuration.shared, PairFiles::noLocal).push_back(entry);
  for (const net::Group &group : configuration.threads)
    occurs_.at(configuration.shared, group.local).push_back(entry);
}

void UpwardSet::insert(uint32_t number, const net::Configuration &configuration) {
  if (number >= entryOf_.size())
    entryOf_.resize(std::max<size_t>(number + 1, 2 * entryOf_.size()), none);
  auto entry = static_cast<uint32_t>(entries_.size());
  entryOf_[number] = entry;
  entries_.push_back(
      {&configuration, signatureOf(configuration.threads), number, chooseWatch(configuration)});
  file(entry);
  ++alive_;
}

void UpwardSet::erase(uint32_t number) {
  Entry &entry = entries_[entryOf_[number]];
  auto *file = watched_.find(entry.configuration->shared, entry.watch);
  file->erase(std::find(file->begin(), file->end(), entryOf_[number]));
  entry.configuration = nullptr;
  entryOf_[number] = none;
  --alive_;
  constexpr size_t worthwhile = 1024;
  if (entries_.size() > worthwhile && entries_.size() > 4 * alive_)
    compact();
}

void UpwardSet::compact() {
  std::vector<Entry> kept;
  for (const Entry &entry : entries_)
    if (entry.configuration)
      kept.push_back(entry);
  entries_ = std::move(kept);
  watched_ = {};
  occurs_ = {};
  for (uint32_t entry = 0; entry < entries_.size(); ++entry) {
    entryOf_[entries_[entry].number] = entry;
    file(entry);
  }
}

/// Calls `visit` with the numbers of elements below until it returns false.
template <typename Visit>
void UpwardSet::visitBelow(const net::Configuration &configuration, Visit visit) const {
  uint64_t signature = signatureOf(configuration.threads);
  auto look = [&](net::LocalState local) {
    const auto *file = watched_.find(configuration.shared, local);
    if (!file)
      return true;
    for (uint32_t number : *file) {
      const Entry &entry = entries_[number];
      if ((entry.signature & ~signature) == 0 &&
          isBelow(entry.configuration->threads, configuration.threads) && !visit(entry.number))
        return false;
    }
    return true;
  };
  if (!look(PairFiles::noLocal))
    return;
  for (const net::Group &group : configuration.threads)
    if (!look(group.local))
      return;
}

std::optional<uint32_t> UpwardSet::anyBelow(const net::Configuration &configuration) const {
  std::optional<uint32_t> result;
  visitBelow(configuration, [&](uint32_t number) {
    result = number;
    return false;
  });
  return result;
}

std::vector<uint32_t> UpwardSet::allBelow(const net::Configuration &configuration) const {
  std::vector<uint32_t> result;
  visitBelow(configuration, [&](uint32_t number) {
    result.push_back(number);
    return true;
  });
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<uint32_t> UpwardSet::allAbove(const net::Configuration &configuration) const {
  const auto *shortest = occurs_.find(configuration.shared, PairFiles::noLocal);
  for (const net::Group &group : configuration.threads) {
    const auto *file = occurs_.find(configuration.shared, group.local);
    if (!file || !shortest)
      return {};
    if (file->size() < shortest->size())
      shortest = file;
  }
  std::vector<uint32_t> result;
  if (!shortest)
    return result;
  uint64_t signature = signatureOf(configuration.threads);
  for (uint32_t number : *shortest) {
    const Entry &entry = entries_[number];
    if (entry.configuration && (signature & ~entry.signature) == 0 &&
        isBelow(configuration.threads, entry.configuration->threads))
      result.push_back(entry.number);
  }
  std::sort(result.begin(), result.end());
  return result;
}

bool DownwardSet::insert(const net::Configuration &configuration, uint32_t tag) {
  if (contains(configuration))
    return false;
  auto number = static_cast<uint32_t>(entries_.size());
  entries_.push_back({configuration, signatureOf(configuration.threads), tag});
  auto &shared = largest_.at(configuration.shared, PairFiles::noLocal);
  if (shared.empty())
    shared.push_back(number);
  for (const net::Group &group : configuration.threads) {
    occurs_.at(configuration.shared, group.local).push_back(number);
    auto &largest = largest_.at(configuration.shared, group.local);
    if (largest.empty())
      largest.push_back(number);
    else if (countOf(entries_[largest.front()].configuration.threads, group.local) < group.count)
      largest.front() = number;
  }
  return true;
}

std::optional<uint32_t> DownwardSet::tagAbove(const net::Configuration &configuration) const {
  const auto *shared = largest_.find(configuration.shared, PairFiles::noLocal);
  if (!shared)
    return std::nullopt;
  if (configuration.threads.empty())
    return entries_[shared->front()].tag;
  const PairFiles::File *shortest = nullptr;
  for (const net::Group &group : configuration.threads) {
    const auto *largest = largest_.find(configuration.shared, group.local);
    if (!largest)
      return std::nullopt;
    const Entry &entry = entries_[largest->front()];
    if (countOf(entry.configuration.threads, group.local) < group.count)
      return std::nullopt;
    if (configuration.threads.size() == 1)
      return entry.tag;
    const auto *file = occurs_.find(configuration.shared, group.local);
    if (!shortest || file->size() < shortest->size())
      shortest = file;
  }
  uint64_t signature = signatureOf(configuration.threads);
  for (auto number = shortest->rbegin(); number != shortest->rend(); ++number) {
    const Entry &entry = entries_[*number];
    if ((signature & ~entry.signature) == 0 &&
        isBelow(configuration.threads, entry.configuration.threads))
      return entry.tag;
  }
  return std::nullopt;
}

} // namespace understudy::compose::cover
