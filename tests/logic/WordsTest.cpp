// SPDX-License-Identifier: Apache-2.0
#include "logic/Words.h"

#include <catch2/catch.hpp>

#include <map>

using namespace understudy::logic;

TEST_CASE("lists: commas, and a word before the last") {
  CHECK(joined({}) == "");
  CHECK(joined({"a"}, " and ") == "a");
  CHECK(joined({"a", "b"}, " and ") == "a and b");
  CHECK(joined({"a", "b", "c"}, " or ") == "a, b or c");
  CHECK(joined({"a", "b", "c"}) == "a, b, c");
  std::map<std::string, int> counts{{"x", 1}, {"y", 2}};
  CHECK(joined(counts, [](const auto &entry) {
          return entry.first + " = " + std::to_string(entry.second);
        }) == "x = 1, y = 2");
  CHECK(plural(1, "step") == "1 step");
  CHECK(plural(0, "step") == "0 steps");
}

TEST_CASE("the name that was meant: near in spelling, capitals aside, and never the name itself") {
  std::vector<std::string> names{"pendingIO", "stopped", "x", "y"};
  CHECK(didYouMean("pendinIO", names) == "did you mean 'pendingIO'?");
  CHECK(didYouMean("pendignIO", names) == "did you mean 'pendingIO'?");
  CHECK(didYouMean("STOPPED", names) == "did you mean 'stopped'?");
  CHECK(didYouMean("stopped", names).empty());
  CHECK(didYouMean("z", names).empty());
  CHECK(didYouMean("started", names).empty());
  CHECK(didYouMean(std::string(101, 'x'), names).empty());
  CHECK(suggestion("stoped", names, "variables") == "did you mean 'stopped'?");
  CHECK(suggestion("other", names, "variables") == "known variables: pendingIO, stopped, x, y");
  CHECK(suggestion("other", {}, "variables").empty());
}
