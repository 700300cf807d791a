// SPDX-License-Identifier: Apache-2.0
#include "compose/tnet/State.h"

#include <algorithm>

namespace understudy::compose::tnet {

namespace {

constexpr Link allLinks[] = {Link::Parent, Link::Ancestor, Link::Next,
                             Link::Last,   Link::Elder,    Link::Youngest};

void putNumber(int64_t value, std::vector<uint8_t> &out) {
  auto n = static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63);
  for (; n >= 0x80; n >>= 7)
    out.push_back(static_cast<uint8_t>(n | 0x80));
  out.push_back(static_cast<uint8_t>(n));
}

int64_t getNumber(const uint8_t *&at) {
  uint64_t n = 0;
  for (unsigned shift = 0;; shift += 7) {
    uint8_t byte = *at++;
    n |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80)
      return static_cast<int64_t>(n >> 1) ^ -static_cast<int64_t>(n & 1);
  }
}

} // namespace

bool serves(Link link, Relations relations) {
  switch (link) {
  case Link::Parent:
    return relations.has(Relation::Parent);
  case Link::Ancestor:
    return relations.has(Relation::Ancestor);
  case Link::Next:
  case Link::Last:
    return relations.has(Relation::Next);
  case Link::Elder:
  case Link::Youngest:
    return relations.has(Relation::Elder);
  }
  return false;
}

State State::start(const Net &net) {
  State result(net);
  const int64_t first = result.addAtom();
  result.add(net.start, std::span(&first, 1));
  return result;
}

State State::of(const Net &net, const Marking &marking, std::vector<Pid> &atoms) {
  State result(net);
  const std::set<Pid> pids = marking.pids();
  atoms.assign(pids.begin(), pids.end());
  auto atomOf = [&](const Pid &pid) {
    auto at = std::lower_bound(atoms.begin(), atoms.end(), pid);
    return at != atoms.end() && *at == pid ? static_cast<Atom>(at - atoms.begin()) : noAtom;
  };
  for (size_t i = 0; i < atoms.size(); ++i)
    result.addAtom();
  for (const auto &[place, held] : marking.tokens)
    for (const Token &token : held) {
      std::vector<int64_t> fields;
      for (const Field &field : token)
        fields.push_back(field.pid.empty() ? field.value : atomOf(field.pid));
      result.add(place, fields);
    }
  auto set = [&](Link link, Atom from, Atom to) {
    if (result.keeps(link))
      result.linksOf(link)[from] = to;
  };
  for (Atom a = 0; a < atoms.size(); ++a) {
    for (Pid above = atoms[a]; above.size() > 1;) {
      above.pop_back();
      Atom found = atomOf(above);
      if (above.size() + 1 == atoms[a].size())
        set(Link::Parent, a, found);
      set(Link::Ancestor, a, found);
      if (found != noAtom)
        break;
    }
    for (Atom b = 0; b < atoms.size(); ++b) {
      if (tnet::related(Relation::Next, atoms[a], atoms[b]))
        set(Link::Next, a, b);
      Atom younger = result.keeps(Link::Elder) ? result.link(Link::Elder, a) : noAtom;
      if (tnet::related(Relation::Elder, atoms[a], atoms[b]) &&
          (younger == noAtom || atoms[b] < atoms[younger]))
        set(Link::Elder, a, b);
    }
  }
  for (const auto &[pid, count] : marking.generators)
    for (Atom child = 0; child < atoms.size(); ++child) {
      if (!tnet::related(Relation::Parent, pid, atoms[child]))
        continue;
      if (atoms[child].back() == count)
        set(Link::Last, atomOf(pid), child);
      set(Link::Youngest, atomOf(pid), child); // siblings are sorted by age
    }
  return result;
}

std::span<const int64_t> State::fields(const TokenRef &token) const {
  return {fields_.data() + token.at, width(token.place)};
}

std::pair<uint32_t, uint32_t> State::tokensOf(PlaceId place) const {
  return {place == 0 ? 0 : placeEnds_[place - 1], placeEnds_[place]};
}

bool State::related(Relation relation, Atom first, Atom second) const {
  switch (relation) {
  case Relation::Parent:
    return link(Link::Parent, second) == first;
  case Relation::Ancestor:
    for (Atom at = link(Link::Ancestor, second); at != noAtom; at = link(Link::Ancestor, at))
      if (at == first)
        return true;
    return false;
  case Relation::Next:
    return link(Link::Next, first) == second;
  case Relation::Elder:
    for (Atom at = link(Link::Elder, first); at != noAtom; at = link(Link::Elder, at))
      if (at == second)
        return true;
    return false;
  }
  return false;
}

bool State::bornBy(Atom first, Atom second) const {
  const Atom youngest = link(Link::Youngest, first);
  return youngest != noAtom && (youngest == second || related(Relation::Elder, second, youngest));
}

Atom State::addAtom() {
  for (Link kind : allLinks)
    if (keeps(kind))
      linksOf(kind).push_back(noAtom);
  return atoms_++;
}

State State::without(const std::vector<uint32_t> &tokens) const {
  State result(*net_);
  result.atoms_ = atoms_;
  result.links_ = links_;
  auto skip = tokens.begin();
  for (uint32_t i = 0; i < tokens_.size(); ++i)
    if (skip != tokens.end() && *skip == i)
      ++skip;
    else
      result.add(tokens_[i].place, fields(tokens_[i]));
  return result;
}

void State::add(PlaceId place, std::span<const int64_t> fields) {
  tokens_.push_back({place, static_cast<uint32_t>(fields_.size())});
  fields_.insert(fields_.end(), fields.begin(), fields.end());
}

Atom State::spawn(Atom parent) {
  const Atom child = addAtom();
  if (keeps(Link::Parent))
    linksOf(Link::Parent)[child] = parent;
  if (keeps(Link::Ancestor))
    linksOf(Link::Ancestor)[child] = parent;
  auto follow = [&](Link of, Link between) {
    if (!keeps(of))
      return;
    if (Atom before = link(of, parent); before != noAtom)
      linksOf(between)[before] = child;
    linksOf(of)[parent] = child;
  };
  follow(Link::Last, Link::Next);
  follow(Link::Youngest, Link::Elder);
  return child;
}

void State::end(Atom thread) {
  for (Link kind : {Link::Last, Link::Youngest})
    if (keeps(kind))
      linksOf(kind)[thread] = noAtom;
}

void State::drop(Atom atom) {
  auto redirect = [&](Link kind, Atom to) {
    if (keeps(kind))
      std::replace(linksOf(kind).begin(), linksOf(kind).end(), atom, to);
  };
  if (keeps(Link::Youngest)) {
    const auto &younger = linksOf(Link::Elder);
    auto elder = std::find(younger.begin(), younger.end(), atom);
    redirect(Link::Youngest,
             elder == younger.end() ? noAtom : static_cast<Atom>(elder - younger.begin()));
    redirect(Link::Elder, younger[atom]);
  }
  redirect(Link::Parent, noAtom);
  redirect(Link::Next, noAtom);
  redirect(Link::Last, noAtom);
  if (keeps(Link::Ancestor))
    redirect(Link::Ancestor, linksOf(Link::Ancestor)[atom]);
  // A dropped atom leads nowhere, and nobody finds it any more.
  for (Link kind : allLinks)
    if (keeps(kind))
      linksOf(kind)[atom] = noAtom;
}

void State::dropUnused(std::vector<Atom> &names) {
  names.assign(atoms_, noAtom);
  for (const TokenRef &token : tokens_)
    for (size_t i = 0; i < width(token.place); ++i)
      if (isPid(token.place, i))
        names[static_cast<Atom>(fields_[token.at + i])] = 0;
  Atom kept = 0;
  for (Atom atom = 0; atom < atoms_; ++atom) {
    if (names[atom] == noAtom)
      drop(atom);
    else
      names[atom] = kept++;
  }
  if (kept == atoms_)
    return;
  for (const TokenRef &token : tokens_)
    for (size_t i = 0; i < width(token.place); ++i)
      if (isPid(token.place, i))
        fields_[token.at + i] = names[static_cast<Atom>(fields_[token.at + i])];
  for (Link kind : allLinks) {
    if (!keeps(kind))
      continue;
    auto &links = linksOf(kind);
    for (Atom atom = 0; atom < atoms_; ++atom)
      if (names[atom] != noAtom)
        links[names[atom]] = links[atom] == noAtom ? noAtom : names[links[atom]];
    links.resize(kept);
  }
  atoms_ = kept;
}

void State::encode(CanonicalLabelling &labelling, std::vector<uint8_t> &bytes,
                   std::vector<Atom> &positions) const {
  labelling.begin(atoms_);
  std::vector<uint64_t> label;
  std::vector<Atom> members;
  for (const TokenRef &token : tokens_) {
    label.assign(1, token.place);
    members.clear();
    for (size_t i = 0; i < width(token.place); ++i)
      if (isPid(token.place, i))
        members.push_back(static_cast<Atom>(fields_[token.at + i]));
      else
        label.push_back(static_cast<uint64_t>(fields_[token.at + i]));
    labelling.fact(label, members);
  }
  for (Link kind : allLinks)
    if (keeps(kind))
      for (Atom atom = 0; atom < atoms_; ++atom)
        if (Atom to = link(kind, atom); to != noAtom) {
          label.assign(1, ~static_cast<uint64_t>(kind));
          members.assign({atom, to});
          labelling.fact(label, members);
        }
  const std::vector<Atom> &order = labelling.run();
  positions.resize(atoms_);
  for (Atom i = 0; i < atoms_; ++i)
    positions[order[i]] = i;

  std::vector<int64_t> renamed = fields_;
  std::vector<TokenRef> sorted = tokens_;
  for (const TokenRef &token : tokens_)
    for (size_t i = 0; i < width(token.place); ++i)
      if (isPid(token.place, i))
        renamed[token.at + i] = positions[static_cast<Atom>(fields_[token.at + i])];
  std::sort(sorted.begin(), sorted.end(), [&](const TokenRef &a, const TokenRef &b) {
    if (a.place != b.place)
      return a.place < b.place;
    auto first = renamed.begin() + a.at;
    return std::lexicographical_compare(
        first, first + static_cast<std::ptrdiff_t>(width(a.place)), renamed.begin() + b.at,
        renamed.begin() + b.at + static_cast<std::ptrdiff_t>(width(b.place)));
  });
  bytes.clear();
  putNumber(atoms_, bytes);
  putNumber(static_cast<int64_t>(sorted.size()), bytes);
  for (const TokenRef &token : sorted) {
    putNumber(token.place, bytes);
    for (size_t i = 0; i < width(token.place); ++i)
      putNumber(renamed[token.at + i], bytes);
  }
  for (Link kind : allLinks)
    if (keeps(kind))
      for (Atom from : order) {
        Atom to = link(kind, from);
        putNumber(to == noAtom ? -1 : static_cast<int64_t>(positions[to]), bytes);
      }
}

void State::decode(std::span<const uint8_t> bytes) {
  const uint8_t *at = bytes.data();
  atoms_ = static_cast<uint32_t>(getNumber(at));
  tokens_.clear();
  fields_.clear();
  placeEnds_.assign(net_->places.size(), 0);
  for (int64_t left = getNumber(at); left > 0; --left) {
    const auto place = static_cast<PlaceId>(getNumber(at));
    tokens_.push_back({place, static_cast<uint32_t>(fields_.size())});
    for (size_t i = 0; i < width(place); ++i)
      fields_.push_back(getNumber(at));
    placeEnds_[place] = static_cast<uint32_t>(tokens_.size());
  }
  for (size_t place = 1; place < placeEnds_.size(); ++place)
    placeEnds_[place] = std::max(placeEnds_[place], placeEnds_[place - 1]);
  for (Link kind : allLinks) {
    linksOf(kind).clear();
    if (keeps(kind))
      for (uint32_t i = 0; i < atoms_; ++i)
        linksOf(kind).push_back(static_cast<Atom>(getNumber(at)));
  }
}

} // namespace understudy::compose::tnet
