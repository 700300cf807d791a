// SPDX-License-Identifier: Apache-2.0
//
// Upward-closed and downward-closed sets of configurations, by their minimal or maximal elements.
//
// The problem: a search asks for each new configuration c whether the set has an element below c
// (or above it); a scan of all elements makes the search quadratic. The idea: an element below c
// uses only local states of c, so it is enough to file each element under one of its local states
// (its watch) and to look at the files of c's local states; an element above c has all local states
// of c, so it is enough to file each element under all of its local states and to look at the
// shortest file. A signature of 64 bits settles most of the remaining comparisons.
#pragma once

#include "compose/cover/Configurations.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace understudy::compose::cover {

/// Lists of numbers under (shared state, local state), or under the shared state alone.
class PairFiles {
public:
  using File = std::vector<uint32_t>;
  static constexpr net::LocalState noLocal = ~net::LocalState{0};

  File *find(net::SharedState shared, net::LocalState local) {
    auto found = files_.find(key(shared, local));
    return found == files_.end() ? nullptr : &found->second;
  }
  const File *find(net::SharedState shared, net::LocalState local) const {
    auto found = files_.find(key(shared, local));
    return found == files_.end() ? nullptr : &found->second;
  }
  File &at(net::SharedState shared, net::LocalState local) { return files_[key(shared, local)]; }

private:
  struct Mix {
    size_t operator()(uint64_t key) const {
      key *= 0x9e3779b97f4a7c15ull;
      return key ^ (key >> 29);
    }
  };
  std::unordered_map<uint64_t, File, Mix> files_;

  static uint64_t key(net::SharedState shared, net::LocalState local) {
    return uint64_t{shared} << 32 | local;
  }
};

/// The elements are numbered by the owner, who keeps the configurations alive and in place. The set
/// does not keep itself minimal: the owner asks, then inserts and erases.
class UpwardSet {
public:
  void insert(uint32_t number, const net::Configuration &configuration);
  void erase(uint32_t number);
  bool contains(uint32_t number) const {
    return number < entryOf_.size() && entryOf_[number] != none;
  }
  size_t size() const { return alive_; }

  /// An element that is <= configuration.
  std::optional<uint32_t> anyBelow(const net::Configuration &configuration) const;
  /// All of them, in the order of their numbers.
  std::vector<uint32_t> allBelow(const net::Configuration &configuration) const;
  /// All elements that are >= configuration, in the order of their numbers.
  std::vector<uint32_t> allAbove(const net::Configuration &configuration) const;

private:
  static constexpr uint32_t none = ~uint32_t{0};
  struct Entry {
    const net::Configuration *configuration = nullptr; ///< null: erased
    uint64_t signature = 0;
    uint32_t number = 0;
    net::LocalState watch = PairFiles::noLocal;
  };
  std::vector<Entry> entries_;
  std::vector<uint32_t> entryOf_;
  PairFiles watched_; ///< numbers of entries, each in one file
  PairFiles occurs_; ///< each entry in a file for each local state, and in one for its shared state
  size_t alive_ = 0;

  template <typename Visit>
  void visitBelow(const net::Configuration &configuration, Visit visit) const;
  net::LocalState chooseWatch(const net::Configuration &configuration) const;
  void compact();
  void file(uint32_t entry);
};

/// Configurations with `omega` counts; each has a tag of the owner's.
class DownwardSet {
public:
  /// False, and no change: it is already in the closure.
  bool insert(const net::Configuration &configuration, uint32_t tag);
  /// The tag of an element that is >= configuration.
  std::optional<uint32_t> tagAbove(const net::Configuration &configuration) const;
  bool contains(const net::Configuration &configuration) const {
    return tagAbove(configuration).has_value();
  }
  size_t size() const { return entries_.size(); }

private:
  struct Entry {
    net::Configuration configuration;
    uint64_t signature = 0;
    uint32_t tag = 0;
  };
  std::vector<Entry> entries_;
  PairFiles occurs_;
  PairFiles largest_; ///< the entry with the largest count of this local state, one number per file
};

} // namespace understudy::compose::cover
