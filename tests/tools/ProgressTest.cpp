// SPDX-License-Identifier: Apache-2.0
#include "tools/report/Progress.h"

#include <catch2/catch.hpp>

using namespace understudy;
using tools::report::progressText;

TEST_CASE("progress: the line says what there is to count") {
  compose::Statistics statistics;
  statistics.seconds = 4;
  CHECK(progressText("petrification, width 2", statistics) == "petrification, width 2: 4 s");
  statistics.refinements = 1;
  statistics.predicates = 22;
  statistics.events = 1217;
  CHECK(progressText("refine, width 2, safety", statistics) ==
        "refine, width 2, safety: 1 refinement, 22 predicates, 1217 events, 4 s");
  compose::Statistics visited;
  visited.states = 1000;
  visited.depth = 12;
  visited.seconds = 2;
  visited.memoryBytes = 3u << 20;
  CHECK(progressText("explicit", visited) ==
        "explicit: 1000 states, depth 12, 500 states/s, 2 s, 3 MB");
}
