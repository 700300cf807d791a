// SPDX-License-Identifier: Apache-2.0
#include "compose/exploration/ExplicitState.h"
#include "compose/exploration/StateStore.h"
#include "compose/exploration/TupleTable.h"

#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

using namespace understudy::compose;
using namespace understudy::compose::exploration;

TEST_CASE("tuples are numbered in order of first appearance") {
  TupleTable table(2);
  std::map<std::pair<int64_t, int64_t>, uint32_t> reference;
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    std::array<int64_t, 2> tuple{static_cast<int64_t>(random() % 100) - 50,
                                 static_cast<int64_t>(random() % 100)};
    auto [entry, isNew] = reference.emplace(std::pair{tuple[0], tuple[1]}, reference.size());
    REQUIRE(table.number(tuple) == entry->second);
    REQUIRE(table.tuple(entry->second)[1] == tuple[1]);
  }
  REQUIRE(table.size() == reference.size());
}

TEST_CASE("a table of empty tuples has one of them") {
  TupleTable table(0);
  REQUIRE(table.number({}) == 0);
  REQUIRE(table.number({}) == 0);
  REQUIRE(table.size() == 1);
}

TEST_CASE("a flat map finds what was inserted, and nothing else") {
  FlatMap map;
  std::map<uint64_t, uint32_t> reference;
  std::mt19937_64 random(3);
  for (uint32_t i = 0; i < 5000; ++i) {
    uint64_t key = random() % 20000;
    if (reference.emplace(key, i).second)
      map.insert(key, i);
  }
  for (uint64_t key = 0; key < 20000; ++key)
    REQUIRE(map.find(key) == (reference.contains(key) ? reference[key] : FlatMap::absent));
}

TEST_CASE("the state store keeps each string once, with its first parent") {
  StateStore store;
  std::map<std::vector<uint8_t>, uint32_t> reference;
  std::mt19937_64 random(11);
  for (uint32_t i = 0; i < 50000; ++i) {
    std::vector<uint8_t> bytes(random() % 40);
    for (uint8_t &b : bytes)
      b = static_cast<uint8_t>(random() % 3);
    auto [entry, isNew] = reference.emplace(bytes, reference.size());
    auto insertion = store.insert(bytes, i);
    REQUIRE(insertion.isNew == isNew);
    REQUIRE(insertion.number == entry->second);
    if (isNew)
      REQUIRE(store.parent(insertion.number) == i);
  }
  for (const auto &[bytes, number] : reference) {
    auto stored = store.state(number);
    REQUIRE(std::vector<uint8_t>(stored.begin(), stored.end()) == bytes);
  }
}

TEST_CASE("states survive encoding, and sorted ones do not depend on the order of threads") {
  std::vector<uint8_t> first;
  std::vector<uint8_t> second;
  ExplicitState a(ExplicitState::Order::Sorted);
  ExplicitState b(ExplicitState::Order::Sorted);
  a.global = b.global = 300;
  for (LocalId local : {5u, 900u, 5u, 2u})
    a.add(local);
  for (LocalId local : {2u, 5u, 5u, 900u})
    b.add(local);
  a.encode(first);
  b.encode(second);
  REQUIRE(first == second);
  REQUIRE(a.groups().size() == 3);
  ExplicitState decoded(ExplicitState::Order::Sorted);
  decoded.decode(first);
  REQUIRE(decoded.global == 300);
  REQUIRE(decoded.groups()[1].local == 5);
  REQUIRE(decoded.groups()[1].count == 2);
  decoded.move(1, 2);
  REQUIRE(decoded.groups()[0].count == 2);
  REQUIRE(decoded.groups()[1].count == 1);

  ExplicitState listed(ExplicitState::Order::Listed);
  for (LocalId local : {5u, 2u, 5u})
    listed.add(local);
  listed.encode(first);
  ExplicitState again(ExplicitState::Order::Listed);
  again.decode(first);
  REQUIRE(again.groups().size() == 3);
  REQUIRE(again.groups()[1].local == 2);
  REQUIRE(again.groups()[2].local == 5);
}
