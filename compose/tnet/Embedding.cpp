// SPDX-License-Identifier: Apache-2.0
//
// Plain backtracking: the atoms of the small state get images one after the other.
#include "compose/tnet/Embedding.h"

#include <algorithm>
#include <map>

namespace understudy::compose::tnet {

namespace {

class EmbeddingSearch {
public:
  EmbeddingSearch(const Net &net, const State &small, const State &large, uint64_t &tries)
      : net_(net), small_(small), large_(large), images_(small.atoms(), noAtom),
        taken_(large.atoms(), false), tries_(tries) {
    for (const State::TokenRef &token : large.tokens())
      ++available_[{token.place, fieldsOf(large, token, nullptr)}];
  }

  std::optional<std::vector<Atom>> run() {
    return place(0) ? std::optional(images_) : std::nullopt;
  }

private:
  using Key = std::pair<PlaceId, std::vector<int64_t>>;
  const Net &net_;
  const State &small_;
  const State &large_;
  std::vector<Atom> images_;
  std::vector<bool> taken_;
  std::map<Key, int64_t> available_;
  uint64_t &tries_; ///< that are left

  std::vector<int64_t> fieldsOf(const State &state, const State::TokenRef &token,
                                const std::vector<Atom> *images) const {
    auto fields = state.fields(token);
    std::vector<int64_t> result(fields.begin(), fields.end());
    for (size_t i = 0; images && i < result.size(); ++i)
      if (net_.places[token.place].columns[i].isPid)
        result[i] = (*images)[static_cast<Atom>(result[i])];
    return result;
  }

  bool place(Atom atom) {
    if (atom == small_.atoms())
      return tokensFit();
    for (Atom image = 0; image < large_.atoms(); ++image) {
      if (taken_[image])
        continue;
      if (tries_ == 0)
        return false;
      --tries_;
      images_[atom] = image;
      if (!agreesWithFormer(atom))
        continue;
      taken_[image] = true;
      if (place(atom + 1))
        return true;
      taken_[image] = false;
    }
    return false;
  }

  bool agreesWithFormer(Atom atom) const {
    for (Atom other = 0; other <= atom; ++other)
      if (!agree(other, atom) || !agree(atom, other))
        return false;
    // Tokens whose atoms all have images are there.
    for (const State::TokenRef &token : small_.tokens()) {
      auto fields = small_.fields(token);
      bool isReady = false;
      for (size_t i = 0; i < fields.size(); ++i)
        if (net_.places[token.place].columns[i].isPid) {
          if (static_cast<Atom>(fields[i]) > atom) {
            isReady = false;
            break;
          }
          isReady = isReady || static_cast<Atom>(fields[i]) == atom;
        }
      if (isReady && !available_.contains({token.place, fieldsOf(small_, token, &images_)}))
        return false;
    }
    return true;
  }

  bool agree(Atom first, Atom second) const {
    const Atom firstImage = images_[first], secondImage = images_[second];
    for (Relation relation : allRelations)
      if (net_.relations.has(relation) && small_.related(relation, first, second) !=
                                              large_.related(relation, firstImage, secondImage))
        return false;
    if (serves(Link::Last, net_.relations) &&
        (small_.link(Link::Last, first) == second) !=
            (large_.link(Link::Last, firstImage) == secondImage))
      return false;
    return !serves(Link::Youngest, net_.relations) ||
           small_.bornBy(first, second) == large_.bornBy(firstImage, secondImage);
  }

  bool tokensFit() const {
    std::map<Key, int64_t> left = available_;
    return std::all_of(small_.tokens().begin(), small_.tokens().end(),
                       [&](const State::TokenRef &token) {
                         return --left[{token.place, fieldsOf(small_, token, &images_)}] >= 0;
                       });
  }
};

/// Ids apart, is there a token for every token? Most pairs of states fail here.
bool hasAllData(const Net &net, const State &small, const State &large) {
  std::map<std::pair<PlaceId, std::vector<int64_t>>, int64_t> more;
  auto count = [&](const State &state, int64_t sign) {
    for (const State::TokenRef &token : state.tokens()) {
      auto fields = state.fields(token);
      std::vector<int64_t> data;
      for (size_t i = 0; i < fields.size(); ++i)
        if (!net.places[token.place].columns[i].isPid)
          data.push_back(fields[i]);
      more[{token.place, std::move(data)}] += sign;
    }
  };
  count(large, 1);
  count(small, -1);
  return std::all_of(more.begin(), more.end(), [](const auto &one) { return one.second >= 0; });
}

} // namespace

std::optional<std::vector<Atom>> embedding(const Net &net, const State &small, const State &large,
                                           uint64_t &tries) {
  if (small.atoms() > large.atoms() || !hasAllData(net, small, large))
    return std::nullopt;
  return EmbeddingSearch(net, small, large, tries).run();
}

} // namespace understudy::compose::tnet
