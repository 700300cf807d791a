// SPDX-License-Identifier: Apache-2.0
#include "compose/petri/Unfolder.h"

#include <catch2/catch.hpp>

using namespace understudy::compose::petri;

namespace {

/// `threads` independent chains of `length` transitions.
Net chains(uint32_t threads, uint32_t length) {
  Net net;
  net.places = threads * (length + 1);
  for (uint32_t i = 0; i < threads; ++i) {
    PlaceId first = i * (length + 1);
    net.initial.push_back(first);
    for (PlaceId p = first; p < first + length; ++p)
      net.transitions.push_back({{p}, {p + 1}});
  }
  return net;
}

/// The example of McMillan's order: n choices in a row; each stage can be reached in two ways.
Net stages(uint32_t count) {
  Net net;
  net.places = count + 1;
  net.initial = {0};
  for (PlaceId p = 0; p < count; ++p)
    for (int way = 0; way < 2; ++way)
      net.transitions.push_back({{p}, {p + 1}});
  return net;
}

} // namespace

TEST_CASE("Unfolding: independent threads have no interleavings") {
  Net net = chains(6, 8);
  Unfolder unfolder(net, {});
  REQUIRE(unfolder.complete() == Unfolder::Result::Complete);
  CHECK(unfolder.statistics().events == 48); // of 9^6 markings
  CHECK(unfolder.statistics().cutOffs == 0);
  CHECK(unfolder.statistics().conditions == 54);
}

TEST_CASE("Unfolding: two ways to each stage, one of them a cut-off") {
  Net net = stages(20);
  Unfolder unfolder(net, {});
  REQUIRE(unfolder.complete() == Unfolder::Result::Complete);
  CHECK(unfolder.statistics().events == 40);
  CHECK(unfolder.statistics().cutOffs == 20);
}

TEST_CASE("Unfolding: a run is given thread by thread") {
  Net net = chains(2, 3);
  net.places += 1;
  net.transitions.push_back({{3, 7}, {8}});
  Unfolder unfolder(net, {});
  REQUIRE(unfolder.find([](PlaceId p) { return p == 8; }) == Unfolder::Result::Found);
  CHECK(unfolder.run() == Run{0, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("Unfolding: the search goes on behind what was found") {
  Net net = stages(3);
  Unfolder unfolder(net, {});
  auto last = [](PlaceId p) { return p == 3; };
  REQUIRE(unfolder.find(last) == Unfolder::Result::Found);
  CHECK(unfolder.run() == Run{0, 2, 4});
  REQUIRE(unfolder.find(last) == Unfolder::Result::Found);
  CHECK(unfolder.run() == Run{0, 2, 5});
  CHECK(unfolder.find(last) == Unfolder::Result::Complete);
}

TEST_CASE("Unfolding: limits end it, and a place marked twice is a defect of the net") {
  Net net = chains(3, 5);
  Unfolder few(net, {}, {5, 1'000, {}});
  CHECK(few.complete() == Unfolder::Result::Limit);
  CHECK(few.statistics().events == 5);
  Unfolder narrow(net, {}, {1'000, 3, {}});
  CHECK(narrow.complete() == Unfolder::Result::Limit);
  Unfolder stopped(net, {}, {1'000, 1'000'000, [] { return true; }});
  CHECK(stopped.complete() == Unfolder::Result::Complete); // asked every 64 events only
  Net twice{2, {{{0}, {1}}, {{0}, {0, 1}}}, {0}};
  Unfolder unsafe(twice, {});
  CHECK_THROWS_AS(unsafe.complete(), std::logic_error);
}
