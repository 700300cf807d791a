// SPDX-License-Identifier: Apache-2.0
//
// Random nets over all 16 sets of relations, against the definitions of the paper.
#include "tests/compose/tnet/RandomNet.h"
#include "compose/proof/NetCheck.h"
#include "compose/tnet/State.h"
#include "specs/format/Format.h"
#include "tests/compose/tnet/NetSupport.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <iostream>
#include <set>

using namespace understudy;
using namespace understudy::compose::tnet;
using understudy::compose::CanonicalLabelling;
using namespace understudy::tests;

namespace {

/// Definitions 6 and 7 as a search: ids get images one after the other.
class Isomorphism {
public:
  Isomorphism(const Net &net, const Marking &first, const Marking &second)
      : net_(net), first_(first), second_(second) {
    for (const Pid &pid : first.pids())
      from_.push_back(pid);
    for (const Pid &pid : second.pids())
      to_.push_back(pid);
  }
  bool exists() { return from_.size() == to_.size() && extend(); }

private:
  const Net &net_;
  const Marking &first_, &second_;
  std::vector<Pid> from_, to_;
  std::map<Pid, Pid> images_;
  std::set<Pid> used_;

  static Pid nextOf(const Marking &marking, const Pid &pid) {
    for (const auto &[active, count] : marking.generators)
      if (active == pid) {
        Pid next = pid;
        next.push_back(count + 1);
        return next;
      }
    return {};
  }

  /// The ids so far with their images, and their next pids.
  std::vector<std::pair<Pid, Pid>> known() const {
    std::vector<std::pair<Pid, Pid>> result(images_.begin(), images_.end());
    for (const auto &[pid, image] : images_)
      if (!nextOf(first_, pid).empty())
        result.emplace_back(nextOf(first_, pid), nextOf(second_, image));
    return result;
  }

  bool agrees() const {
    for (const auto &[pid, image] : images_)
      if (nextOf(first_, pid).empty() != nextOf(second_, image).empty())
        return false;
    const auto all = known();
    for (Relation relation : allRelations) {
      if (!net_.relations.has(relation))
        continue;
      bool siblings = relation == Relation::Next || relation == Relation::Elder;
      for (const auto &[a, imageA] : all)
        for (const auto &[b, imageB] : all)
          if ((siblings || (images_.contains(a) && images_.contains(b))) &&
              related(relation, a, b) != related(relation, imageA, imageB))
            return false;
    }
    return true;
  }

  /// Of the tokens whose ids all have images; all of them in the end.
  std::map<PlaceId, std::multiset<Token>> renamed() const {
    std::map<PlaceId, std::multiset<Token>> result;
    for (const auto &[place, held] : first_.tokens)
      for (Token token : held) {
        bool known = true;
        for (Field &field : token)
          if (auto image = images_.find(field.pid); image != images_.end())
            field.pid = image->second;
          else
            known = known && field.pid.empty();
        if (known)
          result[place].insert(token);
      }
    return result;
  }

  bool tokensAreThere() const {
    for (const auto &[place, held] : renamed()) {
      auto there = second_.tokens.find(place);
      if (there == second_.tokens.end() ||
          !std::includes(there->second.begin(), there->second.end(), held.begin(), held.end()))
        return false;
    }
    return true;
  }

  bool extend() {
    if (images_.size() == from_.size())
      return renamed() == second_.tokens;
    const Pid &pid = from_[images_.size()];
    for (const Pid &image : to_) {
      if (used_.contains(image))
        continue;
      images_[pid] = image;
      used_.insert(image);
      if (tokensAreThere() && agrees() && extend())
        return true;
      used_.erase(image);
      images_.erase(pid);
    }
    return false;
  }
};

using Class = std::vector<uint8_t>;

Class classOf(const Net &net, const Marking &marking, CanonicalLabelling &labelling) {
  std::vector<Pid> pids;
  std::vector<Atom> positions;
  Class bytes;
  State::of(net, marking, pids).encode(labelling, bytes, positions);
  REQUIRE(labelling.complete());
  return bytes;
}

/// The state with one kind of fact forgotten.
Class mutantOf(const Net &net, const Class &bytes, Link dropped, CanonicalLabelling &labelling) {
  State state(net);
  state.decode(bytes);
  labelling.begin(state.atoms());
  std::vector<std::vector<int64_t>> facts;
  auto add = [&](uint64_t label, const std::vector<int64_t> &data, const std::vector<Atom> &atoms) {
    for (int64_t value : data)
      label = label * 31 + static_cast<uint64_t>(value) + 7;
    labelling.fact(std::span(&label, 1), atoms);
    facts.push_back({static_cast<int64_t>(label)});
    facts.back().insert(facts.back().end(), atoms.begin(), atoms.end());
  };
  for (const State::TokenRef &token : state.tokens()) {
    std::vector<Atom> atoms;
    std::vector<int64_t> data;
    auto fields = state.fields(token);
    for (size_t i = 0; i < fields.size(); ++i)
      if (net.places[token.place].columns[i].isPid)
        atoms.push_back(static_cast<Atom>(fields[i]));
      else
        data.push_back(fields[i]);
    add(100 + token.place, data, atoms);
  }
  for (size_t kind = 0; kind < linkKinds; ++kind)
    if (auto link = static_cast<Link>(kind); link != dropped && serves(link, net.relations))
      for (Atom atom = 0; atom < state.atoms(); ++atom)
        if (state.link(link, atom) != noAtom)
          add(kind, {}, {atom, state.link(link, atom)});
  std::vector<Atom> position(state.atoms());
  const std::vector<Atom> &order = labelling.run();
  for (Atom i = 0; i < order.size(); ++i)
    position[order[i]] = i;
  for (auto &fact : facts)
    for (size_t i = 1; i < fact.size(); ++i)
      fact[i] = position[static_cast<size_t>(fact[i])];
  std::sort(facts.begin(), facts.end());
  Class text;
  for (const auto &fact : facts)
    for (int64_t value : fact)
      for (int shift = 0; shift < 64; shift += 8)
        text.push_back(static_cast<uint8_t>(static_cast<uint64_t>(value) >> shift));
  return text;
}

struct Levels {
  std::vector<std::vector<Marking>> markings;
  bool whole = true; ///< no level was cut off
};

Levels literalLevels(const Net &net, size_t depth, size_t most) {
  Levels result{{{startMarking(net)}}, true};
  std::set<Marking> known{startMarking(net)};
  for (size_t level = 0; level < depth; ++level) {
    std::vector<Marking> next;
    for (const Marking &marking : result.markings[level])
      for (const Firing &firing : firings(net, marking))
        if (known.insert(firing.after).second)
          next.push_back(firing.after);
    if (known.size() > most) {
      result.whole = false;
      return result;
    }
    result.markings.push_back(std::move(next));
  }
  return result;
}

/// Theorem 1.
bool isControlSafe(const Net &net, const Marking &marking) {
  std::multiset<Pid> controls, generators;
  for (const auto &[place, held] : marking.tokens)
    for (const Token &token : held)
      if (net.places[place].isControl)
        controls.insert(token.front().pid);
  for (const auto &[pid, count] : marking.generators)
    generators.insert(pid);
  const std::set<Pid> distinct(controls.begin(), controls.end());
  return controls == generators && distinct.size() == controls.size();
}

using Moves = std::multiset<std::pair<uint32_t, Class>>;

Moves movesOf(const Net &net, const Marking &marking, CanonicalLabelling &labelling) {
  Moves moves;
  for (const Firing &firing : firings(net, marking))
    moves.emplace(firing.transition, classOf(net, firing.after, labelling));
  return moves;
}

/// Changes the proof so that it proves nothing any more; false if this kind does not apply.
bool damage(NetProof &proof, unsigned kind, Random &random) {
  auto &listed = proof.states[random.below(proof.states.size())];
  if (kind == 0) { // a token more
    auto &held = listed.marking.tokens.begin()->second;
    held.insert(Token(*held.begin()));
    return true;
  }
  if (listed.moves.empty())
    return false;
  auto &move = listed.moves[random.below(listed.moves.size())];
  const uint32_t target = move.target;
  switch (kind) {
  case 1:
    listed.moves.pop_back();
    return true;
  case 2:
    move.target = static_cast<uint32_t>(random.below(proof.states.size() + 1));
    return move.target != target;
  case 3:
    if (move.names.size() < 2)
      return false;
    move.names[0].second = move.names[1].second;
    return true;
  default:
    if (move.names.empty())
      return false;
    move.names.pop_back();
    return true;
  }
}

} // namespace

TEST_CASE("random nets: classes, moves and levels are what the definitions say") {
  CanonicalLabelling labelling;
  size_t markings = 0, merged = 0, isomorphisms = 0;
  std::set<Link> caught;
  constexpr size_t enough = 2'000; // for every mutant, also where fewer are run
  for (size_t run = 0; run < runs(2'000) || (run < enough && caught.size() < linkKinds); ++run) {
    const uint64_t seed = seedOf(run);
    const Relations relations = relationsOf(seed % 16);
    const std::string text = randomNet(seed, relations);
    INFO("seed " << seed << ", relations " << compose::tnet::text(relations) << "\n" << text);
    const Net net = netOf(text, {{}, relations});
    const Levels levels = literalLevels(net, 5, 150);
    std::vector<Marking> all;
    std::map<Class, std::vector<size_t>> classes;
    for (const auto &level : levels.markings)
      for (const Marking &marking : level) {
        REQUIRE(isControlSafe(net, marking));
        classes[classOf(net, marking, labelling)].push_back(all.size());
        all.push_back(marking);
      }
    markings += all.size();
    merged += all.size() - classes.size();
    // One class: isomorphic, with the same moves. Two: not.
    std::vector<const Marking *> representatives;
    std::vector<Class> texts;
    for (const auto &[bytes, members] : classes) {
      const Moves moves = movesOf(net, all[members.front()], labelling);
      for (size_t i = 1; i < members.size(); ++i) {
        REQUIRE(Isomorphism(net, all[members.front()], all[members[i]]).exists());
        REQUIRE(movesOf(net, all[members[i]], labelling) == moves);
      }
      representatives.push_back(&all[members.front()]);
      texts.push_back(bytes);
    }
    for (size_t i = 0; i < std::min<size_t>(representatives.size(), 40); ++i)
      for (size_t j = 0; j < i; ++j) {
        REQUIRE_FALSE(Isomorphism(net, *representatives[i], *representatives[j]).exists());
        ++isomorphisms;
        for (size_t kind = 0; kind < linkKinds; ++kind)
          if (auto link = static_cast<Link>(kind);
              serves(link, net.relations) && !caught.contains(link) &&
              mutantOf(net, texts[i], link, labelling) == mutantOf(net, texts[j], link, labelling))
            caught.insert(link);
      }
    // The reduced graph is the full one, level by level, up to equivalence.
    for (size_t depth = 0; depth < levels.markings.size(); ++depth) {
      std::set<Class> expected;
      for (size_t level = 0; level <= depth; ++level)
        for (const Marking &marking : levels.markings[level])
          expected.insert(classOf(net, marking, labelling));
      ExploreOptions options;
      options.maxDepth = depth;
      options.graph = ExploreOptions::Graph::Keep;
      const ExploreResult reduced = explore(net, options);
      REQUIRE(std::set<Class>(reduced.graph->states.begin(), reduced.graph->states.end()) ==
              expected);
    }
  }
  std::cout << "random nets: " << markings << " markings, " << merged << " merged, " << isomorphisms
            << " pairs told apart\n";
  CHECK(merged * 20 > markings);
  CHECK(caught.size() == linkKinds); // a state that forgets a kind of fact is noticed
}

TEST_CASE("random nets: proofs hold, and damaged ones do not") {
  size_t proved = 0;
  std::array<size_t, 5> damaged{};
  for (size_t run = 0; run < runs(600); ++run) {
    const uint64_t seed = seedOf(run);
    INFO("seed " << seed);
    const Net net = netOf(randomNet(seed, relationsOf(seed % 16)), {{}, relationsOf(seed % 16)});
    ExploreOptions options;
    options.maxStates = 60;
    const ExploreResult result = explore(net, options);
    if (!result.complete())
      continue;
    auto proof = proveNet(net, {});
    REQUIRE(proof);
    REQUIRE(proof->states.size() == result.states);
    REQUIRE(compose::proof::faultOfMarkings(net, *proof).value_or("none") == "none");
    ++proved;
    Random random(seed);
    for (unsigned kind = 0; kind < 5; ++kind) {
      NetProof bad = *proof;
      if (!damage(bad, kind, random))
        continue;
      INFO("damage " << kind);
      CHECK(compose::proof::faultOfMarkings(net, bad).has_value());
      ++damaged[kind];
    }
  }
  CHECK(proved * 10 >= runs(600));
  for (size_t count : damaged)
    CHECK(count * 20 >= runs(600));
}

TEST_CASE("markings prove nothing where a question is answered") {
  const Net net = netOf("place begin(), a();\nstart begin;\n"
                        "transition go: begin(p) -> a(p);\nnever there: a(p);\n");
  auto proof = proveNet(net, {});
  REQUIRE(proof);
  CHECK(compose::proof::faultOfMarkings(net, *proof) == "'never there' is violated in a(1)");
}

TEST_CASE("random nets are printed as they are read") {
  for (size_t run = 0; run < runs(1'000); ++run) {
    const uint64_t seed = seedOf(run);
    INFO("seed " << seed);
    const std::string text = randomNet(seed, relationsOf(15));
    auto file = std::make_shared<const logic::SourceFile>("random.tnet", text);
    const std::string once = specs::format::format(specs::syntax::parseNet(file));
    auto again = std::make_shared<const logic::SourceFile>("again.tnet", once);
    REQUIRE(specs::format::format(specs::syntax::parseNet(again)) == once);
    ExploreOptions options;
    options.maxDepth = 4;
    CHECK(explore(netOf(text), options).states == explore(netOf(once), options).states);
  }
}
