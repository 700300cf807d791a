// SPDX-License-Identifier: Apache-2.0
//
// A marking without concrete ids and counters: tokens over atoms, and of the relations that are
// kept only what is needed among the atoms present, as links.
//
//   Parent    to the parent                      Next      to the sibling spawned right after
//   Ancestor  to the nearest ancestor present    Elder     to the next younger sibling present
//   Last      of an active thread, to the child that it spawned last
//   Youngest  of an active thread, to its youngest child present
//
// Last and Youngest are what Definition 6 says of next pids (condition 4): a child to come follows
// the last one, and is younger than all. A next pid belongs to its thread (condition 2), so that it
// needs no atom of its own; Definition 8, as printed, loses that when neither Parent nor Ancestor
// is kept. An atom that occurs in no token is dropped and the links around it are joined.
#pragma once

#include "compose/CanonicalLabelling.h"
#include "compose/tnet/Literal.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace understudy::compose::tnet {

using Atom = uint32_t;

enum class Link : uint8_t { Parent, Ancestor, Next, Last, Elder, Youngest };
inline constexpr size_t linkKinds = 6;
inline constexpr Atom noAtom = ~Atom{0};

/// Does the relation need the link?
bool serves(Link link, Relations relations);

class State {
public:
  struct TokenRef {
    PlaceId place = 0;
    uint32_t at = 0; ///< of its first field
  };

  /// The initial thread at the start.
  static State start(const Net &net);
  /// Of a marking that is reachable.
  static State of(const Net &net, const Marking &marking, std::vector<Pid> &atoms);

  explicit State(const Net &net) : net_(&net) {}

  uint32_t atoms() const { return atoms_; }
  const std::vector<TokenRef> &tokens() const { return tokens_; }
  std::span<const int64_t> fields(const TokenRef &token) const;
  /// The number of the first token of the place, and of the first one behind them. Precondition:
  /// the state was decoded.
  std::pair<uint32_t, uint32_t> tokensOf(PlaceId place) const;

  bool related(Relation relation, Atom first, Atom second) const;
  /// Is the second a child of the first, which can have more?
  bool bornBy(Atom first, Atom second) const;
  Atom link(Link link, Atom from) const { return links_[static_cast<size_t>(link)][from]; }

  /// The same atoms and links, without these tokens (ascending).
  State without(const std::vector<uint32_t> &tokens) const;
  Atom spawn(Atom parent);
  void add(PlaceId place, std::span<const int64_t> fields);
  void end(Atom thread);
  /// Drops the atoms in no token; `names` are the new numbers of the atoms, or noAtom.
  void dropUnused(std::vector<Atom> &names);

  /// The state in canonical order, as bytes. `positions` are those of the atoms.
  void encode(CanonicalLabelling &labelling, std::vector<uint8_t> &bytes,
              std::vector<Atom> &positions) const;
  void decode(std::span<const uint8_t> bytes);

private:
  const Net *net_;
  uint32_t atoms_ = 0;
  std::vector<TokenRef> tokens_;
  std::vector<int64_t> fields_;
  std::array<std::vector<Atom>, linkKinds> links_; ///< empty: not kept
  std::vector<uint32_t> placeEnds_;                ///< of a decoded state

  bool keeps(Link link) const { return serves(link, net_->relations); }
  std::vector<Atom> &linksOf(Link link) { return links_[static_cast<size_t>(link)]; }
  Atom addAtom();
  void drop(Atom atom);
  size_t width(PlaceId place) const { return net_->places[place].columns.size(); }
  bool isPid(PlaceId place, size_t column) const {
    return net_->places[place].columns[column].isPid;
  }
};

} // namespace understudy::compose::tnet
