// SPDX-License-Identifier: Apache-2.0
#include "tools/report/ViolationText.h"

#include "logic/Term.h"

#include <catch2/catch.hpp>

using namespace understudy;
using namespace understudy::tools;
using namespace understudy::tools::report;
using logic::Value;
using options::TraceLength;
using passes::ViolationKind;

namespace {

struct Fixture {
  logic::TermPoolPtr pool = std::make_shared<logic::TermPool>();
  logic::Variable pending = pool->variable("", "pendingIO", pool->intSort());
  logic::Variable stopped = pool->variable("", "stopped", pool->boolSort());
  logic::SourceFilePtr file = std::make_shared<logic::SourceFile>(
      "drivers/bt.c", "int pendingIO;\nvoid f(void) {\n  pendingIO++;\n}\n");

  logic::SourceRange at(uint32_t line, uint32_t begin, uint32_t end) const {
    return {file, {line, begin}, {line, end}};
  }
};

} // namespace

TEST_CASE("a violation is told step by step", "[tools]") {
  Fixture f;
  passes::ThreadConformance thread;
  thread.thread = "PnpAdd";
  thread.function = "f";
  thread.range = f.at(2, 6, 7);
  passes::ConformStory &story = thread.story.emplace();
  story.initialStates = {"Leaving"};
  passes::ConformStep load;
  load.range = f.at(3, 3, 14);
  load.text = "pendingIO++";
  load.supplied = {{f.pending, Value(3)}, {f.stopped, Value(1)}};
  load.states = {"Leaving", "Left(tries = 2)"};
  passes::ConformStep store;
  store.range = load.range;
  store.text = "a_macro_with_a_name_as_long_as_macros_are(  &pendingIO,\n  pendingIO)";
  store.changes = {{f.pending, Value(4), Value(5)}};
  store.inputs = {"nondet() returns 3"};
  story.steps = {load, store};
  story.sentence = "this store sets pendingIO from 4 to 5";
  story.allowed = {"from Leaving only: pendingIO' == pendingIO - 1 (to Left)",
                   "from Left: no shared change"};
  story.range = load.range;
  CHECK(violationText(thread, TraceLength::Full) ==
        "violation: thread PnpAdd, function f in drivers/bt.c, 2 steps\n"
        "\n"
        "    start                possible: Leaving\n"
        " 1  bt.c:3  pendingIO++  others: pendingIO = 3, stopped = true\n"
        "                         possible: Leaving, Left(tries = 2)\n"
        " 2  bt.c:3  a_macro_with_a_name_as_long_as_macros_are( &pendingIO, pend…\n"
        "                         pendingIO: 4 → 5, nondet() returns 3\n"
        "                         possible: none\n"
        "\n"
        "failure: this store sets pendingIO from 4 to 5\n"
        "allowed: from Leaving only: pendingIO' == pendingIO - 1 (to Left)\n"
        "         from Left: no shared change\n"
        "drivers/bt.c:3:3: note: violation occurs here\n"
        "    3 |   pendingIO++;\n"
        "      |   ^~~~~~~~~~~\n");
}

TEST_CASE("an excerpt shows a value where it is used and not known yet", "[tools]") {
  Fixture f;
  passes::ThreadConformance thread;
  thread.thread = thread.function = "f";
  passes::ConformStory &story = thread.story.emplace();
  story.initialStates = {"Start"};
  auto step = [&](const std::string &text) {
    passes::ConformStep result;
    result.range = f.at(3, 3, 14);
    result.text = text;
    result.states = {"Start"};
    result.uses = {"pendingIO"};
    return result;
  };
  passes::ConformStep load = step("n = pendingIO"), again = step("m = pendingIO"),
                      store = step("pendingIO = n");
  load.supplied = {{f.pending, Value(3)}, {f.stopped, Value(1)}}; // stopped plays no part
  again.supplied = {{f.pending, Value(3)}, {f.stopped, Value(0)}};
  store.supplied = {{f.pending, Value(4)}};
  store.changes = {{f.pending, Value(4), Value(3)}};
  store.states = {};
  story.steps = {load, again, store};
  story.sentence = "not allowed";
  CHECK(violationText(thread, TraceLength::Excerpt) ==
        "violation: thread f, function f, 3 steps\n"
        "\n"
        "    start                  possible: Start\n"
        " 1  bt.c:3  n = pendingIO  with pendingIO = 3\n"
        " 2  bt.c:3  m = pendingIO\n"
        " 3  bt.c:3  pendingIO = n  others: pendingIO = 4\n"
        "                           pendingIO: 4 → 3\n"
        "                           possible: none\n"
        "\n"
        "failure: not allowed\n");
  story.allowed = {"from Start only: !stopped"}; // the contract asks for it
  CHECK(violationText(thread, TraceLength::Excerpt).find("stopped = false\n") != std::string::npos);
}

TEST_CASE("rounds of a loop of the code are folded", "[tools]") {
  Fixture f;
  passes::ThreadConformance thread;
  thread.thread = thread.function = "f";
  passes::ConformStory &story = thread.story.emplace();
  story.initialStates = {"Start"};
  for (int64_t i = 0; i < 8; ++i) {
    passes::ConformStep step;
    step.range = f.at(3, 3, 14);
    step.text = "pendingIO++";
    step.uses = {"pendingIO"};
    step.supplied = {{f.pending, Value(i)}};
    step.changes = {{f.pending, Value(i), Value(i + 1)}};
    step.states = {"Start"};
    story.steps.push_back(step);
  }
  story.kind = ViolationKind::Return;
  story.sentence = "it returns";
  CHECK(violationText(thread, TraceLength::Excerpt) ==
        "violation: thread f, function f, 8 steps\n"
        "\n"
        "    start                possible: Start\n"
        " 1  bt.c:3  pendingIO++  pendingIO: 0 → 1\n"
        "    step 1 repeats 7 more times (pendingIO: 1 → 8)\n"
        "\n"
        "failure: it returns\n");
}

TEST_CASE("an assertion fails because of what was read before", "[tools]") {
  Fixture f;
  passes::ThreadConformance thread;
  thread.thread = thread.function = "f";
  passes::ConformStory &story = thread.story.emplace();
  story.initialStates = {"Start"};
  passes::ConformStep claim;
  claim.range = f.at(3, 3, 14);
  claim.text = "assert(!stopped)";
  claim.supplied = {{f.stopped, Value(0)}};
  claim.states = {"Start"};
  story.steps = {claim};
  story.sentence = "it can fail";
  story.kind = ViolationKind::Assertion;
  std::string head = "violation: thread f, function f, 1 step\n"
                     "\n"
                     "    start                     possible: Start\n"
                     " 1  bt.c:3  assert(!stopped)  ";
  CHECK(violationText(thread, TraceLength::Full) ==
        head + "fails\n"
               "                              possible: Start\n"
               "\n"
               "failure: it can fail\n");
  story.kind = ViolationKind::Atomic;
  CHECK(violationText(thread, TraceLength::Full) ==
        head + "others: stopped = false\n"
               "                              fails\n"
               "                              possible: Start\n"
               "\n"
               "failure: it can fail\n");
}

TEST_CASE("start values that disagree have no steps", "[tools]") {
  Fixture f;
  passes::ConformStory story;
  story.kind = ViolationKind::Start;
  story.sentence = "pendingIO starts at 0, the contract says 1";
  story.range = f.at(1, 5, 14);
  CHECK(startText(story) == "violation: the initial values of code and contract differ\n"
                            "\n"
                            "failure: pendingIO starts at 0, the contract says 1\n"
                            "drivers/bt.c:1:5: note: initial value in the code\n"
                            "    1 | int pendingIO;\n"
                            "      |     ^~~~~~~~~\n");
}
